"""The sets of cells that a player still needs for four in a row.

Source: "Programming Assignment 2 - Adversarial Search (Connect 4)" by Sean G. Meyer
(004_ed209d24a05543cb.txt), its ``eval-by-positions-needed``. For each of the player's stones and
each direction, two windows are tried. One extends forwards as long as cells are free or hold the
player's stones, then backwards, until it has four cells. The other extends backwards first. The
free cells of a window are a *needed set*. A set that contains a smaller set is dropped, because the
smaller set is always filled first.

A set of one cell is worth 50, of two cells 10, of three cells 1. This is multiplied by the height
of the board over the mean height of the set's cells (the bottom row has height 1), so that cells
that can be filled sooner count more. Only the player's own sets count, not the opponent's.

The text of the document expects seven sets around a single stone in the bottom centre. Its program,
which we follow, finds five, because it never tries the windows in between.
"""

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from c4_protocol.rules.notation import place_name
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant, cells_of

UNITS_PER_POINT = math.lcm(*range(1, 19))
"""Units in one point. The document counts in fractions. On boards of up to six rows every mean
height divides this number. So integers are exact, and equal positions have equal scores."""

MAX_LISTED_SIZE = 2
"""Maximum number of cells in a set that ``explain`` lists. Larger sets are only counted."""


@dataclass(frozen=True)
class Needed:
    """An evaluator with weights of needed sets.

    The weights are for sets of one, two, three, ... cells. Larger sets are worth 0.
    """

    weights: tuple[int, ...] = (50, 10, 1)

    unit = UNITS_PER_POINT

    def evaluate(self, position: Position, player: int) -> int:
        """Return the worth of ``player``'s needed sets, in ``UNITS_PER_POINT``-ths of a point."""
        free = position.variant.board & ~position.occupied
        sets = needed_sets(position.stones[player - 1], free, position.variant)
        return sum(self._worth_of_set(needed, position.variant) for needed in sets)

    def explain(self, position: Position, player: int) -> str:
        """Return the sets of one and two cells that each player needs, in words."""
        own = _needed_sets_in_words(position, player, "needs")
        return f"{own}; {_needed_sets_in_words(position, 3 - player, 'opponent')}"

    def _worth_of_set(self, needed: int, variant: Variant) -> int:
        """Return a set's worth: UNIT * weight * height / mean height, rounded down."""
        count = needed.bit_count()
        if not 1 <= count <= len(self.weights):
            return 0
        heights = sum(variant.row_of(cell) + 1 for cell in cells_of(needed))
        return UNITS_PER_POINT * self.weights[count - 1] * variant.height * count // heights


def _needed_sets_in_words(position: Position, player: int, label: str) -> str:
    """Return a player's needed sets in words: cells of small sets, and number of larger sets."""
    free = position.variant.board & ~position.occupied
    sets = needed_sets(position.stones[player - 1], free, position.variant)
    small = [
        "+".join(place_name(position.variant, cell) for cell in cells_of(needed))
        for needed in sets
        if needed.bit_count() <= MAX_LISTED_SIZE
    ]
    return f"{label} {', '.join(small) or 'none'} and {len(sets) - len(small)} larger sets"


def needed_sets(stones: int, free: int, variant: Variant) -> list[int]:
    """Return the minimal sets of free cells that complete a line, smallest first."""
    sets = {
        window & ~stones
        for step in variant.steps
        for window in _windows_of_stones(step, stones, stones | free, variant)
    }
    if 0 in sets:  # a line is complete, and every set contains the empty set
        return [0]
    smallest: list[int] = []
    by_lowest: dict[int, list[int]] = defaultdict(list)
    for needed in sorted(sets, key=int.bit_count):
        cells = [*cells_of(needed)]
        # If this set contains a smaller one, that one's lowest cell is among these cells.
        if not any(needed & other == other for cell in cells for other in by_lowest[cell]):
            smallest.append(needed)
            by_lowest[cells[0]].append(needed)
    return smallest


def _windows_of_stones(step: int, stones: int, available: int, variant: Variant) -> Iterator[int]:
    """Yield two windows for each stone: the one that begins nearest to it, and the farthest.

    Windows have only ``available`` cells. Two stones may have the same window.
    """
    shifts = range(0, variant.connect * step, step)
    line, starts = 0, variant.board
    for shift in shifts:
        line |= 1 << shift
        starts &= available >> shift
    for order in (shifts, reversed(shifts)):
        left = stones
        for shift in order:
            if found := left & starts << shift:
                left ^= found
                yield from (line << cell - shift for cell in cells_of(found))
