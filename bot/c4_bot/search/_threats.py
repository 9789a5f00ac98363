"""Threats that can be seen in the lines without a search.

``CellWorths`` is for all games. The other functions are for games without gravity.

A *maker* is a free cell on which a stone makes a threat: a line then lacks one more stone, on the
maker's *partner*. A maker with two partners makes two threats with one stone, and the opponent can
stop only one of them. Seed document 003_042b791f4f409f5b.txt calls two stones with such a maker
beside them an "open two".
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import accumulate, pairwise
from operator import and_, or_

from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant, cells_of

WORTH_OF_OWN_LINES = {1: 6, 2: 4, 3: 2, 4: 0}
WORTH_OF_BLOCKED_LINES = {1: 5, 2: 3, 3: 1}
"""Binary logarithm of the worth of a cell for each line through it, by the number of stones that
the line lacks. ``WORTH_OF_OWN_LINES`` is for lines of the player to move,
``WORTH_OF_BLOCKED_LINES`` for lines of the opponent. Among some round numbers that were tried,
these need the fewest nodes."""
Makers = Mapping[int, int]
"""Makers as bitboards, by the number of bits from the maker to its partner."""


def makers(stones: int, free: int, variant: Variant) -> Makers:
    """Return all makers of the player with these stones, from every line that lacks two stones."""
    partners_of: dict[int, int] = defaultdict(int)
    for step in variant.steps:
        for one, two, lines in _lines_lacking_two(step, stones, free, variant):
            partners_of[(two - one) * step] |= lines << (one * step)
            partners_of[(one - two) * step] |= lines << (two * step)
    return partners_of


def _lines_lacking_two(
    step: int, stones: int, free: int, variant: Variant
) -> Iterator[tuple[int, int, int]]:
    """Yield two indexes and the first cells of the lines that lack stones exactly there.

    The indexes count the cells of a line from 0. At both of them the lines have free cells.
    """
    places = range(variant.connect)
    taken = [stones >> (place * step) for place in places]
    open_at = [free >> (place * step) for place in places]
    behind = [*accumulate(reversed(taken), and_, initial=variant.board)][::-1]
    before = variant.board
    for one in places:
        between = before & open_at[one]
        for two in places[one + 1 :]:
            if not between:
                break
            yield one, two, between & open_at[two] & behind[two + 1]
            between &= taken[two]
        before &= taken[one]


def cells_making_a_threat(makers: Makers) -> int:
    """Return the cells on which one stone makes at least one threat."""
    return reduce(or_, makers.values(), 0)


def cells_making_two_threats(makers: Makers) -> int:
    """Return the cells on which one stone makes two threats."""
    seen = cells_twice = 0
    for cells in makers.values():
        cells_twice |= seen & cells
        seen |= cells
    return cells_twice


def defences(makers: Makers) -> int:
    """Return the cells on which one stone stops all double threats of ``twice(makers)``.

    A stone on a maker stops this maker. If the maker has only two partners, a stone on one of them
    stops it, too. All other cells of the maker's lines are taken already. ``twice(makers)`` must
    not be empty.
    """
    replies = -1
    for cell in cells_of(cells_making_two_threats(makers)):
        partners = sum(1 << cell + way for way, cells in makers.items() if cells >> cell & 1)
        replies &= 1 << cell | (partners if partners.bit_count() == 2 else 0)
    return replies


def live_cells(position: Position) -> int:
    """Return all cells, free or taken, of the lines that a player can still complete."""
    variant, live = position.variant, 0
    for stones in position.stones:
        for step in variant.steps:
            places = range(0, variant.connect * step, step)
            lines = variant.board
            for place in places:
                lines &= (variant.board & ~stones) >> place
            for place in places:
                live |= lines << place
    return live


class CellWorths:
    """The worth of a stone on each free cell, for the lines that it builds and blocks.

    The worths of all cells are added at the same time: each bitboard in ``_digits`` holds one
    binary digit of the worth of every cell.
    """

    def __init__(self, position: Position) -> None:
        self._digits: dict[int, int] = defaultdict(int)
        variant, free = position.variant, position.variant.board & ~position.occupied
        for stones, worth in (
            (position.own, WORTH_OF_OWN_LINES),
            (position.other, WORTH_OF_BLOCKED_LINES),
        ):
            for step in variant.steps:
                places = range(0, variant.connect * step, step)
                lacking = _lines_by_lack(places, stones, free, variant)
                for lack, digit in worth.items():
                    for place in places:
                        self._add(lacking[lack] << place & free, digit)

    def of(self, cell: int) -> int:
        """Return the worth of a stone on a free cell."""
        return sum((board >> cell & 1) << digit for digit, board in self._digits.items())

    def _add(self, cells: int, digit: int) -> None:
        """Add ``2 ** digit`` to the worth of all ``cells``, with carry."""
        while cells:
            board = self._digits[digit]
            self._digits[digit] = board ^ cells
            cells, digit = cells & board, digit + 1


def _lines_by_lack(places: range, stones: int, free: int, variant: Variant) -> list[int]:
    """Return the first cells of the lines that lack 0, 1, 2, 3 and 4 stones, on free cells.

    ``places`` are the numbers of bits from the first cell of a line to its cells.
    """
    lacking = [variant.board, 0, 0, 0, 0]
    for place in places:
        taken, open_ = stones >> place, free >> place
        more = [less & open_ | same & taken for less, same in pairwise(lacking)]
        lacking = [lacking[0] & taken, *more]
    return lacking
