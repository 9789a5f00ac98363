"""Builds this checkout's wheel."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def build(folder: Path, **environment: str) -> Path:
    """Builds the wheel of this checkout into a folder."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, ROOT]
    # A build folder of its own: the checkout's may hold the core of an earlier build.
    command += ["--config-settings", f"build-dir={folder}/build"]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    (wheel,) = folder.glob("*.whl")
    return wheel
