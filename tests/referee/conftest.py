"""Bots and fixtures for the referee's tests."""

import os
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from c4_referee.bots.contain.process import BotProcess
from c4_referee.bots.contain.process_tree import adopt_orphans, kill_children
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.toml import checked_values
from views import SECRETS, write

MISBEHAVING = Path(__file__).parent.parent / "bots" / "misbehaving.py"


def misbehaving(kind: str, **settings: object) -> BotSpec:
    """Return the spec of a bot in ``tests/bots/misbehaving.py``. -S and -E make it start faster."""
    command = (sys.executable, "-S", "-E", str(MISBEHAVING), kind)
    return checked_values(BotSpec, {"name": kind, "command": command, **settings}, "test")


@pytest.fixture
def bot():
    """Return a function from the kind of a misbehaving bot to its spec."""
    return misbehaving


@pytest.fixture
def adopting():
    """Make this process adopt orphans, as workers do, and kill them at the end."""
    adopt_orphans()
    yield
    kill_children(keep=BotProcess.running)


@pytest.fixture(autouse=True)
def _no_children_left():
    """Kill the processes that tests leave, so that every test starts without children.

    Other tests may have left some before, if a test of this process has let it adopt orphans.
    """
    _end_children()
    yield
    _end_children()


def _end_children() -> None:
    if sys.platform != "linux":  # elsewhere, no children are found
        return
    with suppress(ChildProcessError):
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        kill_children(keep=BotProcess.running)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home folder with secrets, which is not the current folder."""
    home = tmp_path / "home" / "teacher"
    for secret in SECRETS:
        write(home / secret, "secret")
    monkeypatch.setenv("HOME", str(home))
    work = home / "class"
    work.mkdir()
    monkeypatch.chdir(work)
    return home
