"""Bounds of the score of a position, and the ply at which its game ends.

The score of a win is ``c4_protocol.rules.notation.win_score``. A draw scores 0. A loss scores the
negative of the opponent's win.
"""

from dataclasses import dataclass

from c4_protocol.rules.notation import win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.contract import WIN

Bounds = tuple[int, int]
"""A lower and an upper bound of a score."""


def sign_of(score: int) -> int:
    """Return the outcome of a score: 1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)


def last_ply(position: Position, score: int) -> int:
    """Return the number of stones on the board when a game with this score ends.

    ``score`` is for the player to move. A draw ends with ``position.variant.cells`` stones.
    """
    cells = position.variant.cells
    if score == 0:
        return cells
    last = cells + 2 - 2 * abs(score)
    winner_moves_last = (last - position.ply) % 2 == (score > 0)
    return last if winner_moves_last else last - 1


def score_from_search(variant: Variant, score: int) -> int:
    """Convert the score of a search that is a forced win or loss, or a draw, into one of solvers.

    See ``c4_bot.contract`` for scores of searches.
    """
    return sign_of(score) * win_score(variant, WIN - abs(score))


@dataclass(frozen=True, slots=True)
class Solution:
    """Bounds of a score for the player to move, and the number of nodes visited to find them."""

    low: int
    high: int
    nodes: int = 0

    @property
    def exact(self) -> bool:
        """True if both bounds are equal."""
        return self.low == self.high

    def narrowed(self, other: "Solution") -> "Solution":
        """Return the bounds that follow from both solutions, with the nodes of both."""
        nodes = self.nodes + other.nodes
        return Solution(max(self.low, other.low), min(self.high, other.high), nodes)

    def reversed(self) -> "Solution":
        """Return the same bounds for the other player."""
        return Solution(-self.high, -self.low, self.nodes)
