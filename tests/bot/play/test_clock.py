"""Deadline of an answer: reserves, shares of a game clock, the tightest of several limits."""

import copy
import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

import pytest
from c4_bot.play.clock import (
    BUSY_DELAY_MS,
    CELLS_PER_MS,
    DELAY_DECAY,
    MAX_MOVES_AHEAD,
    MIN_SEARCH_MS,
    RESERVED_MS,
    RESERVED_SHARE,
    Reserve,
    Scheduler,
    Waits,
    budget_ms,
)
from c4_protocol.records.messages import Clock, Precept
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant
from hypothesis import given
from hypothesis import strategies as st

ARRIVED = 1000.0
MILLISECONDS = st.floats(0, 1e7)


class Machine:
    """A machine with a clock of its own, and the waits of the one thread that it runs."""

    def __init__(self) -> None:
        self.now = ARRIVED
        self.seconds = 0.0
        self.turns = 0

    def waits(self) -> Waits:
        """Return all waits until now."""
        return Waits(self.seconds, self.turns)

    def work(self, ms: float) -> None:
        """Let the thread run."""
        self.now += ms / 1000

    def wait(self, ms: float) -> None:
        """Let the thread wait for its next turn."""
        self.now += ms / 1000
        self.seconds += ms / 1000
        self.turns += 1


@contextmanager
def machine() -> Iterator[Machine]:
    """Replace the clock by that of a machine."""
    made = Machine()
    with patch("c4_bot.play.clock.time.monotonic", lambda: made.now):
        yield made


def reserve_of(made: Machine) -> Reserve:
    """Return the reserve of a bot on this machine."""
    return Reserve(made)  # type: ignore[arg-type]


def allowed_ms(
    user_ms: float | None = None,
    time_ms: float | None = None,
    clock: Clock | None = None,
    position: Position | None = None,
) -> float | None:
    """Return the milliseconds that a move may take."""
    position = position or Position(STANDARD)
    precept = replace(Precept.of(position), time_ms=time_ms, clock=clock)
    return budget_ms(precept, position, user_ms)


def position_at(ply: int, variant: Variant = STANDARD) -> Position:
    """Return a position with ``ply`` stones. The game may be over in it."""
    position = Position(variant)
    for _ in range(ply):
        position = position.play(position.moves[0])
    return position


def test_no_limit_is_no_deadline():
    """There is no deadline if neither the user nor the precept limits the time."""
    position = Position(STANDARD)
    assert Reserve().deadline(Precept.of(position), position, ARRIVED, None) is None


@pytest.mark.parametrize(("budget", "least"), [(10.0, 2.0), (20.0, 5.0), (1000.0, 900.0)])
def test_quiet_machine_leaves_most_of_a_budget(budget, least):
    """Where answers are a millisecond late, 2 of 10 ms remain for the search, and 5 of 20."""
    with machine() as made:
        reserve = reserve_of(made)
        for _ in range(100):
            reserve.answered(made.now - 0.001)
        assert reserve.usable_ms(budget, 42) >= least


@pytest.mark.parametrize("variant", [STANDARD, Variant(16, 16)], ids=str)
def test_reserve_is_the_sum_of_its_parts(variant):
    """Kept are a fixed time, a share of the budget, time for a large board, and the delay."""
    with machine() as made:
        reserve = reserve_of(made)
        reserve.answered(made.now - 0.007)
        found = reserve.deadline(Precept.of(Position(variant)), Position(variant), made.now, 400.0)
        kept = RESERVED_MS + RESERVED_SHARE * 400 + variant.cells / CELLS_PER_MS + 7
        assert found == pytest.approx(made.now + (400 - kept) / 1000, rel=0, abs=1e-9)


@given(MILLISECONDS, MILLISECONDS)
def test_search_has_a_part_of_the_budget(budget, delay):
    """No delay makes the time negative, and no search gets the time to write its answer."""
    usable = Reserve(delay_ms=delay).usable_ms(budget, 42)
    assert 0 <= usable <= max(budget - RESERVED_MS, 0)
    assert usable >= min(MIN_SEARCH_MS, max(budget - RESERVED_MS, 0))


@given(st.lists(st.floats(0, 200), min_size=1))
def test_longest_lateness_is_kept_and_slowly_forgotten(late):
    """The reserve grows by the longest delay at once, and shrinks by a fraction an answer."""
    with machine() as made:
        reserve = reserve_of(made)
        for ms in late:
            reserve.answered(made.now - ms / 1000)
    old = [ms * DELAY_DECAY ** (len(late) - 1 - i) for i, ms in enumerate(late)]
    assert reserve.delay_ms == pytest.approx(max(old), abs=1e-6)


