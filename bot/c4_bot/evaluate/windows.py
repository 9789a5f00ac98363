"""Open windows: each further stone makes a window worth ten times as much.

Source: "A report on the famous Connect 4 algorithm" (001_1294e05e20fb963c.txt), its third
evaluation. A window of four cells with stones of only one player is worth 10, 100 or 1000 points
for one, two or three stones, and 10000 for a completed four. In the document the windows of player
1 are positive and those of player 2 are negative. Here the windows of ``player`` are positive.
"""

from dataclasses import dataclass

from c4_protocol.rules.position import Position

from c4_bot.evaluate._open_windows import counts_in_words, worth_difference


@dataclass(frozen=True)
class Windows:
    """An evaluator with weights of windows.

    The last weight is for full windows, the one before it for windows that lack one stone, and so
    on. As in ``Sequences``, the stones that a window *lacks* count. Full windows only occur if a
    search continues after the end of a game.
    """

    weights: tuple[int, ...] = (10, 100, 1000, 10000)

    unit = 1

    def evaluate(self, position: Position, player: int) -> int:
        """Return the weighted difference of the players' windows, in points."""
        return worth_difference(position, player, self.weights[::-1])

    def explain(self, position: Position, player: int) -> str:
        """Return in words how many open windows each player has, by their number of stones."""
        return counts_in_words(position, player)
