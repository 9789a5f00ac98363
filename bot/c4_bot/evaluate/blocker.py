"""Lines that can still be made, and lines of the opponent that are blocked.

Source: "Minimax with Alpha-Beta Pruning for 4-in-a-Line Game on an 8x8 Board" by Rachel Chiang
(003_042b791f4f409f5b.txt). A finished game is worth plus or minus ``four``, and everything else is
added to that number. A line without a stone of the opponent is worth ``three`` or ``two`` if it has
three or two of the player's own stones. A line is blocked if it has three or two of the opponent's
stones and one of the player's. Stones near the centre have a small bonus.

Where the document is silent or contradicts itself, we chose:

- Blocks: the document multiplies blocked lines by "the same weights as previously", and has a
  ``block`` of 1000 that it does not explain. Here a blocked line counts ``block``, whether the
  opponent has two stones in it or three.
- Centre: a stone is worth ``centre`` for each ring of cells between it and the edge.
- Lines of other lengths: a line counts by the stones that it *lacks*, one or two.

The document suspects its own counter of blocks, because it "does not consider that it may have
already blocked a specific winning row". We read this as ``block`` for each of the player's stones
in such a line. So a block is counted again and again, and ten blocks outweigh a lost game. We tried
several readings. With this reading, and some others, the search chooses the most moves of the
document's games (6 of 16, at five plies as in the document).

By default (``live_lines``), only live lines count, as the document proposes. A line is live for a
player if the opponent has no stone in it. The score is the worth of the player's live lines, minus
``block`` / 1000 times the worth of the opponent's live lines. So a block is worth what the
opponent's line was worth before. If a move builds one line and blocks another, both count.
"""

from dataclasses import dataclass, fields

from c4_protocol.program.errors import UsageError
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.contract import MAX_WEIGHT
from c4_bot.evaluate._open_windows import counts_in_words


@dataclass(frozen=True)
class Blocker:
    """An evaluator with the document's weights.

    Raises ``UsageError`` if the absolute value of a weight is more than ``MAX_WEIGHT``.
    """

    centre: int = 2
    block: int = 1000
    four: int = 10000
    three: int = 100
    two: int = 10
    live_lines: bool = True

    unit = 1000

    def __post_init__(self) -> None:
        for item in fields(self):
            if abs(getattr(self, item.name)) > MAX_WEIGHT:
                raise UsageError(f"{item.name} is at most {MAX_WEIGHT}, and at least the negative")

    def evaluate(self, position: Position, player: int) -> int:
        """Return the worth of ``player``'s lines and blocks, in 1/1000 of the document's points."""
        own, other = position.stones if player == 1 else reversed(position.stones)
        variant = position.variant
        rings = _number_of_rings(own, variant)
        if self.live_lines:
            ours = self._worth_of_open_lines(own, other, variant) + self.centre * (
                rings - _number_of_rings(other, variant)
            )
            return 1000 * ours - self.block * self._worth_of_open_lines(other, own, variant)
        lost = sum(line & other == line for line in variant.lines)
        ours = self._worth_of_open_lines(own, other, variant) + self.centre * rings
        return 1000 * (
            ours - self.four * lost + self.block * _number_of_blocks(own, other, variant)
        )

    def explain(self, position: Position, player: int) -> str:
        """Return in words how many open windows each player has, by their number of stones."""
        return counts_in_words(position, player)

    def _worth_of_open_lines(self, stones: int, others: int, variant: Variant) -> int:
        """Return the worth of a player's lines that hold no stone of the other player."""
        worth = {0: self.four, 1: self.three, 2: self.two}
        lines = (line for line in variant.lines if line & stones and not line & others)
        return sum(worth.get((line & ~stones).bit_count(), 0) for line in lines)


def _number_of_blocks(stones: int, others: int, variant: Variant) -> int:
    """Count ``stones`` in lines that lack one or two of ``others``.

    A stone counts once for each of these lines.
    """
    lines = (line for line in variant.lines if line & others)
    return sum(
        (line & stones).bit_count() for line in lines if (line & ~others).bit_count() in (1, 2)
    )


def _number_of_rings(stones: int, variant: Variant) -> int:
    """Return the number of rings of cells between a stone and the edge, added up for all stones."""
    count, inner = 0, _inner_cells(variant.board, variant)
    while inner:
        count += (stones & inner).bit_count()
        inner = _inner_cells(inner, variant)
    return count


def _inner_cells(cells: int, variant: Variant) -> int:
    """Return the cells whose four neighbours are in ``cells`` too."""
    return cells & cells << 1 & cells >> 1 & cells << variant.stride & cells >> variant.stride
