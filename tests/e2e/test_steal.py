"""Games in which player 2 may steal the first stone, with real processes."""

import json
import sys
from pathlib import Path

import pytest
from bots import PATIENT
from c4_protocol.rules.notation import replay
from c4_protocol.rules.variant import CODINGAME
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
FAST = ("--no-accuracy", *PATIENT)


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
                      "--out", out, "--json", *PATIENT)  # fmt: skip
    report = json.loads(done.stdout)["accuracy_report"]
    assert report["judged_games"] == report["games"] > 0
    shown = c4_referee("show", out, "2", "--step", "--analysis-seconds", "600").stdout.decode()
    assert "s (the steal): " in shown
