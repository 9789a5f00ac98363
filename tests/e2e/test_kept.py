"""Matches without ``--out``: they are kept, listed and shown, and a bot is asked again."""

import json
import os
import shlex
import sys
from pathlib import Path

import pytest
from bots import FAST, LIGHT

UNSOLVED = ("--analysis-seconds", "0")
MOODY = """
import json, sys
for line in sys.stdin:
    print("thinking", file=sys.stderr)
    board = json.loads(line)["grid"]
    print(json.dumps({"move": next(i for i in range(6, -1, -1) if board[i][0] == 0)}), flush=True)
"""


@pytest.fixture
def run(c4_referee, tmp_path):
    """Return a function that runs the referee with a state folder of its own."""
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    (tmp_path / "moody.py").write_text(MOODY, encoding="utf-8")
    return lambda *words: c4_referee(*words, env=environment, cwd=tmp_path)


def test_games_of_a_match_are_kept_and_shown(run, tmp_path):
    """The last match is listed, chosen from and shown, and its bot is asked a question again."""
    bot = shlex.join([sys.executable, "moody.py"])
    report = run("match", LIGHT, bot, "--games", "4", *FAST).stdout.decode()
    assert "c4-referee show --last " in report
    listed = run("show", "--last").stdout.decode().splitlines()
    assert [line.split()[0] for line in listed] == ["game", "1", "2", "3", "4"]
    won = run("show", "--last", "--bot", bot, "--result", "won").stdout.decode().splitlines()
    lost = run("show", "--last", "--bot", bot, "--result", "lost").stdout.decode().splitlines()
    assert len(won) + len(lost) >= 4
    asked = run("show", "--last", "2", "--ask", "1").stdout.decode()
    assert "Game 2, move 1: " in asked
    assert 'answer: {"move": 6}\n' in asked
    assert "standard error: thinking\n" in asked
    assert "In the game, its move was 7\n" in asked
    assert run("show", "--last", "2", "--ask", "99").returncode == 2
    assert run("report", "--last", "--out", "site", *UNSOLVED).returncode == 0
    assert (tmp_path / "site" / "index.html").is_file()
    assert b"4 games" in run("list").stdout


def test_programs_keep_nothing(run, tmp_path):
    """A match whose report a program reads leaves no file and no folder."""
    done = run("match", LIGHT, LIGHT, "--games", "2", "--json", *FAST)
    assert json.loads(done.stdout)["games"] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["moody.py"]
    assert run("show", "--last").stderr.startswith(b"c4-referee: --last: no match is kept yet")
    assert (run("list").stdout, run("list").returncode) == (b"", 0)


def test_match_goes_on_if_its_games_cannot_be_kept(run, tmp_path):
    """If the state folder cannot be used, one line says so, and the match is played."""
    Path(tmp_path / "state").touch()
    done = run("match", LIGHT, LIGHT, "--games", "2", *FAST)
    assert done.returncode == 0
    assert done.stderr.decode().count("\n") == 1
    assert b"the games are not kept: cannot write" in done.stderr
    assert b"--last" not in done.stdout
