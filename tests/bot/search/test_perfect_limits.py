"""Moves of ``perfect`` if its limits end before the scores of all moves are found."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from c4_bot.contract import MIN_NODES, Limits, Result, Search, won
from c4_bot.search._root_moves import RootMoves
from c4_bot.search.perfect import _PerfectRun
from c4_bot.solve.score import Solution
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD

START = Position(STANDARD)
LAST = 6
"""Place of the move that the deepening search plays."""
UNKNOWN = Solution(-STANDARD.cells, STANDARD.cells)
LOST_SOON, LOST_LATER = -4, -3
"""Scores of moves of the first player. The later loss takes two plies more."""


@dataclass
class ScriptedOracle:
    """An oracle that knows given scores. All other scores are unknown."""

    score: Solution
    moves: dict[int, Solution]
    proves: bool = True
    nodes: int = 0
    asked: list[int] = field(default_factory=list)

    def limits_left(self, share: float = 1.0) -> Limits:
        """Return a limit of nodes, with which the search does not look for expected moves."""
        return Limits(nodes=MIN_NODES)

    def bounds_of_position(self, position: Position, limits: Limits | None = None) -> Solution:
        """Return the score of the position that is searched."""
        return self.score

    def bounds_of_moves(
        self, position: Position, limits: Limits | None = None
    ) -> Iterator[tuple[int, Solution]]:
        """Yield the scores of all moves of the first player."""
        return ((cell, self.bounds_of_move(position, cell)) for cell in position.moves)

    def bounds_of_move(
        self,
        position: Position,
        cell: int,
        wanted: tuple[int, int] | None = None,
        limits: Limits | None = None,
    ) -> Solution:
        """Return the score of a move of the first player."""
        return self.moves.get(cell, UNKNOWN) if position == START else UNKNOWN


class NoSearch:
    """A search that always plays the last move."""

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the last move of the position."""
        return Result(position.moves[-1])


def chosen(oracle: ScriptedOracle, ahead: Search | None = None) -> Result:
    """Return the result that is chosen on the empty board."""
    search = ahead or NoSearch()
    return _PerfectRun(START, oracle, search, search, share=0.5, score_only=False).choose()


def at_most(score: int) -> Solution:
    """Return the bounds of a move that is worth at most this."""
    return Solution(-STANDARD.cells, score)


def known(score: int) -> Solution:
    """Return the bounds of a known score."""
    return Solution(score, score)


LOST = dict.fromkeys(range(7), known(LOST_SOON))
"""All moves, by their place in the order in which the search examines them."""


@pytest.mark.parametrize(
    ("score", "bounds", "played", "exact"),
    [
        # refuted moves of a won position are left out
        (known(4), dict.fromkeys([0, 1, 2, LAST], at_most(3)), 3, False),
        # refuted moves of a drawn position are left out
        (known(0), dict.fromkeys([0, 1, 2, LAST], at_most(-1)), 3, False),
        # nothing is known of the moves of a won position
        (known(4), {}, LAST, False),
        # nothing is known of the moves of a drawn position
        (known(0), {}, LAST, False),
        # a move of which nothing is known is better than a loss
        (UNKNOWN, LOST | {5: UNKNOWN}, 5, False),
        # all moves lose: the search plays
        (UNKNOWN, LOST | {5: known(LOST_LATER)}, LAST, True),
        # nothing is known
        (UNKNOWN, {}, LAST, False),
        # the move of the deepening search is refuted
        (UNKNOWN, {LAST: at_most(-1)}, 0, False),
        # a move is proven to keep the score
        (known(4), {4: known(4)}, 4, True),
    ],
)
def test_move_is_the_best_that_is_known(score, bounds, played, exact):
    """Proven moves come first, then those that may keep the score, by the deepening search."""
    scores = {START.moves[place]: bound for place, bound in bounds.items()}
    found = chosen(ScriptedOracle(score, scores))
    assert (START.moves.index(found.cell), found.exact) == (played, exact)
    assert ("by which move is not proven" in found.reason) == (score.exact and not exact)


@pytest.mark.parametrize(
    ("result", "bounds"),
    [
        (Result(0, won(9), exact=True), Solution(17, 17)),
        (Result(0, -won(10), exact=True), Solution(-17, -17)),
        (Result(0, won(9)), Solution(17, 42)),
        (Result(0, -won(10)), Solution(-42, -17)),
        (Result(0, 0, exact=True), Solution(0, 0)),
        (Result(0, 5), UNKNOWN),
    ],
)
def test_forced_results_of_another_search_are_used(result, bounds):
    """A forced win bounds the score of its move from below, a forced loss from above."""
    root = RootMoves(START, ScriptedOracle(UNKNOWN, {}))
    root.learn(result)
    assert root.bounds[0] == bounds
    assert root.whole == (bounds if result.exact else UNKNOWN)


def test_proof_of_the_position_is_the_proof_of_a_move():
    """A question about the position ends with the first move that answers it."""
    oracle = ScriptedOracle(
        UNKNOWN, {START.moves[2]: Solution(3, 3), START.moves[4]: Solution(3, 3)}
    )
    root = RootMoves(START, oracle)
    oracle.moves |= dict.fromkeys({*START.moves} - {*oracle.moves}, Solution(-4, -4))
    root.find_outcome(1, first=1)
    assert root.low == 3
    assert root.bounds[START.moves[3]] == UNKNOWN
