"""All commands work the same if Python removes docstrings and assertions."""

import json
import os

import pytest

OPTIMIZED = {**os.environ, "PYTHONOPTIMIZE": "2"}
PRECEPT = b'{"grid":[[0,0,0],[0,0,0],[0,0,1],[0,0,0]]}\n'


@pytest.mark.parametrize("arguments", [("--help",), ("--version",)])
@pytest.mark.parametrize("command", ["c4-bot", "c4-solve", "c4-referee", "c4-tune"])
def test_help_is_the_same(run_command, command, arguments):
    """Help texts do not depend on docstrings."""
    usual = run_command(command, *arguments)
    optimized = run_command(command, *arguments, env=OPTIMIZED)
    assert usual.stdout
    assert (optimized.stdout, optimized.stderr) == (usual.stdout, usual.stderr)


def test_bot_and_solver_answer(c4_bot, c4_solve):
    """The bot plays, lists its players, and the solver solves."""
    answered = c4_bot(stdin=PRECEPT, env=OPTIMIZED)
    assert (answered.stdout[:8], answered.stderr) == (b'{"move":', b"")
    assert c4_bot("--list", env=OPTIMIZED).stdout == c4_bot("--list").stdout
    solved = c4_solve("--json", stdin=b"4453\n", env=OPTIMIZED)
    assert json.loads(solved.stdout)["score"] == -2
