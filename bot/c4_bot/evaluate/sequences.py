"""Open sequences of stones, weighted by length.

Source: "A Genetic Algorithm to Optimize a Connect Four Minimax Player" by Morrow, DeBell and
Bogaerts (000_ccbf42599ea318ee.txt), its ``evalState``. An n-sequence is a window of four cells with
n stones of one player and no stone of the other. Windows go right, down, up-right and down-right.
For each n the difference of the two players' counts is multiplied by a weight. The score is the sum
of these products.
"""

from dataclasses import dataclass

from c4_protocol.rules.position import Position

from c4_bot.evaluate._open_windows import counts_in_words, worth_difference


@dataclass(frozen=True)
class Sequences:
    """An evaluator with weights of windows.

    The last weight is for windows that lack one stone, the one before it for windows that lack two,
    and so on. Windows that lack more stones than there are weights count 0. The weights 1, 3 and 6
    are the result of the document's genetic algorithm, for windows with one, two and three stones
    and lines of four. For lines of other lengths we count the stones that a window *lacks*, so that
    a threat has the same weight.
    """

    weights: tuple[int, ...] = (1, 3, 6)

    unit = 1

    def evaluate(self, position: Position, player: int) -> int:
        """Return the weighted difference of open sequences, in points."""
        return worth_difference(position, player, (0, *reversed(self.weights)))

    def explain(self, position: Position, player: int) -> str:
        """Return in words how many open windows each player has, by their number of stones."""
        return counts_in_words(position, player)
