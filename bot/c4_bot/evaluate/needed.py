"""The sets of cells a player still needs for four in a row.

Source: "Programming Assignment 2 - Adversarial Search (Connect 4)" by Sean G. Meyer
(004_ed209d24a05543cb.txt), its ``eval-by-positions-needed``. From each of the player's stones and
in each direction two windows are tried, each greedily: as far forwards as cells are free or own,
then backwards until there are four; and the same with backwards first. What a window lacks is a
*needed set*. Sets that contain another are dropped, as the smaller one is needed anyway.

A set of one cell is worth 50, of two 10, of three 1, each times the height of the board over the
mean height of its cells (the bottom row has height 1): what can be filled sooner counts more.
Only the player's own sets count, not the opponent's.

The prose of the document expects seven sets around a single stone in the bottom centre; its
program, which we follow, finds five there, as it never tries the windows in between.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from c4_protocol.notation import place_name
from c4_protocol.position import Position
from c4_protocol.variant import Variant, cells_of

UNIT = math.lcm(*range(1, 19))
"""Units of a point. The document counts in fractions; on boards up to six rows high every mean
height divides this, so integers say the same, and equal positions have equal scores."""

SHOWN = 2
"""Cells of the largest sets that are named one by one to people."""


@dataclass(frozen=True)
class Needed:
    """Worth of a needed set of one, two and three cells; larger sets are worth nothing."""

    weights: tuple[int, ...] = (50, 10, 1)

    unit = UNIT

    def evaluate(self, position: Position, player: int) -> int:
        """The worth of all that ``player`` needs, in units of ``UNIT`` to the point."""
        free = position.variant.board & ~position.occupied
        sets = needed_sets(position.stones[player - 1], free, position.variant)
        return sum(self._worth(needed, position.variant) for needed in sets)

    def explain(self, position: Position, player: int) -> str:
        """The sets of one and two cells that each player needs, in words."""
        return f"{_told(position, player, 'needs')}; {_told(position, 3 - player, 'opponent')}"

    def _worth(self, needed: int, variant: Variant) -> int:
        """A set's worth: UNIT * weight * height / mean height, rounded down."""
        count = needed.bit_count()
        if not 1 <= count <= len(self.weights):
            return 0
        heights = sum(variant.row_of(cell) + 1 for cell in cells_of(needed))
        return UNIT * self.weights[count - 1] * variant.height * count // heights


def _told(position: Position, player: int, what: str) -> str:
    """A player's needed sets: the small ones by their cells, the others by their number."""
    free = position.variant.board & ~position.occupied
    sets = needed_sets(position.stones[player - 1], free, position.variant)
    small = [
        "+".join(place_name(position.variant, cell) for cell in cells_of(needed))
        for needed in sets
        if needed.bit_count() <= SHOWN
    ]
    return f"{what} {', '.join(small) or 'none'} and {len(sets) - len(small)} larger sets"


def needed_sets(stones: int, free: int, variant: Variant) -> list[int]:
    """The smallest sets of free cells that complete a line, smallest first."""
    found = {
        window & ~stones
        for cell in cells_of(stones)
        for step in variant.steps
        for window in _windows(cell, step, stones | free, variant.connect)
    }
    smallest: list[int] = []
    for needed in sorted(found, key=int.bit_count):
        if not any(needed & other == other for other in smallest):
            smallest.append(needed)
    return smallest


def _windows(cell: int, step: int, available: int, connect: int) -> Iterator[int]:
    """The two greedy windows through a cell: forwards first, and backwards first."""
    for first, then in ((step, -step), (-step, step)):
        window = _extend(1 << cell, cell, first, available, connect)
        window = _extend(window, cell, then, available, connect)
        if window.bit_count() == connect:
            yield window


def _extend(window: int, cell: int, step: int, available: int, connect: int) -> int:
    """Grows the window from ``cell`` until it is long enough or meets an obstacle."""
    while window.bit_count() < connect:
        cell += step
        if cell < 0 or not available >> cell & 1:
            break
        window |= 1 << cell
    return window
