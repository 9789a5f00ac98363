"""Programs that use the core in a process of their own, because they may crash it."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
Run = Callable[[str], "subprocess.CompletedProcess[str]"]

PRELUDE = """
import os, signal, sys, threading, time
from c4_bot import _core
from c4_bot.evaluate.zugzwang import Zugzwang
from c4_bot.native import halves, parameters_of, sizes, stones
from c4_bot.search.last_iteration import LastIteration
from c4_bot.search.minimax import Minimax
from c4_bot.search.ordered import Ordered
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant

NONE = (-1, -1, -1.0, 1)
EMPTY = (halves(0), halves(0))
ALL = (-128, 128)
WINDOWS = ("windows", {"weights": (1, 2, 3)})
PARAMETERS = {
    "deepening": {"reduces": (1,)},
    "last_iteration": parameters_of(LastIteration(None, reduces=True, fours=5)),
    "minimax": parameters_of(Minimax(None)), "negamax": {"sooner_wins": (1,)},
    "ordered": parameters_of(Ordered()),
}

def spec(search):
    return search, PARAMETERS[search], *WINDOWS
"""
"""First lines of each program."""


@pytest.fixture
def run() -> Run:
    """Return a function that runs a program after ``PRELUDE``."""

    def run_program(program: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-c", PRELUDE + program],
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )

    return run_program


@pytest.fixture
def run_cpp(tmp_path: Path) -> Run:
    """Return a function that compiles and runs a program of ``tests/native``."""
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("c++ is not installed")

    def run_program(name: str) -> "subprocess.CompletedProcess[str]":
        program, source = tmp_path / name, ROOT / "tests" / "native" / f"{name}.cpp"
        build = [compiler, "-std=c++20", "-O1", "-pthread", f"-I{ROOT / 'bot' / 'native'}"]
        subprocess.run([*build, str(source), "-o", str(program)], check=True, timeout=300)
        return subprocess.run(
            ["sh", "-c", f"ulimit -s 64; {program}"],
            check=False,
            capture_output=True,
            text=True,
            timeout=300,
        )

    return run_program
