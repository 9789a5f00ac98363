"""Patterns of a position: the numbers of the weights that a network adds up.

A pattern is the content of a few segments of columns. A *segment* is a number of cells above each
other, and its *code* says what is in it::

    0       its lowest cell is free, and so is the cell below: it cannot be played yet
    1       it is free, and its lowest cell can be played
    10, 11  it has one stone, of the opponent or of the player to move
    100 ... it has two stones; the lowest bit is the lowest stone

In binary, a code is a 1 above the top stone, and below it a 1 for each stone of the player to move.
A shape places segments in neighbouring columns. Each position of the shape on the board has its own
table of weights, except that a place and its mirror image share a table.

Two more patterns are about threats (see ``zugzwang``). The first is the result of the ending, with
the number of safe cells. The second counts the columns whose lowest threat is in an odd or even
row, because the first player gets cells of odd rows and the second player cells of even rows (L. V.
Allis, "A Knowledge-based Approach of Connect-Four", 1988, chapter 3).

The first half of the weights is for positions with an even number of stones, the second half for
the others. The C++ version is ``bot/native/evaluate/network.hpp``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.evaluate.zugzwang import ending_result, lowest_cells_of_columns, threats_of

ENDING_PATTERNS, BALANCE_PATTERNS = 256, 2048
"""Numbers of weights in the two tables of threats."""


class Shape(NamedTuple):
    """Segments of ``rows`` cells in ``columns`` neighbouring columns.

    Each segment is ``slope`` rows above the segment before it.
    """

    columns: int
    rows: int
    slope: int

    @property
    def size(self) -> int:
        """The number of patterns of the shape."""
        return 1 << self.columns * (self.rows + 1)


class ShapeRun(NamedTuple):
    """The places of a shape that begin in one column: ``places`` tables from weight ``begin`` on.

    With a ``step`` of -1 the pattern is read from right to left.
    """

    shape: Shape
    first: int
    step: int
    places: int
    begin: int


@dataclass(frozen=True)
class Patterns:
    """The patterns of a variant with gravity, and the order of their weights."""

    variant: Variant
    shapes: tuple[Shape, ...]

    @property
    def size(self) -> int:
        """The number of weights."""
        return 2 * self._weights_per_half

    def indices(self, position: Position) -> Iterator[int]:
        """Yield the indices of the weights of a position, for the player to move."""
        seat = self._weights_per_half if position.ply % 2 else 0
        stride, mask = self.variant.stride, (1 << self.variant.stride) - 1
        key = position.own | (position.occupied + self.variant.bottom)
        columns = [key >> x * stride & mask for x in range(self.variant.width)]  # as segments
        for shape, first, step, places, begin in self._shape_runs:
            for y in range(places):
                index = 0
                for k in range(shape.columns):
                    code = code_of(columns[first + k * step], y + k * shape.slope, shape.rows)
                    index |= code << k * (shape.rows + 1)
                yield seat + begin + y * shape.size + index
        ours, theirs = threats_of(position)
        last = seat + self._weights_per_half - BALANCE_PATTERNS
        result, safe = ending_result(position.variant, position.occupied, ours, theirs)
        yield last - ENDING_PATTERNS + (min(safe, 63) << 2 | result + 1)
        yield last + _balance_pattern(position, ours, theirs)

    @cached_property
    def _shape_runs(self) -> list[ShapeRun]:
        runs: list[ShapeRun] = []
        end = 0
        for shape in self.shapes:
            last = self.variant.width - shape.columns
            places = self.variant.height - shape.rows + 1 - shape.slope * (shape.columns - 1)
            begins = {}
            for x in range(last + 1):
                if shape.slope or 2 * x <= last:
                    begins[x] = end
                    end += places * shape.size
            runs += (ShapeRun(shape, x, 1, places, begin) for x, begin in begins.items())
            runs += (
                ShapeRun(shape, last - x + shape.columns - 1, -1, places, begin)
                for x, begin in begins.items()
                if shape.slope or 2 * x < last
            )
        return runs

    @cached_property
    def _weights_per_half(self) -> int:
        last = max(self._shape_runs, key=lambda run: run.begin)
        return last.begin + last.places * last.shape.size + ENDING_PATTERNS + BALANCE_PATTERNS


def code_of(column: int, row: int, rows: int) -> int:
    """Return the code of the segment of ``rows`` cells from ``row`` on.

    ``column`` is the code of the whole column.
    """
    height = column.bit_length() - 1
    if height < row:
        return 0
    top = 1 << min(height - row, rows)
    return top | column >> row & (top - 1)


def _balance_pattern(position: Position, ours: int, theirs: int) -> int:
    """Return the number of the pattern for the rows of both players' lowest threats."""
    variant = position.variant
    free = variant.cells - position.ply
    return (
        min(free // 8, 7) << 8
        | _threat_row_counts(ours, variant) << 4
        | _threat_row_counts(theirs, variant)
    )


def _threat_row_counts(threats: int, variant: Variant) -> int:
    """Return the numbers, at most 3, of columns whose lowest threat is in an even or odd row."""
    lowest = lowest_cells_of_columns(threats, variant)
    even = sum(variant.bottom << y for y in range(1, variant.height, 2))
    return min((lowest & even).bit_count(), 3) << 2 | min((lowest & ~even).bit_count(), 3)
