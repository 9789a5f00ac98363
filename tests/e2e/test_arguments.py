"""Bots that need arguments, or refuse them, play under the referee as under their own drivers."""

import json
import os
import sys
from collections import Counter
from pathlib import Path

import pytest
from bots import LIGHT
from stored import stored_games
from views import needs_sandbox

HABITS = Path(__file__).parent.parent / "bots" / "habits"
FLAGS = f"{sys.executable} -S {HABITS / 'needs_flags.py'}"
WIDE = {**os.environ, "COLUMNS": "200"}
"""An environment with a terminal so wide that no line is cut."""
SIX = f"{sys.executable} -S {HABITS / 'six_positional.py'}"


def forfeits(report: dict) -> dict:
    """Return the forfeits of each bot that has any in a tournament's report."""
    return {row["bot"]: row["forfeits"] for row in report["standings"]["bots"] if row["forfeits"]}


@pytest.mark.weekly
def test_all_habits_play_a_tournament(c4_referee, tmp_path):
    """Ten bots with different habits play a tournament without a forfeit.

    One line in the file configures each bot. Each of them plays equally often as first and second.
    """
    done = c4_referee(
        "tournament", "tournament.toml", "--out", str(tmp_path / "out"), "--json", cwd=HABITS
    )
    report = json.loads(done.stdout)
    assert (done.returncode, report["complete"], report["scheduled"]) == (0, True, 90)
    assert forfeits(report) == {}
    games = stored_games(tmp_path / "out")
    names = {row["bot"] for row in report["standings"]["bots"]}
    for seat in ("first", "second"):
        assert Counter(game[seat] for game in games) == dict.fromkeys(names, 9)
    said = [game["stderr"].get("logs-arguments", "") for game in games]
    assert sum(text.startswith("started as") for text in said) == 18


@pytest.mark.parametrize(("command", "arguments"), [(FLAGS, "course"), (SIX, "positional")])
def test_arguments_option(c4_referee, command, arguments):
    """--arguments applies to every bot of the command line, also to c4-bot."""
    match = ("match", command, "c4-bot --plays random", "--no-accuracy", "--json")
    report = json.loads(c4_referee(*match, "--arguments", arguments).stdout)
    assert (report["games"], report["forfeits"]) == (2, {})
    report = json.loads(c4_referee(*match).stdout)
    assert report["forfeits"] == {command.rpartition("/")[2]: {"exited": 2}}


def test_forfeit_hints_at_check(c4_referee):
    """A forfeit for lack of arguments is shown with the failing line and the command to run."""
    done = c4_referee("match", FLAGS, LIGHT, "--no-accuracy", env=WIDE)
    text = " ".join(done.stdout.decode().split())
    assert "needs_flags.py, line 7: IndexError: list index out of range" in text
    assert f"does it need arguments? c4-referee check '{FLAGS}' finds out" in text


def test_bot_that_cannot_read_json_hears_of_dialects(c4_referee, tmp_path):
    """A bot of CodinGame without its dialect ends with our question in its last words."""
    (tmp_path / "bot.py").write_text("my_id, opponent_id = map(int, input().split())\n")
    command = f"{sys.executable} {tmp_path / 'bot.py'}"
    match = ("match", command, LIGHT, "--no-accuracy", "--no-sandbox")
    text = " ".join(c4_referee(*match, env=WIDE).stdout.decode().split())
    assert "it does not seem to speak jsonl: name another with --dialect" in text
    text = " ".join(c4_referee("check", command, "--no-sandbox").stdout.decode().split())
    assert "it cannot read JSON: name its dialect, for example with --dialect codingame" in text


@needs_sandbox
def test_arguments_reach_a_sandboxed_bot(c4_referee, tmp_path):
    """A sandboxed bot gets its arguments, filled in. Its folder has a module that it imports."""
    file = tmp_path / "bots.toml"
    file.write_text(f'[bots.a]\ncommand = "{FLAGS}"\ncwd = "{HABITS}"\n', encoding="utf-8")
    match = ("match", "a", LIGHT, "--no-accuracy", "--json", "--sandbox", "require")
    match = (*match, "--bots", str(file))
    report = json.loads(c4_referee(*match, "--arguments", "course").stdout)
    assert (report["games"], report["forfeits"]) == (2, {})
