"""Matches without ``--out``: they are kept, listed and shown, and a bot is asked again."""

import json
import os
import shlex
import sys
from pathlib import Path

import pytest
from bots import FAST, LIGHT
from c4_referee import play_match

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
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "moody.py").write_text(MOODY, encoding="utf-8")
    return lambda *words, cwd="bots": c4_referee(*words, env=environment, cwd=tmp_path / cwd)


def test_games_of_a_match_are_kept_and_shown(run, tmp_path):
    """The last match is listed, chosen from and shown, and its bot is asked a question again."""
    bot = shlex.join([sys.executable, "moody.py"])
    report = run("match", LIGHT, bot, "--games", "4", *FAST).stdout.decode()
    assert "c4-referee show --last " in report
    listed = run("show", "--last").stdout.decode().splitlines()
    assert [line.split()[0] for line in listed] == ["game", "1", "2", "3", "4"]
    won = run("show", "--last", "--bot", "MOODY", "--result", "won").stdout.decode().splitlines()
    lost = run("show", "--last", "--bot", "MOODY", "--result", "lost").stdout.decode().splitlines()
    assert len(won) + len(lost) >= 4
    asked = run("show", "--last", "2", "--ask", "1").stdout.decode()
    assert "This is its only question" in asked
    assert "this means: 6 is column 7, " in asked
    assert "(start-up before: about " in asked
    assert "Game 2, move 1: " in asked
    assert 'answer: {"move": 6}\n' in asked
    assert "standard error: thinking\n" in asked
    assert "In the game: 6 is column 7\n" in asked
    assert run("show", "--last", "2", "--ask", "99").returncode == 2
    assert run("report", "--last", "--out", "site", *UNSOLVED).returncode == 0
    assert (tmp_path / "bots" / "site" / "index.html").is_file()
    elsewhere = run("show", "--last", "2", "--ask", "1", cwd=".")
    assert (elsewhere.returncode, elsewhere.stderr.count(b"\n")) == (2, 1)
    assert b"in the folder in which the match was started" in elsewhere.stderr
    name, *_, games = run("list").stdout.decode().splitlines()[1].split()
    assert games == "4"
    assert len(run("show", name).stdout.splitlines()) == len(listed)


FAULTY = """[White "moody"]
[Black "other"]
[Result "0-1"]
[Variant "cfour"]
[Termination "illegal move"]

1. P@d1 P@d2 0-1
"""


def test_bot_of_a_file_is_found_by_its_name(run, tmp_path):
    """A bot of a file is started as ``--bots`` says. At the move of a fault, the fault is shown."""
    (tmp_path / "bots" / "games.pgn").write_text(FAULTY, encoding="utf-8")
    table = f"[bots.moody]\ncommand = [{sys.executable!r}, 'moody.py']\n"
    (tmp_path / "bots" / "bots.toml").write_text(table, encoding="utf-8")
    asked = run("show", "games.pgn", "1", "--ask", "3", "--bots", "bots.toml").stdout.decode()
    assert "Game 1, move 3: moody is asked" in asked
    assert "In the game, move 3, moody: illegal move" in asked
    unknown = run("show", "games.pgn", "1", "--ask", "2", "--bots", "bots.toml")
    assert b"no command of 'other' is stored" in unknown.stderr


def test_function_is_not_asked_again(run, tmp_path):
    """A bot that is a function cannot be started again, and one line says so."""
    path = str(tmp_path / "functions")
    play_match(lambda board: board.legal_moves[0], LIGHT, 1, out=path)
    asked = run("show", path, "1", "--ask", "1")
    assert (asked.returncode, asked.stdout) == (2, b"")
    assert asked.stderr.startswith(b"c4-referee: --ask: 'lambda' is a Python function")


def test_first_game_that_a_fault_decided_is_named(run, tmp_path):
    """If faults decided the games, the first of them is shown next. ``--ask`` names ``--bots``."""
    (tmp_path / "bots" / "moody.py").write_text(MOODY.replace("next(", "9 + next("))
    table = f"[bots.wrong]\ncommand = [{sys.executable!r}, 'moody.py']\n"
    (tmp_path / "bots" / "bots.toml").write_text(table)
    report = run("match", LIGHT, "wrong", "--bots", "bots.toml", "--games", "4", *FAST)
    assert "c4-referee show --last 1 " in report.stdout.decode()
    asked = run("show", "--last", "1", "--ask", "2").stdout.decode()
    assert "--bots FILE gives it its folder" in asked
    again = run("show", "--last", "1", "--ask", "2", "--bots", "bots.toml").stdout.decode()
    assert "--bots FILE" not in again


def test_programs_keep_nothing(run, tmp_path):
    """A match whose report a program reads leaves no file and no folder."""
    done = run("match", LIGHT, LIGHT, "--games", "2", "--json", *FAST)
    assert json.loads(done.stdout)["games"] == 2
    assert not (tmp_path / "state").exists()
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
