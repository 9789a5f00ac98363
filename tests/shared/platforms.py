"""Libraries of other platforms, which few machines have.

Tests that need one are skipped where it is missing. With ``ARENA_PLATFORMS=required`` in the
environment they fail instead.
"""

import json
import os
import subprocess
import warnings
from contextlib import ExitStack
from importlib import import_module
from types import ModuleType

import pytest
from c4_protocol.dialects.jsonl import RefereeEnd
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant
from c4_referee.bots.own import with_own_command

VARIABLE = "ARENA_PLATFORMS"


def platform(name: str) -> ModuleType:
    """Return a module of another platform; skip the test, or its whole file, if it is missing.

    Warnings that the module gives when it is imported are not ours, and are ignored.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return import_module(name)
    except ImportError as error:
        if os.environ.get(VARIABLE) == "required":
            raise
        pytest.skip(f"{name} is not installed: {error}", allow_module_level=True)


def columns_by_lines(variant: str, first: str, second: str) -> list[int]:
    """Return the columns of a game of two players that are separate programs.

    The players search to the depth of their own, so that their games are always the same.
    """
    position, columns = Position(Variant.parse(variant)), []
    with ExitStack() as stack:
        bots = [stack.enter_context(_started(name)) for name in (first, second)]
        while not position.is_over:
            bot = bots[position.player - 1]
            assert bot.stdin is not None
            assert bot.stdout is not None
            bot.stdin.write(RefereeEnd().write_precept(position))
            columns.append(json.loads(bot.stdout.readline())["move"])
            position = position.play(position.check(columns[-1]))
    return columns


def _started(name: str) -> "subprocess.Popen[bytes]":
    """Return the program of one of our players."""
    words = with_own_command(("c4-bot", "--plays", name))
    pipe = subprocess.PIPE
    return subprocess.Popen(words, stdin=pipe, stdout=pipe, bufsize=0)
