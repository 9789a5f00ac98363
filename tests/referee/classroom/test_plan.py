"""How many games fit into the time of a run."""

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.classroom.plan import MOVES, OVERHEAD, Pace, game_seconds, plan_run
from c4_referee.classroom.settings import ClassSettings
from hypothesis import given
from hypothesis import strategies as st
from schedules import only

FAST, SLOW = Pace(0.05, 0.001), Pace(1.0, 1.0)


def test_game_has_two_starts_and_the_moves_of_both():
    """The mean duration follows from the paces of the bots."""
    assert game_seconds([SLOW, SLOW]) == pytest.approx(OVERHEAD + 2 + MOVES)
    assert game_seconds([FAST, SLOW]) == pytest.approx(OVERHEAD + 1.05 + MOVES * 0.5005)


def test_all_play_all_if_it_fits():
    """Forty fast bots play all their games."""
    plan = plan_run(ClassSettings(), [FAST] * 40, 2)
    assert (plan.system, plan.games) == ("round-robin", 40 * 39)
    assert plan.seconds < 30 * 60


def test_swiss_rounds_otherwise():
    """Forty slow bots play as many rounds as fit, at least one."""
    plan = plan_run(ClassSettings(), [SLOW] * 40, 2)
    assert plan.system == "swiss"
    assert plan.rounds == int(30 * 60 / (40 * game_seconds([SLOW]) / 2))
    assert plan.games == plan.rounds * 40
    assert plan_run(ClassSettings(minutes=0.1), [SLOW] * 40, 2).rounds == 1


@given(
    bots=st.lists(st.builds(Pace, st.floats(0, 12), st.floats(0, 2)), min_size=2, max_size=60),
    minutes=st.floats(0.1, 600),
    at_once=st.integers(1, 16),
)
def test_plan_keeps_to_the_minutes_or_is_one_round(bots, minutes, at_once):
    """The expected time is at most what was asked for, unless one round takes longer."""
    plan = plan_run(ClassSettings(minutes=minutes), bots, at_once)
    assert plan.seconds <= 60 * minutes * 1.000001 or plan.rounds == 1
    assert plan.games > 0


def test_system_of_the_settings_counts():
    """If the settings name a system, the minutes do not choose."""
    settings = ClassSettings(system="swiss", rounds=3, minutes=0.1)
    plan = plan_run(settings, [SLOW] * 11, 2)
    assert (plan.system, plan.rounds, plan.games) == ("swiss", 3, 3 * 10)
    plan = plan_run(ClassSettings(system="swiss"), [SLOW] * 11, 2)
    assert (plan.rounds, plan.games) == (None, 4 * 10)


@pytest.mark.parametrize(
    ("system", "rounds", "games", "may_grow"),
    [
        ("round-robin", 3, 270, False),
        ("double-round-robin", 2, 360, False),
        ("gauntlet", None, 18, False),
        ("ladder", None, 90, False),
        ("knockout", None, 18, True),
    ],
)
def test_system_says_how_many_games_it_plays(system, rounds, games, may_grow):
    """The number of games of ten bots is that of the system."""
    plan = plan_run(ClassSettings(system=system, rounds=rounds), [FAST] * 10, 2)
    assert (plan.games, plan.may_grow) == (games, may_grow)


def test_few_openings_end_a_ladder():
    """The openings of the class count."""
    plan = plan_run(ClassSettings(system="ladder"), [FAST] * 10, 2, only(4))
    assert plan.games == 2 * (5 + 4 + 5 + 4)


def test_impossible_system_is_refused():
    """A system that cannot play with these bots is refused before the run begins."""
    with pytest.raises(UsageError, match="a match is played by 2 bots"):
        plan_run(ClassSettings(system="match"), [FAST] * 10, 2)
