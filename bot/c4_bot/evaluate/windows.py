"""Open windows, ten times the worth for each stone.

Source: "A report on the famous Connect 4 algorithm" (001_1294e05e20fb963c.txt), its third
evaluation: each window of four cells that holds stones of one player only is worth 10, 100 or 1000
points for one, two or three of them, and 10000 for a completed four. The document counts player
1's windows as positive and player 2's as negative; here those of ``player`` are positive.
"""

from dataclasses import dataclass

from c4_protocol.position import Position

from c4_bot.evaluate._open_windows import counts_text, difference


@dataclass(frozen=True)
class Windows:
    """An evaluator with weights of windows.

    The last weight is for full windows, the one before it for windows that lack one stone, and so
    on: as in ``Sequences``, windows are counted by the stones that they *lack*. Full windows only
    occur if a search continues after the end of a game.
    """

    weights: tuple[int, ...] = (10, 100, 1000, 10000)

    unit = 1

    def evaluate(self, position: Position, player: int) -> int:
        """Return the weighted difference of the players' windows, in points."""
        return difference(position, player, self.weights[::-1])

    def explain(self, position: Position, player: int) -> str:
        """Return the counts of open windows, in words."""
        return counts_text(position, player)
