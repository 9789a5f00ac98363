"""Games in which player 2 may steal the first stone, with real processes."""

import json
import sys
from pathlib import Path

import pytest
from c4_protocol.rules.notation import replay
from c4_protocol.rules.variant import CODINGAME, Variant
from stored import stored_games

BOT = """
import json, sys
for line in sys.stdin:
    precept = json.loads(line)
    stones = sum(cell > 0 for column in precept["grid"] for cell in column)
    free = [x for x, column in enumerate(precept["grid"]) if column[0] == 0]
    steals = precept["player"] == 2 and stones == 1
    print(json.dumps({"move": -2 if steals else free[-1]}), flush=True)
"""
"""A bot that steals when it may, and otherwise plays the last column."""
OURS = "c4-bot --plays needed --depth 2"
FAST = ("--no-accuracy", "--startup-ms", "60000")


@pytest.fixture
def thief(tmp_path: Path) -> str:
    """Return the command of the bot."""
    path = tmp_path / "bot.py"
    path.write_text(BOT)
    return f"{sys.executable} -S -E {path}"


def records(folder: Path) -> list[dict]:
    """Return the records of the games in a folder, in order."""
    return sorted(stored_games(folder), key=lambda record: record["game"])


def test_match_with_a_thief_is_played_shown_and_rated(c4_referee, thief, tmp_path):
    """Games with a steal are stored, continued, shown, written as pages and rated."""
    out = str(tmp_path / "out")
    match = ("match", thief, OURS, "--variant", "codingame", *FAST, "--out", out)
    assert c4_referee(*match, "--games", "1").returncode == 0
    done = c4_referee(*match, "--games", "2", "--json")
    assert (json.loads(done.stdout)["games"], json.loads(done.stdout)["forfeits"]) == (2, {})
    games = records(tmp_path / "out")
    assert [game["moves"][1] for game in games[1::2]] == ["s"]
    assert [game["variant"]["steal"] for game in games] == [True] * 2
    assert all(replay(game["moves"], CODINGAME)[0].is_over for game in games)
    shown = c4_referee("show", out, "2", "--step", "--analysis-seconds", "0").stdout.decode()
    assert "plays s" in shown
    assert "(O)" in shown
    site = tmp_path / "site"
    assert c4_referee("report", out, "--out", str(site), "--analysis-seconds", "0").returncode == 0
    assert "player 2 may steal the first stone" in (site / "index.html").read_text()
    for name in ("games.pgn", "games.csv", "games.jsonl"):
        rated = c4_referee("rate", str(site / "exports" / name), "--variant", "codingame", "--json")
        assert json.loads(rated.stdout)["games"] == 2, name


def test_values_of_games_with_the_steal_are_exact(c4_referee, thief, tmp_path):
    """Moves are judged on 7x6 with the steal, whose values are stored apart from those without."""
    out = str(tmp_path / "out")
    done = c4_referee("match", thief, OURS, "--variant", "7x6+steal", "--games", "2",
                      "--out", out, "--json", "--startup-ms", "60000")  # fmt: skip
    report = json.loads(done.stdout)["accuracy_report"]
    assert report["judged_games"] == report["games"] > 0
    shown = c4_referee("show", out, "2", "--step", "--analysis-seconds", "60").stdout.decode()
    assert "s (the steal): " in shown


def test_bot_answers_a_precept_with_the_steal(c4_bot):
    """Our bot steals a stone whose position is lost without the steal, and says so."""
    variant = Variant.parse("4x4x3+steal")
    grid = [[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]]
    precept = {"grid": grid, "connect": variant.connect, "steal": True, "player": 2}
    done = c4_bot("--info", stdin=json.dumps(precept).encode() + b"\n")
    answer = json.loads(done.stdout)
    assert answer["move"] == answer["info"]["pv"][0] == -2
    assert (answer["info"]["score"], answer["info"]["exact"]) == (4, True)
    assert [-2, 4] in answer["info"]["scores"]
    done = c4_bot("--verbose", stdin=json.dumps(precept).encode() + b"\n")
    assert b"s steals the first stone" in done.stderr
    assert json.loads(c4_bot(stdin=json.dumps(precept | {"steal": False}).encode() + b"\n").stdout)[
        "move"
    ] in {0, 1, 2, 3}


def test_solver_scores_the_steal(c4_solve):
    """--all adds the score of the steal, or a dot, and --json names it."""
    done = c4_solve("--variant", "7x6+steal", "--all", stdin=b"1\n1s\n\n")
    lines = [line.split()[:-2] for line in done.stdout.decode().splitlines()]
    assert lines[0] == ["1", "-1", "2", "1", "2", "-1", "1", "-2", "-2"]
    assert (lines[1][0], lines[1][-1], lines[2][-1]) == ("1s", ".", ".")
    assert lines[1][1:8] == lines[0][1:8]
    assert [*map(int, lines[2][:-1])] == [-2, -1, 0, -1, 0, -1, -2]
    done = c4_solve("--variant", "7x6+steal", "--all", "--json", stdin=b"4\n44\n")
    first, later = map(json.loads, done.stdout.splitlines())
    assert (first["score"], first["best"], first["steal"]) == (1, ["s"], 1)
    assert later["steal"] is None
    done = c4_solve("--variant", "7x6+steal", "--weak", "--check", stdin=b"4 1\n1 1\n3 0\n 0\n")
    assert (done.returncode, done.stderr) == (0, b"")
    done = c4_solve("--variant", "7x6+steal", "--check", stdin=b"4 2\n4ss 2\n")
    assert done.returncode == 1
    assert b"'4' is worth 1, not 2" in done.stderr
    assert b"only the first move of player 2 can be the steal" in done.stderr
