"""Time controls and the clock of a player: budgets, increments, and what a bot is sent."""

import pytest
from c4_protocol.program.errors import UsageError
from c4_protocol.records.messages import Clock
from c4_referee.bots.clock import MAX_TIME_MS, PlayerClock, TimeControl
from hypothesis import given
from hypothesis import strategies as st

MILLISECONDS = st.floats(0, 1e6)


@pytest.mark.parametrize(
    ("text", "times", "shown"),
    [("60+0.5", (60_000, 500), "60+0.5 s a game"), ("90", (90_000, 0), "90+0 s a game")],
)
def test_game_clock_is_parsed_in_seconds(text, times, shown):
    """``60+0.5`` is a minute for the game and half a second for each move."""
    control = TimeControl.parse(text)
    assert (control.main_ms, control.increment_ms) == times
    assert str(control) == shown


@pytest.mark.parametrize("text", ["", "a+1", "1+b", "1,5"])
def test_text_that_is_no_time_control_is_refused(text):
    """A text that is no time control is refused with the right form."""
    with pytest.raises(UsageError, match="say seconds\\+increment"):
        TimeControl.parse(text)


@pytest.mark.parametrize(
    "text", ["0", "-1+1", "nan", "1+-1", f"{MAX_TIME_MS / 1000}", f"1+{MAX_TIME_MS / 1000}", "inf"]
)
def test_time_control_without_time_or_end_is_refused(text):
    """Zero, negative and endless times are refused."""
    with pytest.raises(UsageError, match="leaves no time to play"):
        TimeControl.parse(text)


def test_longest_times_are_excluded():
    """Times just below the limit are accepted."""
    assert TimeControl.parse(f"{(MAX_TIME_MS - 1) / 1000}+{(MAX_TIME_MS - 1) / 1000}")


def test_first_move_may_have_a_time_of_its_own():
    """The first move may have its own time, which does not apply to later moves."""
    clock = PlayerClock(TimeControl(250.0, first_ms=3000.0))
    budgets = []
    for _ in range(3):
        budgets.append(clock.budget_ms)
        clock.spend(240.0)
    assert budgets == [3000.0, 250.0, 250.0]
    assert (clock.left_ms, str(TimeControl(250.0))) == (None, "250 ms a move")


@given(st.floats(1, 1e6), MILLISECONDS, st.lists(MILLISECONDS, max_size=20))
def test_clock_is_a_sum(main_ms, increment_ms, moves):
    """The clock follows from the times of all moves by addition, and is never below 0."""
    clock = PlayerClock(TimeControl(main_ms=main_ms, increment_ms=increment_ms))
    expected = main_ms
    for ms in moves:
        clock.spend(ms)
        expected = max(expected - ms, 0.0) + increment_ms
    assert clock.left_ms == clock.budget_ms == pytest.approx(expected)


def test_bot_is_sent_its_clock_and_increment():
    """A bot is sent its clock and increment, or else the milliseconds for the move."""
    clock = PlayerClock(TimeControl(main_ms=1000.0, increment_ms=50.0))
    clock.spend(100.0)
    assert clock.question_time == Clock(950.0, 50.0)
    assert PlayerClock(TimeControl(20.0, first_ms=70.0)).question_time == 70.0


def test_control_of_moves_keeps_only_the_time_to_start():
    """A bot with its own time for each move keeps only the start-up time of a control."""
    control = TimeControl(main_ms=1.0, increment_ms=2.0, first_ms=3.0, startup_ms=4.0)
    assert control.with_move_time(5.0) == TimeControl(5.0, None, 0.0, None, 4.0)
