"""Programs that use the core in a process of their own, because they may crash it."""

import subprocess
import sys
from collections.abc import Callable

import pytest

Run = Callable[[str], "subprocess.CompletedProcess[str]"]

PRELUDE = """
import os, signal, sys, threading, time
from c4_bot import _core
from c4_bot.native import halves, sizes, stones
from c4_protocol.position import Position
from c4_protocol.variant import STANDARD, Variant

NONE = (-1, -1, -1.0, 1)
EMPTY = (halves(0), halves(0))
ALL = (-128, 128)
PARAMETERS = {
    "deepening": (), "last_iteration": (1, 1, 1), "minimax": (1, 1), "negamax": (1,),
    "ordered": (10, 2, 1, 2, 20, 1, 1, 1),
}

def spec(search):
    return _core.SearchSpec(search, PARAMETERS[search], "windows", (1, 2, 3))
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
            timeout=120,
        )

    return run_program
