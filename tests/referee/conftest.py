"""Bots for the referee's tests."""

import sys
from pathlib import Path

import pytest
from c4_referee.bots import BotSpec
from c4_referee.process import BotProcess, adopt_orphans, kill_children

MISBEHAVING = Path(__file__).parent.parent / "bots" / "misbehaving.py"


def misbehaving(kind: str, **settings: object) -> BotSpec:
    """The spec of a bot of ``tests/bots/misbehaving.py``; -S and -E make it start faster."""
    command = (sys.executable, "-S", "-E", str(MISBEHAVING), kind)
    return BotSpec.model_validate({"name": kind, "command": command, **settings})


@pytest.fixture
def bot():
    """Makes specs of misbehaving bots by their kind."""
    return misbehaving


@pytest.fixture
def adopting():
    """Makes this process adopt orphans, as workers do, and leaves none of them."""
    adopt_orphans()
    yield
    kill_children(keep=BotProcess.running)
