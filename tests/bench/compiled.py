"""What benchmarks share: children in C, whose own work does not hide ours, and one processor."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PLAYER = Path(__file__).parent.parent / "bots" / "player.c"


def compiled(source: str, folder: str) -> str:
    """The path of a C program made from its text; ends this process if there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        sys.exit("there is no C compiler, cc, for the other side of the pipes")
    program = str(Path(folder) / "program")
    command = [compiler, "-O2", "-x", "c", "-o", program, "-"]
    subprocess.run(command, input=source, text=True, check=True)
    return program


def stay_on_one_processor() -> None:
    """Keeps this process and its children on one processor, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
