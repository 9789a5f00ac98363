"""Deadline of an answer: reserves, shares of a game clock, the tightest of several limits."""

from dataclasses import replace

import pytest
from c4_bot.clock import MOVES_AHEAD, RESERVE_MS, RESERVE_SHARE, deadline
from c4_protocol.messages import Clock, Precept
from c4_protocol.position import Position
from c4_protocol.variant import STANDARD, Variant
from hypothesis import given
from hypothesis import strategies as st

ARRIVED = 1000.0
MILLISECONDS = st.floats(0, 1e7)


def allowed_ms(
    user_ms: float | None = None,
    time_ms: float | None = None,
    clock: Clock | None = None,
    position: Position | None = None,
) -> float:
    """Return the milliseconds from the arrival of a precept to the deadline."""
    position = position or Position(STANDARD)
    precept = replace(Precept.of(position), time_ms=time_ms, clock=clock)
    found = deadline(precept, position, ARRIVED, user_ms)
    assert found is not None
    return (found - ARRIVED) * 1000


def after_reserves(budget: float) -> float:
    """Return a budget minus the two reserves, as their definition says."""
    return pytest.approx(max(0.0, budget - RESERVE_MS - RESERVE_SHARE * budget), abs=1e-6)


def position_at(ply: int, variant: Variant = STANDARD) -> Position:
    """Return a position with ``ply`` stones. The game may be over in it."""
    position = Position(variant)
    for _ in range(ply):
        position = position.play(position.moves[0])
    return position


def test_no_limit_is_no_deadline():
    """There is no deadline if neither the user nor the precept limits the time."""
    assert deadline(Precept.of(Position(STANDARD)), Position(STANDARD), ARRIVED, None) is None


@pytest.mark.parametrize("limit", ["user_ms", "time_ms"])
def test_both_reserves_are_kept_back(limit):
    """Ten milliseconds and a tenth of the budget are reserved, as documented.

    890 of 1000 ms remain.
    """
    assert (RESERVE_MS, RESERVE_SHARE) == (10.0, 0.1)
    assert allowed_ms(**{limit: 1000.0}) == pytest.approx(890.0)
    assert allowed_ms(**{limit: 100.0}) == pytest.approx(80.0)


@pytest.mark.parametrize("budget", [0.0, 5.0, 11.0])
def test_budget_that_the_reserves_use_up_leaves_nothing(budget):
    """A budget smaller than the reserves puts the deadline at the arrival of the precept."""
    assert allowed_ms(user_ms=budget) == pytest.approx(0.0)


@given(MILLISECONDS, MILLISECONDS, MILLISECONDS)
def test_tightest_of_several_limits_holds(user_ms, time_ms, remaining_ms):
    """The smallest of three budgets holds: the user's, the precept's and the share of the clock."""
    clock = Clock(remaining_ms=remaining_ms)
    share = remaining_ms / MOVES_AHEAD
    budget = min(user_ms, time_ms, share)
    assert allowed_ms(user_ms, time_ms, clock) == after_reserves(budget)


def test_game_clock_is_divided_among_at_most_twenty_moves():
    """On the empty board, 21 own moves are still to come, but the clock is divided by 20."""
    assert MOVES_AHEAD == 20
    assert allowed_ms(clock=Clock(remaining_ms=60_000.0)) == after_reserves(3_000.0)


@pytest.mark.parametrize(("ply", "own_moves"), [(2, 20), (4, 19), (5, 19), (40, 1), (41, 1)])
def test_game_clock_is_divided_among_the_own_moves_to_come(ply, own_moves):
    """Late in the game the clock is divided by the number of own moves that are still possible."""
    position = position_at(ply)
    allowed = allowed_ms(clock=Clock(remaining_ms=60_000.0), position=position)
    assert allowed == after_reserves(60_000.0 / own_moves)


def test_increment_is_added_to_the_share():
    """The budget is a twentieth of the clock plus the whole increment."""
    clock = Clock(remaining_ms=60_000.0, increment_ms=500.0)
    assert allowed_ms(clock=clock) == after_reserves(3_500.0)


@given(MILLISECONDS, MILLISECONDS, st.sampled_from([0, 1, 20, 41]))
def test_share_is_never_more_than_the_clock(remaining_ms, increment_ms, ply):
    """The budget is at most the clock, because the increment is added only after the move."""
    clock = Clock(remaining_ms=remaining_ms, increment_ms=increment_ms)
    allowed = allowed_ms(clock=clock, position=position_at(ply))
    assert 0 <= allowed <= remaining_ms
