"""Threats that can be seen in the lines without a search.

``promise`` is for all games. The other functions are for games without gravity.

A *maker* is a free cell on which a stone makes a threat: a line then lacks one more stone, on the
maker's *partner*. A maker with two partners makes two threats with one stone, and the opponent can
stop only one of them. Seed document 003_042b791f4f409f5b.txt calls two stones with such a maker
beside them an "open two".
"""

from collections import defaultdict
from collections.abc import Mapping

from c4_protocol.position import Position
from c4_protocol.variant import Variant, cells_of

OWN_PROMISE = (0, 64, 16, 4, 1)
OTHER_PROMISE = (0, 32, 8, 2, 0)
"""Worth of a cell for each line through it, by the number of stones that the line lacks.
``OWN_PROMISE`` is for lines of the player to move, ``OTHER_PROMISE`` for lines of the opponent.
Among some round numbers that were tried, these need the fewest nodes."""
Makers = Mapping[int, int]
"""Makers as bitboards, by the number of bits from the maker to its partner."""


def makers(stones: int, free: int, variant: Variant) -> Makers:
    """Return all makers of the player with these stones, from every line that lacks two stones."""
    found: dict[int, int] = defaultdict(int)
    places = range(variant.connect)
    for step in variant.steps:
        lines_lacking = {
            (one, two): _lines_lacking((one, two), step, stones, free, variant)
            for one in places
            for two in places[one + 1 :]
        }
        for (one, two), lines in lines_lacking.items():
            found[(two - one) * step] |= lines << (one * step)
            found[(one - two) * step] |= lines << (two * step)
    return found


def _lines_lacking(
    pair: tuple[int, int], step: int, stones: int, free: int, variant: Variant
) -> int:
    """Return the first cells of the lines that lack stones exactly at two indexes, on free cells.

    ``pair`` holds the two indexes, which count the cells of a line from 0.
    """
    lines = variant.board
    for place in range(variant.connect):
        lines &= (free if place in pair else stones) >> (place * step)
    return lines


def once(makers: Makers) -> int:
    """Return the cells on which one stone makes at least one threat."""
    found = 0
    for cells in makers.values():
        found |= cells
    return found


def twice(makers: Makers) -> int:
    """Return the cells on which one stone makes two threats."""
    seen = found = 0
    for cells in makers.values():
        found |= seen & cells
        seen |= cells
    return found


def defences(makers: Makers) -> int:
    """Return the cells on which one stone stops all double threats of ``twice(makers)``.

    A stone on a maker stops this maker. If the maker has only two partners, a stone on one of them
    stops it, too. All other cells of the maker's lines are taken already. ``twice(makers)`` must
    not be empty.
    """
    found = -1
    for cell in cells_of(twice(makers)):
        partners = sum(1 << cell + way for way, cells in makers.items() if cells >> cell & 1)
        found &= 1 << cell | (partners if partners.bit_count() == 2 else 0)
    return found


def live_cells(position: Position) -> int:
    """Return all cells, free or taken, of the lines that a player can still complete."""
    variant, found = position.variant, 0
    for stones in position.stones:
        for step in variant.steps:
            places = range(0, variant.connect * step, step)
            lines = variant.board
            for place in places:
                lines &= (variant.board & ~stones) >> place
            for place in places:
                found |= lines << place
    return found


def promise(position: Position) -> Mapping[int, int]:
    """Return the worth of a stone on free cells, for the lines that it builds and blocks."""
    own, other, connect = position.own, position.other, position.variant.connect
    found: dict[int, int] = defaultdict(int)
    for line in position.variant.lines:
        for stones, others, worth in ((own, other, OWN_PROMISE), (other, own, OTHER_PROMISE)):
            lack = connect - (line & stones).bit_count()
            if line & others or not lack < len(worth):
                continue
            for cell in cells_of(line & ~stones):
                found[cell] += worth[lack]
    return found
