"""``c4-referee match`` with real bots."""

import json
import shlex

import pytest
from bots import FAST, LIGHT, PATIENT
from stored import stored_games

NEEDED = "c4-bot --plays needed --depth 4"


def test_report_adds_up(c4_referee):
    """--json prints one object with consistent numbers.

    The player ``needed`` loses no game against random moves, going first and second.
    """
    done = c4_referee("match", NEEDED, LIGHT, "--games", "6", "--json", *PATIENT)
    report = json.loads(done.stdout)
    assert done.stdout.count(b"\n") == 1
    assert report["complete"]
    assert done.returncode == 0
    assert report["games"] == report["wins"] + report["draws"] + report["losses"] == 6
    first, second = report["first_bot_as_first"], report["first_bot_as_second"]
    assert first["games"] == second["games"] == 3
    for key in ("wins", "draws", "losses"):
        assert first[key] + second[key] == report[key]
    assert report["elo_low"] <= report["elo"] <= report["elo_high"]
    assert report["losses"] == 0
    assert 1 <= report["distinct_games"] <= 6
    assert report["forfeits"] == {}
    assert report["sprt"] is None
    assert set(report["accuracy"]) == set(report["accuracy_report"]["bots"]) == {NEEDED, "light.py"}


def test_sequential_test_ends_the_match(c4_referee, misbehaving):
    """--sprt ends the match as soon as the test is decided, and the match is complete then."""
    done = c4_referee("match", LIGHT, misbehaving("column_7"), "--openings", "random:4",
                      "--sprt", "0,300", "--json", *FAST)  # fmt: skip
    report = json.loads(done.stdout)
    assert set(report["sprt"]) == {"llr", "lower", "upper", "verdict", "elo0", "elo1"}
    assert report["sprt"]["verdict"] == "H1"
    assert report["sprt"]["llr"] >= report["sprt"]["upper"] == 2.9444
    assert 10 < report["games"] < 60
    assert report["complete"]
    assert done.returncode == 0


@pytest.mark.parametrize("test", [("--sprt", "0,5"), ("--until", "0.95")])
def test_undecided_sequential_test_is_no_success(c4_referee, test):
    """All games are played, so the match is complete, but the exit code is 1."""
    command = ("match", LIGHT, LIGHT, *test, "--games", "2", "--no-accuracy", *FAST)
    done = c4_referee(*command, "--json")
    assert json.loads(done.stdout)["complete"]
    assert done.returncode == 1


def test_bot_that_forfeits_all_games_is_to_be_checked(c4_referee, misbehaving, tmp_path):
    """There is no Elo difference and no accuracy, and the first hint checks this bot."""
    bot = f"{misbehaving('column_7')} '$HOME \"'"
    done = c4_referee("match", LIGHT, bot, "--games", "2", "--out", str(tmp_path / "out"), *FAST)
    shown = done.stdout.decode()
    assert "forfeited all 2 games" in " ".join(shown.split())
    assert "Elo" not in shown
    assert "judged" not in shown
    words = shlex.split(shown.partition("Next (")[2].splitlines()[1])
    assert words[:3] == ["c4-referee", "check", bot]


def test_every_event_is_told(c4_referee, tmp_path):
    """--events writes all events and --out the games, and the report agrees with both."""
    events = tmp_path / "events.jsonl"
    done = c4_referee("match", LIGHT, LIGHT, "--games", "3", "--json",
                      "--events", str(events), "--out", str(tmp_path / "out"))  # fmt: skip
    told = [json.loads(line) for line in events.read_bytes().splitlines()]
    games = stored_games(tmp_path / "out")
    kinds = [event["event"] for event in told]
    assert kinds.count("game_started") == kinds.count("game_ended") == len(games) == 3
    assert kinds[-1] == "match_ended"
    assert told[-1]["report"] == json.loads(done.stdout)
    assert told[-1]["report"]["bots"] == [LIGHT, f"{LIGHT} (2)"]
    for game in games:
        moves = [
            event for event in told if event["event"] == "move" and event["game"] == game["game"]
        ]
        assert "".join(str(event["move"] + 1) for event in moves) == game["moves"]
        assert [event["ply"] for event in moves] == list(range(len(moves)))
        assert len(game["ms"]) == len(moves)