@given(st.floats(1, 60), st.integers(1, 20))
def test_waits_count_before_any_answer_is_late(wait, turns):
    """A bot that had to wait for its turns keeps a reserve, although its answers were in time."""
    with machine() as made:
        reserve = reserve_of(made)
        for _ in range(turns):
            made.work(4)
            made.wait(wait)
        reserve.answered(made.now + 1)
    assert reserve.delay_ms == pytest.approx(2 * wait)
    assert reserve.is_busy == (reserve.delay_ms > BUSY_DELAY_MS)


@given(st.floats(1, 60), st.integers(1, 30))
def test_a_wait_counts_once(wait, answers):
    """A wait is a delay of one answer, and is forgotten slowly. That of the start is known."""
    with machine() as made:
        reserve = reserve_of(made)
        made.wait(wait)
        assert reserve_of(made).delay_ms == pytest.approx(2 * wait)
        for _ in range(answers):
            reserve.answered(None)
    assert reserve.delay_ms == pytest.approx(2 * wait * DELAY_DECAY ** (answers - 1))


@given(st.floats(0, 60), st.floats(0, 60), st.floats(0, 60))
def test_line_had_arrived_before_its_reader_ran(before, asleep, wait):
    """Only waiting for a turn after the line came counts, not waiting for the line or before."""
    with machine() as made:
        reserve = reserve_of(made)
        made.wait(before)
        reserve.before_read()
        made.work(asleep)
        arrived = made.now
        made.wait(wait)
        assert reserve.line_arrived() == pytest.approx(arrived)
        made.wait(wait)
        assert reserve.line_arrived() == made.now  # a second line of the same reading


@given(
    st.lists(st.tuples(st.floats(0, 50), st.floats(0, 5)), min_size=1, max_size=30),
    st.floats(30, 1000),
)
def test_no_answer_is_late_that_waits_at_most_half_the_longest_wait(waits, budget):
    """After one late answer, no wait at the end of a search makes one of the next 30 late.

    The first number of each pair is the wait before the line is read, the second one the wait at
    the end of the search.
    """
    with machine() as made:
        reserve = reserve_of(made)
        reserve.answered(made.now - 0.010)
        for before, at_end in waits:
            reserve.before_read()
            asked = made.now
            made.wait(before)
            until = reserve.line_arrived() + reserve.usable_ms(budget, 42) / 1000
            made.now = max(made.now, until)
            made.wait(at_end)
            reserve.answered(until)
            allowed = max(budget / 1000, before + at_end)
            assert made.now <= asked + allowed + 1e-9


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
)
def test_copies_measure_by_themselves(copied):
    """A copy that is deleted does not close the file of the original."""
    scheduler = Scheduler()
    before = copied(scheduler).waits()
    assert scheduler.waits().since(before).turns >= 0


@pytest.mark.linux
def test_scheduler_reads_the_waits_of_its_thread(tmp_path):
    """Of the three numbers of the file, the second are nanoseconds of waits, the third turns."""
    path = tmp_path / "schedstat"
    path.write_text("900000000 2500000000 7\n", encoding="ascii")
    descriptor = os.open(path, os.O_RDONLY)
    with patch("c4_bot.play.clock.os.open", return_value=descriptor) as opened:
        scheduler = Scheduler()
    assert opened.call_args.args[0] == "/proc/thread-self/schedstat"
    assert scheduler.waits() == Waits(2.5, 7)
    del scheduler
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


def test_system_without_the_measurement_has_no_waits():
    """Where the file does not exist, only late answers are seen."""
    with patch("c4_bot.play.clock.os.open", side_effect=FileNotFoundError):
        scheduler = Scheduler()
    assert scheduler.waits() == Waits(0.0, 0)


@given(*[MILLISECONDS] * 3)
def test_tightest_of_several_limits_holds(user_ms, time_ms, remaining_ms):
    """The smallest of three budgets holds: the user's, the precept's and the share of the clock."""
    budget = min(user_ms, time_ms, remaining_ms / MAX_MOVES_AHEAD)
    assert allowed_ms(user_ms, time_ms, Clock(remaining_ms)) == budget


@pytest.mark.parametrize("increment", [0.0, 500.0])
@pytest.mark.parametrize(
    ("ply", "own_moves"), [(0, 20), (2, 20), (4, 19), (5, 19), (40, 1), (41, 1)]
)
def test_game_clock_is_divided_among_the_own_moves_to_come(ply, own_moves, increment):
    """A clock is divided by the own moves that are possible, or 20; the increment is added."""
    clock = Clock(remaining_ms=60_000.0, increment_ms=increment)
    allowed = allowed_ms(clock=clock, position=position_at(ply))
    assert allowed == min(60_000.0, 60_000.0 / own_moves + increment)
