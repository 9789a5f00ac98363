"""Lines that can still be made, and lines of the opponent that are blocked.

Source: "Minimax with Alpha-Beta Pruning for 4-in-a-Line Game on an 8x8 Board" by Rachel Chiang
(003_042b791f4f409f5b.txt). A finished game is worth plus or minus ``four``, and all the rest is
counted there as well. A line without a stone of the opponent is worth ``three`` or ``two`` by the
player's own stones in it; a line of the opponent with as many of his, and one of the player's, is
blocked; stones near the centre have a slight bonus.

Where the document is silent or contradicts itself:

- it multiplies blocked lines by "the same weights as previously", and has a ``block`` of 1000 of
  which it says nothing: here a blocked line counts ``block``, whether it has two stones or three;
- the centre: a stone is worth ``centre`` for each ring of cells between it and the edge;
- lines of other lengths: as elsewhere a line counts by what it *lacks*, one stone or two.

The document's counter of blocks is its own suspect, as it "does not consider that it may have
already blocked a specific winning row": here that is read as ``block`` for each stone in such a
line, so that a block is paid for again, and ten of them outweigh a lost game. Of the readings that
were tried, those that play most of the moves of the document's games (6 of 16, at its five plies)
include this one.

Unless ``live_lines`` is switched off, only lines that are still alive count, which is what the
document wishes for: a block is worth what the opponent's line was worth alive, and no more. The
score is then the player's live lines less the opponent's, and ``block`` says how much those weigh,
in thousandths. A move that builds and blocks in one counts for both.
"""

from dataclasses import dataclass, fields

from c4_protocol.errors import UsageError
from c4_protocol.position import Position
from c4_protocol.variant import Variant

from c4_bot.contract import MAX_WEIGHT
from c4_bot.evaluate._open_windows import told


@dataclass(frozen=True)
class Blocker:
    """The document's weights. Raises ``UsageError`` for one beyond ``MAX_WEIGHT``."""

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
                raise UsageError(f"{item.name} is {MAX_WEIGHT} at most, up or down")

    def evaluate(self, position: Position, player: int) -> int:
        """The worth of ``player``'s lines and blocks, in thousandths of the document's points."""
        own, other = position.stones if player == 1 else reversed(position.stones)
        variant = position.variant
        rings = _rings(own, variant)
        if self.live_lines:
            ours = self._lines(own, other, variant) + self.centre * (rings - _rings(other, variant))
            return 1000 * ours - self.block * self._lines(other, own, variant)
        lost = sum(line & other == line for line in variant.lines)
        ours = self._lines(own, other, variant) + self.centre * rings
        return 1000 * (ours - self.four * lost + self.block * _blocks(own, other, variant))

    def explain(self, position: Position, player: int) -> str:
        """What it counts, in words."""
        return told(position, player)

    def _lines(self, stones: int, others: int, variant: Variant) -> int:
        """The worth of a player's lines, those with a stone of the other left out."""
        worth = {0: self.four, 1: self.three, 2: self.two}
        return sum(worth.get(lack, 0) for lack in _lacking(stones, others, variant))


def _lacks(line: int, stones: int) -> int:
    return (line & ~stones).bit_count()


def _lacking(stones: int, others: int, variant: Variant) -> list[int]:
    """How many stones each line lacks that has some, and none of the others."""
    lines = variant.lines
    return [_lacks(line, stones) for line in lines if line & stones and not line & others]


def _blocks(stones: int, others: int, variant: Variant) -> int:
    """The stones in lines of which the others lack one or two, each counted for each line."""
    lines = (line for line in variant.lines if line & others)
    return sum((line & stones).bit_count() for line in lines if _lacks(line, others) in (1, 2))


def _rings(stones: int, variant: Variant) -> int:
    """The rings of cells between each stone and the nearest edge, added up."""
    count, inner = 0, _inner(variant.board, variant)
    while inner:
        count += (stones & inner).bit_count()
        inner = _inner(inner, variant)
    return count


def _inner(cells: int, variant: Variant) -> int:
    """The cells whose four neighbours are among them as well."""
    return cells & cells << 1 & cells >> 1 & cells << variant.stride & cells >> variant.stride
