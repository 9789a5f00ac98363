"""Moves of ``perfect`` if its limits end before the scores of all moves are found."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from c4_bot.contract import MIN_NODES, Limits, Result, Search, is_proven, won
from c4_bot.search._root_moves import RootMoves
from c4_bot.search.perfect import ERRORS_WORTH_A_MOVE, _PerfectRun
from c4_bot.solve.score import Solution, last_ply
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD

START = Position(STANDARD)
UNKNOWN = Solution(-STANDARD.cells, STANDARD.cells)
LOST_SOON, LOST_LATER = -4, -3
"""Scores of moves of the first player. The later loss takes two plies more."""


@dataclass
class ScriptedOracle:
    """An oracle that knows given scores, and a number of replies. All other scores are unknown."""

    score: Solution
    moves: dict[int, Solution]
    replies: int = 0
    proves: bool = True
    nodes: int = 0
    asked: list[int] = field(default_factory=list)

    def limits_left(self, share: float = 1.0) -> Limits:
        """Return a limit of nodes, with which the search does not look for expected moves."""
        return Limits(nodes=MIN_NODES)

    def add_nodes(self, nodes: int) -> None:
        """Do nothing."""

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
        """Return the score of a move of the first player.

        A reply is scored as not winning while ``replies`` are left, and as unknown after that.
        """
        if position == START:
            return self.moves.get(cell, UNKNOWN)
        self.replies -= 1
        return Solution(-STANDARD.cells, 0) if self.replies >= 0 else UNKNOWN


class NoSearch:
    """A search that always plays the last move."""

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the last move of the position."""
        return Result(position.moves[-1])


def chosen(oracle: ScriptedOracle, ahead: Search | None = None) -> Result:
    """Return the result that is chosen on the empty board."""
    return _PerfectRun(START, oracle, ahead or NoSearch(), share=0.5, score_only=False).choose()


@pytest.fixture
def moves() -> list[int]:
    """Return the moves in the order in which the search examines them."""
    from c4_bot.contract import urgent_first

    return urgent_first(START)


@pytest.mark.parametrize("score", [4, 0], ids=["won", "drawn"])
def test_refuted_moves_are_left_out(moves, score):
    """If no move is proven to keep the score, the first move that may keep it is played."""
    worse = Solution(-STANDARD.cells, score - 1)
    refuted = dict.fromkeys([START.moves[-1], *moves[:3]], worse)
    found = chosen(ScriptedOracle(Solution(score, score), refuted))
    assert found.cell == moves[3]
    assert not found.exact
    assert "by which move is not proven" in found.reason


@pytest.mark.parametrize("score", [4, 0], ids=["won", "drawn"])
def test_unproven_moves_are_ranked_by_the_deepening_search(score):
    """If nothing is known of the moves, the move of the deepening search is played."""
    assert chosen(ScriptedOracle(Solution(score, score), {})).cell == START.moves[-1]


def test_move_that_loses_is_played_only_if_all_lose(moves):
    """A move that is proven to lose is not played while nothing is known of another."""
    lost = dict.fromkeys(moves, Solution(-4, -4))
    lost[moves[5]] = UNKNOWN
    assert chosen(ScriptedOracle(UNKNOWN, lost)).cell == moves[5]
    lost[moves[5]] = Solution(-3, -3)
    found = chosen(ScriptedOracle(UNKNOWN, lost))
    assert is_proven(found.score)
    assert found.score < 0


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
    ids=["win", "loss", "some win", "some loss", "draw", "evaluation"],
)
def test_forced_results_of_another_search_are_used(result, bounds):
    """A forced win bounds the score of its move from below, a forced loss from above."""
    root = RootMoves(START, ScriptedOracle(UNKNOWN, {}))
    root.learn(result)
    assert root.bounds[0] == bounds
    assert root.whole == (bounds if result.exact else UNKNOWN)


def test_proof_of_the_position_is_the_proof_of_a_move(moves):
    """A question about the position ends with the first move that answers it."""
    oracle = ScriptedOracle(UNKNOWN, {moves[2]: Solution(3, 3), moves[4]: Solution(3, 3)})
    root = RootMoves(START, oracle)
    oracle.moves |= dict.fromkeys({*moves} - {*oracle.moves}, Solution(-4, -4))
    root.find_outcome(1, first=1)
    assert root.low == 3
    assert root.bounds[moves[3]] == UNKNOWN


def test_refuted_moves_are_left_out_where_nothing_is_proven(moves):
    """The deepening search's move is not played if it is proven to lose."""
    refuted = {START.moves[-1]: Solution(-STANDARD.cells, -1)}
    assert chosen(ScriptedOracle(UNKNOWN, {})).cell == START.moves[-1]
    assert chosen(ScriptedOracle(UNKNOWN, refuted)).cell == moves[0]


def test_move_that_is_proven_is_played(moves):
    """A move proven to keep the score is played, even if the moves before it are unknown."""
    proven = {moves[4]: Solution(4, 4)}
    found = chosen(ScriptedOracle(Solution(4, 4), proven))
    assert (found.cell, found.exact) == (moves[4], True)


def test_longest_loss_is_looked_at_first(moves):
    """If the replies to only one move can be scored, these are the replies to the longest loss.

    All scored replies to this move give the win away, which counts more than a loss that takes
    longer.
    """
    assert last_ply(START, LOST_LATER) - last_ply(START, LOST_SOON) == 2
    assert ERRORS_WORTH_A_MOVE < 1
    lost = dict.fromkeys(moves, Solution(LOST_SOON, LOST_SOON))
    lost[moves[-2]] = Solution(LOST_LATER, LOST_LATER)
    found = chosen(ScriptedOracle(Solution(LOST_LATER, LOST_LATER), lost, replies=7))
    assert found.cell == moves[-2]
    assert found.exact


def test_longest_loss_is_played_if_no_reply_is_judged(moves):
    """The longest loss is played if the scores of all replies are unknown.

    Unknown replies count as right ones.
    """
    lost = dict.fromkeys(moves, Solution(LOST_SOON, LOST_SOON))
    lost[moves[3]] = Solution(LOST_LATER, LOST_LATER)
    found = chosen(ScriptedOracle(Solution(LOST_LATER, LOST_LATER), lost))
    assert found.cell == moves[3]
