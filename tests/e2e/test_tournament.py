"""``c4-referee tournament`` as the organiser of a course uses it."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from commands import SCRIPTS
from effort import one_in, sampled
from stored import count_results, stored_games, wait_for_results

PROGRAM = Path(__file__).parent.parent / "bots" / "misbehaving.py"
SMALL = (
    'variant = "4x4"\nopenings = "random:2"\naccuracy = false\ngive_up = 0\nconcurrency = 1\n'
    "time_ms = 60000\n"
)
"""Settings for games that take little time."""


def bot(name: str, kind: str, program: Path = PROGRAM) -> str:
    """Return the table of a bot of ``tests/bots/misbehaving.py``.

    The environment contains the name, so that every name is a different bot.
    """
    command = json.dumps([sys.executable, "-S", "-E", str(program), kind])
    return f'[bots.{name}]\ncommand = {command}\nenv = {{ NAME = "{name}" }}\n'


ALPHA, BETA, GAMMA = bot("alpha", "good"), bot("beta", "column_7"), bot("gamma", "full_column")
DELTA, EPSILON = bot("delta", "exits_later"), bot("epsilon", "good")


@pytest.fixture
def play(c4_referee, tmp_path):
    """Return a function that plays a tournament's file.

    It returns the report and the finished process.
    """

    def run(text: str, *arguments: str):
        path = tmp_path / "class.toml"
        path.write_text(text, encoding="utf-8")
        done = c4_referee("tournament", str(path), "--json", *arguments)
        return json.loads(done.stdout or b"null"), done

    return run


def course(game: dict) -> tuple[str, ...]:
    """Return the fields of a game by which games are compared."""
    return game["first"], game["second"], game["opening"], game["moves"], game["ending"]


def test_everybody_meets_everybody(play, tmp_path):
    """Every two bots meet with both colours after the same opening, and faults lose games."""
    report, done = play(SMALL + ALPHA + BETA + GAMMA)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (report["complete"], report["scheduled"], report["system"]) == (True, 6, "round-robin")
    found = {row["bot"]: row for row in report["standings"]["bots"]}
    assert {name: row["games"] for name, row in found.items()} == dict.fromkeys(
        ("alpha", "beta", "gamma"), 4
    )
    assert (found["alpha"]["rank"], found["alpha"]["points"]) == (1, 4)
    assert found["beta"]["forfeits"]["illegal move"] >= 2
    assert found["alpha"]["against"]["beta"]["wins"] == 2
    low, high = found["alpha"]["rating_low"], found["alpha"]["rating_high"]
    assert low < found["alpha"]["rating"] < high
    kept = stored_games(tmp_path / "class")
    assert len(kept) == 6
    assert len({game["opening"] for game in kept}) == 1


def test_tournament_goes_on_after_a_mistake_in_the_table_of_our_own_bot(play, tmp_path):
    """Results before the mistake are stored. After its correction, they are not played again."""
    text = f'system = "gauntlet"\n{SMALL}{ALPHA}{BETA}[bots.ours]\ncommand = "c4-bot --plays %s"\n'
    report, done = play(text % "blocker", "--concurrency", "1")
    assert done.stderr == (
        b"c4-referee: bot 'ours': c4-bot: player 'blocker' plays only games without gravity\n"
    )
    assert (done.returncode, report) == (2, None)
    assert count_results(tmp_path / "class") == 2
    report, done = play(text % "random")
    assert (done.returncode, report["scheduled"]) == (0, 4)
    pairs = [(game["first"], game["second"]) for game in stored_games(tmp_path / "class")]
    assert {*pairs[:2]} == {("alpha", "beta"), ("beta", "alpha")}
    assert len({*pairs}) == 4


@pytest.mark.parametrize("number", sampled([signal.SIGINT, signal.SIGKILL], [signal.SIGKILL]))
def test_stopped_tournament_goes_on(tmp_path, number):
    """A tournament that is interrupted or killed continues, and plays each game once."""
    path = tmp_path / "class.toml"
    small = SMALL.replace("random:2", "random:4")
    path.write_text(f'system = "swiss"\npairs = 2\n{small}{ALPHA}{BETA}{GAMMA}{DELTA}{EPSILON}')
    command = [SCRIPTS / "c4-referee", "tournament", path, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as referee:
        wait_for_results(tmp_path / "class")
        referee.send_signal(number)
        said, _ = referee.communicate(timeout=300)
    before = stored_games(tmp_path / "class") if number == signal.SIGINT else []
    assert referee.returncode not in {0, None}
    if number == signal.SIGINT:
        assert json.loads(said)["complete"] is False
    done = subprocess.run(command, capture_output=True, check=True)
    report = json.loads(done.stdout)
    kept = stored_games(tmp_path / "class")
    assert kept[: len(before)] == before
    assert len(before) < len(kept) == report["scheduled"] == 3 * 2 * 4
    assert sorted(game["game"] for game in kept) == list(range(1, len(kept) + 1))


def test_bots_come_and_go(play, tmp_path):
    """A bot that is added plays its games. A bot that is removed takes its games with it."""
    play(SMALL + ALPHA + BETA)
    first = stored_games(tmp_path / "class")
    report, _ = play(SMALL + ALPHA + BETA + GAMMA)
    assert report["standings"]["games"] == 6
    assert stored_games(tmp_path / "class")[:2] == first
    report, _ = play(SMALL + GAMMA + ALPHA)
    assert {row["bot"]: row["games"] for row in report["standings"]["bots"]} == {
        "alpha": 2,
        "gamma": 2,
    }
    assert len(stored_games(tmp_path / "class")) == 6
    report, _ = play(SMALL + 'enter = ["beta", "alpha"]\n' + ALPHA + BETA + GAMMA)
    assert report["standings"]["games"] == 2
    assert len(stored_games(tmp_path / "class")) == 6


@pytest.mark.parametrize(
    ("key", "options", "is_barred"),
    one_in(3, [("strict = true\n", [], True), ("", [], False), ("", ["--strict"], True)]),
)
def test_bot_that_stops_its_workers_is_named_and_barred_if_strict(play, key, options, is_barred):
    """The report names the bot. With ``strict``, it forfeits its games, and all others count."""
    bots = bot("alpha", "good") + bot("killer", "kills_its_worker") + bot("epsilon", "good")
    report, done = play(SMALL + key + bots, "--concurrency", "1", *options)
    assert (report["complete"], done.returncode) == (is_barred, 0 if is_barred else 1)
    assert report["incidents"]["suspects"] == ["killer"]
    assert report["incidents"]["lost_games"] >= 5
    forfeits = [(record["fault"], record["games"], record["unplayed"])
                for records in report["forfeits"].values() for record in records]  # fmt: skip
    assert forfeits == ([("stopped its workers", 4, 4)] if is_barred else [])
    assert list(report["forfeits"]) == (["killer"] if is_barred else [])
