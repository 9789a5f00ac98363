"""Wrong settings of a run: none of them spoils the runs after it."""

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.classroom.bots_file import BotsFile
from c4_referee.classroom.play import contest_of, play, run_to_play
from c4_referee.classroom.runs import Runs
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.students import Register


def begin(folder, player="random", bots=("one", "two"), **conditions):
    """Begin a run of bots of the staff."""
    staff = dict.fromkeys(bots, f"c4-bot --plays {player}")
    settings = ClassSettings(staff=staff, **conditions)
    register = Register(folder)
    return run_to_play(register, BotsFile(folder), settings, Runs(folder), sandboxed=False)


@pytest.mark.parametrize("openings", ["no-such-file", "random:99", "random:x"])
def test_run_with_wrong_openings_does_not_begin(tmp_path, openings):
    """A run keeps its settings, so it would fail in every night."""
    with pytest.raises(UsageError, match="openings"):
        begin(tmp_path, openings=openings)
    assert Runs(tmp_path).open_one() is None
    assert begin(tmp_path, openings="random:4") is not None


def test_run_with_an_impossible_system_does_not_begin(tmp_path):
    """A match of three bots is refused before the run has a folder."""
    with pytest.raises(UsageError, match="a match is played by 2 bots"):
        begin(tmp_path, bots="abc", system="match")
    assert Runs(tmp_path).open_one() is None


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        ({}, "5 bots, round-robin, 20 games, about "),
        ({"minutes": 0.01}, "5 bots, 1 round of swiss, 4 games, about "),
        ({"system": "gauntlet"}, "5 bots, gauntlet, 8 games, about "),
        ({"system": "knockout", "openings": "balanced:4"}, "5 bots, knockout, at least 8 games, "),
    ],
)
def test_run_announces_its_games(tmp_path, conditions, said):
    """The line says the system, the number of games and the time. No opening is solved for it."""
    assert begin(tmp_path, bots="abcde", **conditions).plan.startswith(said)


def test_first_bot_of_the_staff_has_the_rating_zero(tmp_path):
    """The contest stores it, so that pages of a run and of the class have the same ratings."""
    run = begin(tmp_path, openings="random:4", variant="5x4")
    runs = Runs(tmp_path)
    assert contest_of(run, runs).identity["anchor"] == run.anchor == "one"
    play(run, runs)
    assert {row.name: row.rating for row in run.rows}["one"] == 0


def test_run_that_cannot_be_played_says_what_to_remove(tmp_path):
    """Without this folder, the next command begins a new run with the corrected settings."""
    run = begin(tmp_path, player="nonsense")
    with pytest.raises(UsageError, match=rf"nonsense.* remove {tmp_path}/runs/{run.name},"):
        play(run, Runs(tmp_path))
