"""What lines tell without a search; but for ``promise``, where any free cell may be taken.

A *maker* is a free cell on which a stone leaves a line that lacks one more: its *partner*. With
two partners the maker makes two threats at once, of which only one can be stopped. In the words
of seed document 003_042b791f4f409f5b.txt, an "open two" is two stones with such a maker beside
them.
"""

from collections import defaultdict
from collections.abc import Mapping

from c4_protocol.position import Position
from c4_protocol.variant import Variant, cells_of

OWN_PROMISE = (0, 64, 16, 4, 1)
OTHER_PROMISE = (0, 32, 8, 2, 0)
"""What a cell gains by a line through it that lacks none, one, two, ... stones: if it is one's own
line, and if it is the opponent's. Of some round numbers, those with the fewest nodes."""
Makers = Mapping[int, int]
"""Makers as bitboards, by how many bits further their partner lies."""


def makers(stones: int, free: int, variant: Variant) -> Makers:
    """All makers of one player, from every line that lacks two stones."""
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
    """The first cells of the lines of which a player has all but these two places, both free."""
    lines = variant.board
    for place in range(variant.connect):
        lines &= (free if place in pair else stones) >> (place * step)
    return lines


def once(makers: Makers) -> int:
    """The cells that make a threat."""
    found = 0
    for cells in makers.values():
        found |= cells
    return found


def twice(makers: Makers) -> int:
    """The cells that make two threats at once."""
    seen = found = 0
    for cells in makers.values():
        found |= seen & cells
        seen |= cells
    return found


def defences(makers: Makers) -> int:
    """The cells that leave nothing of ``twice(makers)``, which must not be empty.

    A stone spoils a maker on the maker itself, or on one of its partners where there are only two:
    no other cell is in the lines that it completes.
    """
    found = -1
    for cell in cells_of(twice(makers)):
        partners = sum(1 << cell + way for way, cells in makers.items() if cells >> cell & 1)
        found &= 1 << cell | (partners if partners.bit_count() == 2 else 0)
    return found


def live_cells(position: Position) -> int:
    """The cells, taken or not, of the lines that either player can still complete."""
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
    """How much a stone on each free cell builds and blocks; a move that does both has both."""
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
