"""Open sequences of stones, weighed by length.

Source: "A Genetic Algorithm to Optimize a Connect Four Minimax Player" by Morrow, DeBell and
Bogaerts (000_ccbf42599ea318ee.txt), its ``evalState``. An n-sequence is a window of four cells
with n stones of one player and none of the other; windows go right, down, up-right and
down-right. The score is the sum over n of a weight times the difference of the players' counts.
"""

from dataclasses import dataclass

from c4_protocol.position import Position

from c4_bot.evaluate._open_windows import difference, told


@dataclass(frozen=True)
class Sequences:
    """Weights of windows, the last for those that lack one stone, the one before it two, ...

    The document breeds the weights 1, 3, 6 of windows with one, two and three stones. Its lines
    are four long; for other lengths we count what a window *lacks*, so that a threat weighs the
    same. Windows that lack more stones than there are weights count nothing.
    """

    weights: tuple[int, ...] = (1, 3, 6)

    unit = 1

    def evaluate(self, position: Position, player: int) -> int:
        """The weighted difference of open sequences, in points."""
        return difference(position, player, (0, *reversed(self.weights)))

    def explain(self, position: Position, player: int) -> str:
        """What it counts, in words."""
        return told(position, player)
