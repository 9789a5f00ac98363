"""All commands work the same if Python removes docstrings and assertions."""

import json
import os

import pytest

OPTIMIZED = {**os.environ, "PYTHONOPTIMIZE": "2"}
PRECEPT = b'{"grid":[[0,0,0],[0,0,0],[0,0,1],[0,0,0]]}\n'
BOTS = ("c4-bot --plays random", "c4-bot --level 1")
FILE = """\
system = "swiss"
time_ms = 2000
[bots.a]
command = "c4-bot --plays random"
[bots.b]
command = "c4-bot --level 1"
[bots.c]
command = "c4-bot --level 2"
"""


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


@pytest.mark.weekly
def test_contests_are_played_and_rated(c4_referee, tmp_path):
    """A match and a tournament are played, judged, stored and rated, and a bot is checked."""
    match = ("match", *BOTS, "--time-ms", "2000", "--openings", "random:4", "--json")
    played = c4_referee(*match, "--out", "match", cwd=tmp_path, env=OPTIMIZED)
    assert played.returncode == 0, played.stderr
    assert None not in json.loads(played.stdout)["accuracy"].values()
    (tmp_path / "cup.toml").write_text(FILE)
    for more in ((), ("--json",)):
        cup = c4_referee("tournament", "cup.toml", *more, cwd=tmp_path, env=OPTIMIZED)
        assert cup.returncode == 0, cup.stderr
    assert json.loads(cup.stdout)["complete"]
    rated = c4_referee("rate", "match", "cup", cwd=tmp_path, env=OPTIMIZED)
    assert rated.returncode == 0, rated.stderr
    checked = c4_referee("check", BOTS[1], "--time-ms", "300", env=OPTIMIZED)
    assert checked.returncode == 0, checked.stdout
