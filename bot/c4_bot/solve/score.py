"""What is known of the worth of a position, and when its game ends.

Scores are those of ``c4_protocol.notation.win_score``. A draw is worth 0, a loss the negative of
the other player's win.
"""

from dataclasses import dataclass

from c4_protocol.position import Position


def last_ply(position: Position, score: int) -> int:
    """How many stones are down when the game ends that is worth ``score`` to the player to move.

    ``position.variant.cells`` for a draw.
    """
    cells = position.variant.cells
    if score == 0:
        return cells
    last = cells + 2 - 2 * abs(score)
    winner_moves_last = (last - position.ply) % 2 == (score > 0)
    return last if winner_moves_last else last - 1


@dataclass(frozen=True, slots=True)
class Solution:
    """What is known of a score for the player to move: it is from ``low`` to ``high``.

    ``nodes`` are the positions visited to find out.
    """

    low: int
    high: int
    nodes: int = 0

    @property
    def exact(self) -> bool:
        """Whether the score is known."""
        return self.low == self.high

    @property
    def sign(self) -> int | None:
        """1 for a win, 0 for a draw, -1 for a loss, ``None`` if that is not known."""
        if self.low > 0:
            return 1
        if self.high < 0:
            return -1
        return 0 if self.low == self.high == 0 else None

    def narrowed(self, other: "Solution") -> "Solution":
        """What is known by both together."""
        nodes = self.nodes + other.nodes
        return Solution(max(self.low, other.low), min(self.high, other.high), nodes)

    def reversed(self) -> "Solution":
        """The same for the other player."""
        return Solution(-self.high, -self.low, self.nodes)
