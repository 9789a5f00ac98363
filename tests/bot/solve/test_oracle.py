"""Limits of a search: what its questions to the solver have used, and what is left."""

import time
from dataclasses import dataclass, field

import pytest
from c4_bot.contract import MIN_NODES, Limits
from c4_bot.solve.oracle import Oracle
from c4_bot.solve.score import Solution
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD

START = Position(STANDARD)
CELL = START.moves[0]


@dataclass
class CountingSolver:
    """A solver that records the limits of each question, and reports 30 nodes for each."""

    is_native: bool = True
    given: list[Limits] = field(default_factory=list)
    wanted: tuple[int, int] | None = None

    def solve(self, position: Position, limits: Limits) -> Solution:
        """Return an unknown score."""
        self.given.append(limits)
        return Solution(-1, 1, 30)

    def solve_move(
        self, position: Position, cell: int, limits: Limits, wanted: tuple[int, int] | None
    ) -> Solution:
        """Return an unknown score."""
        self.wanted = wanted
        return self.solve(position, limits)


@pytest.fixture
def solver() -> CountingSolver:
    """Return a solver that has not been asked yet."""
    return CountingSolver()


def test_all_questions_share_the_nodes(solver):
    """Nodes of all questions, and nodes that others spend, are subtracted from the limit."""
    oracle = Oracle(solver, Limits(nodes=1000))
    oracle.bounds_of_position(START)
    oracle.bounds_of_move(START, CELL, (0, 1))
    oracle.nodes += 40
    assert oracle.nodes == 100
    assert oracle.limits_left() == Limits(nodes=900)
    assert [limits.nodes for limits in solver.given] == [1000, 970]
    assert solver.wanted == (0, 1)


def test_share_counts_from_the_beginning():
    """A share of the limit counts from the beginning, and includes nodes that others spent."""
    oracle = Oracle(CountingSolver(), Limits(nodes=1000))
    assert oracle.limits_left(0.5).nodes == 500
    oracle.nodes += 400
    assert oracle.limits_left(0.5).nodes == 100
    oracle.nodes += 400
    assert oracle.limits_left(0.5).nodes == 0


def test_share_of_the_time_counts_from_the_start():
    """The deadline of a share lies between the start and the final deadline."""
    before = time.monotonic()
    oracle = Oracle(CountingSolver(), Limits(deadline=before + 1000))
    after = time.monotonic()
    middle = oracle.limits_left(0.25).deadline
    assert before + 250 <= middle <= after + 0.25 * (before + 1000 - after)
    assert oracle.limits_left().deadline == pytest.approx(before + 1000)


def test_no_limits_stay_none(solver):
    """A search without limits asks its questions without limits."""
    oracle = Oracle(solver, Limits())
    oracle.bounds_of_position(START)
    assert oracle.limits_left(0.5) == Limits()
    assert solver.given == [Limits()]


@pytest.mark.parametrize(
    ("limits", "asked"),
    [
        (Limits(nodes=MIN_NODES), MIN_NODES),
        (Limits(nodes=MIN_NODES - 1), 0),
        (Limits(deadline=0.0), 0),
    ],
)
def test_solver_is_not_started_for_too_little(solver, limits, asked):
    """The solver is asked for no nodes if too few nodes or no time are left.

    It then returns only what is certain at once or known from the book.
    """
    Oracle(solver, limits).bounds_of_position(START)
    assert solver.given[0].nodes == asked


def test_solver_that_cannot_prove_is_asked_for_no_nodes():
    """A solver is asked for no nodes if the core does not support the variant."""
    solver = CountingSolver(is_native=False)
    oracle = Oracle(solver, Limits())
    assert not oracle.proves
    oracle.bounds_of_position(START)
    assert solver.given[0].nodes == 0


def test_question_may_have_tighter_limits(solver):
    """The limits of a question replace the limits that are left."""
    Oracle(solver, Limits(nodes=5000)).bounds_of_move(START, CELL, limits=Limits(nodes=200))
    assert solver.given == [Limits(nodes=200)]
