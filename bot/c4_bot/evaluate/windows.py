"""Windows that one player has for himself, ten times the worth for each stone.

Source: "A report on the famous Connect 4 algorithm" (001_1294e05e20fb963c.txt), its third
evaluation: each window of four cells that holds stones of one player only is worth 10, 100 or 1000
points for one, two or three of them, and 10000 for a completed four. The document counts player
1's as positive and player 2's as negative; so do we, seen by ``player``.
"""

from dataclasses import dataclass

from c4_protocol.position import Position

from c4_bot.evaluate._open_windows import difference, told


@dataclass(frozen=True)
class Windows:
    """Worth of windows that lack no stone (the last), one, two, ... of the length of a line.

    On lines longer than four it is again what a window *lacks* that counts, as for ``Sequences``.
    Full windows are there to be judged only where a search goes on after the end of a game.
    """

    weights: tuple[int, ...] = (10, 100, 1000, 10000)

    unit = 1

    def evaluate(self, position: Position, player: int) -> int:
        """The difference of the players' windows, in points."""
        return difference(position, player, self.weights[::-1])

    def explain(self, position: Position, player: int) -> str:
        """What it counts, in words."""
        return told(position, player)
