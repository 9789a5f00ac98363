"""Wheels of this checkout, and environments in which a wheel is installed."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
COMPILED = ROOT / "build" / "tests" / sys.implementation.cache_tag
"""Folder for compiled files of earlier builds."""


def make_once(folder: Path, fill: Callable[[Path], object]) -> Path:
    """Fill a folder unless another process of this run has done so. Return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / "done"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            fill(folder)
            done.touch()
    return folder


def is_editable() -> bool:
    """Return whether our package in this environment is an editable installation."""
    address = json.loads(distribution("c4-arena").read_text("direct_url.json") or "{}")
    return bool(address.get("dir_info", {}).get("editable"))


def build_again(folder: Path) -> None:
    """Build the wheel into a folder. Compile only what has changed since the last build."""
    if not (shutil.which("cmake") and shutil.which("ninja")):
        build(folder)  # pip downloads cmake and ninja
        return
    COMPILED.mkdir(parents=True, exist_ok=True)
    with COMPILED.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        # An isolated build has its headers in a new place each time, and compiles everything.
        build(folder, COMPILED, "--no-build-isolation")


def build(
    folder: Path,
    compiled: Path | None = None,
    *options: str,
    python: str = sys.executable,
    **environment: str,
) -> Path:
    """Build the wheel of this checkout into a folder, and return its path."""
    command = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, ROOT]
    # A separate build folder: the checkout's may hold the core of an earlier build.
    command += ["--config-settings", f"build-dir={compiled or folder / 'build'}", *options]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, home: Path) -> None:
    """Make an environment with an installed wheel. It uses the libraries of this environment."""
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    places = {"base": str(home), "platbase": str(home)}
    site = Path(sysconfig.get_path("purelib", vars=places))
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    command = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
    # Our package may be among these libraries, but it is installed anyway.
    command += ["--no-deps", "--no-index", "--ignore-installed", wheel]
    subprocess.run(command, check=True)
    _, program = (Path(sys.executable).parent / "pytest").read_text().split("\n", 1)
    script = home / "bin" / "pytest"
    script.write_text(f"#!{python}\n{program}")
    script.chmod(0o755)
