"""The share of the limits that the solver gets."""

import math
import time
from dataclasses import dataclass, field

import pytest
from c4_bot.contract import Limits, Result
from c4_bot.evaluate.zugzwang import Zugzwang
from c4_bot.search._shares import (
    MIN_HOPE,
    NODES_PER_SECOND,
    expected_nodes,
    hope_of_proof,
    nodes_within,
)
from c4_bot.search.perfect import Perfect
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant

LARGE = Variant(10, 8, 5)
LATE = position_from_moves("561754266253663526157572", STANDARD)


@dataclass
class Listener:
    """A search that remembers the limits that it got, and plays the first move."""

    heard: list[Limits] = field(default_factory=list)

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the first move of the position."""
        self.heard.append(limits)
        return Result(position.moves[0], nodes=1)


def nodes_for_deepening(position: Position, nodes: int) -> int:
    """Return how many nodes the deepening search gets of ``nodes``."""
    search = Perfect(Zugzwang(), book=False)
    search._ahead = listener = Listener()
    search.search(position, Limits(nodes=nodes))
    return listener.heard[0].nodes or 0


def test_unlimited_searches_may_prove() -> None:
    """Without limits of time and nodes, the solver gets its whole share."""
    assert hope_of_proof(Position(LARGE), Limits()) == 1
    assert nodes_within(Limits(depth=3)) == math.inf


def test_hope_grows_with_the_limits() -> None:
    """The share grows with the nodes, from nothing to all of it."""
    needed = int(expected_nodes(Position(STANDARD)))
    hopes = [hope_of_proof(Position(STANDARD), Limits(nodes=needed // n)) for n in (1, 100, 10**6)]
    assert hopes[0] == 1
    assert MIN_HOPE < hopes[1] < 1
    assert hopes[2] == 0


def test_hope_grows_towards_the_end() -> None:
    """The same limits are worth more when fewer cells are free."""
    limits = Limits(nodes=1000)
    assert hope_of_proof(Position(STANDARD), limits) == 0
    assert hope_of_proof(LATE, limits) == 1


def test_time_counts_as_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deadline limits the nodes by the speed of all threads. A passed deadline leaves none."""
    monkeypatch.setattr(time, "monotonic", lambda: 900.0)
    assert nodes_within(Limits(deadline=1000.0, threads=2)) == 200 * NODES_PER_SECOND
    assert nodes_within(Limits(nodes=5, deadline=1000.0)) == 5
    assert nodes_within(Limits(deadline=899.0)) == 0


def test_hopeless_proofs_leave_all_nodes_to_the_deepening_search() -> None:
    """On a large board the solver is not asked; near the end it is."""
    pytest.importorskip("c4_bot._core")
    assert nodes_for_deepening(Position(LARGE), 10_000) == 10_000
    assert not hope_of_proof(Position(LARGE), Limits(nodes=10_000))
    middle = position_from_moves("4444", STANDARD)
    assert 0 < nodes_for_deepening(middle, 20_000) < 20_000
