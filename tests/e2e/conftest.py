"""Fixtures that run the installed commands as a user does."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from commands import SCRIPTS, has_traceback, prepare
from effort import THOROUGH
from waiting import wait_for

MISBEHAVING = Path(__file__).parent.parent / "bots" / "misbehaving.py"
Run = Callable[..., subprocess.CompletedProcess[bytes]]


class Mark:
    """A variable in the environment that finds all processes started with it."""

    def __init__(self) -> None:
        self._value = f"{os.getpid()}x{time.monotonic_ns()}"
        self.environment = {**os.environ, "MARK": self._value}

    def bearers(self) -> set[int]:
        """Return the running processes that have the variable, which children inherit."""
        found = set()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if f"MARK={self._value}".encode() in (process / "environ").read_bytes():
                    found.add(int(process.name))
        return found


@pytest.fixture
def mark() -> Mark:
    """Return a new mark with its environment."""
    return Mark()


@pytest.fixture
def other_mark() -> Mark:
    """Return another mark than ``mark``."""
    return Mark()


@pytest.fixture
def misbehaving() -> Callable[[str], str]:
    """Return a function from a kind in ``tests/bots/misbehaving.py`` to the bot's command line."""
    return f"{sys.executable} -S -E {MISBEHAVING} {{}}".format


@pytest.fixture
def wait_until() -> Callable[..., bool]:
    """Return a function that returns whether a condition becomes true within some seconds."""
    return wait_for


@pytest.fixture
def run_cleanly(mark: Mark, wait_until: Callable[..., bool]) -> Run:
    """Return a function that runs a program, with settings of ``subprocess``.

    It checks that the program leaves no process, and that Python writes no traceback.
    """

    def run(words: Sequence[str], **settings: Any) -> subprocess.CompletedProcess[bytes]:
        usual = {"env": mark.environment, "capture_output": True, "timeout": 300}
        done = subprocess.run(words, check=False, **usual | settings)
        assert not has_traceback(done.stdout, done.stderr), done.stderr.decode(errors="replace")
        assert wait_until(lambda: not mark.bearers())
        return done

    return run


@pytest.fixture
def workspace(of_this_run: Path, tmp_path: Path) -> Path:
    """Return a folder with the files that ``commands.COMMANDS`` need."""
    from wheels import make_once

    prepared = make_once(of_this_run / "commands", prepare)
    return Path(shutil.copytree(prepared, tmp_path / "workspace"))


@pytest.fixture(scope="session")
def wheel(of_this_run: Path) -> Path:
    """Return the wheel that is built with a compiler. The first test that needs it builds it."""
    from wheels import build_again, make_once

    (wheel,) = make_once(of_this_run / "wheel", build_again).glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def environment(of_this_run: Path, request: pytest.FixtureRequest) -> Path:
    """Return the folder of commands in an environment in which our package is installed.

    This is the environment of the tests. Thorough tests make another one if it has an editable
    installation.
    """
    from wheels import install, is_editable, make_once

    if not (THOROUGH and is_editable()):
        return SCRIPTS
    fill = partial(install, request.getfixturevalue("wheel"))
    return make_once(of_this_run / "environment", fill) / "bin"
