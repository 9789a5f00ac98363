"""Scales, lines, bands and dots of plots, as SVG path data for the report."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

Point = tuple[float, float]
Mark = tuple[float, str]
"""A label of an axis: its place in SVG units, and its text."""


@dataclass(frozen=True)
class Scale:
    """An axis from ``low`` to ``high`` with labels at ``marks``, linear or logarithmic."""

    low: float
    high: float
    marks: tuple[float, ...]
    logarithmic: bool = False

    def share(self, value: float) -> float:
        """Return the place of a value as a fraction of the axis. Values outside are at its ends."""
        low, high, value = map(self._transform, (self.low, self.high, value))
        return min(1.0, max(0.0, (value - low) / (high - low)))

    def _transform(self, value: float) -> float:
        if not self.logarithmic:
            return value
        return math.log(value) if value > 0 else -math.inf


MARGIN = 1.15
"""Factor between the ends of a logarithmic scale and the values that are nearest to them."""
WEIGHT_SCALE = Scale(0, 100, (0, 25, 50, 75, 100))


def round_scale(last: int) -> Scale:
    """Return the scale of rounds 1 to ``last``, with about four labels."""
    step = next(step for power in range(10) for step in _steps(10**power) if last <= 5 * step)
    between = range(step, last - step // 2, step) if step > 1 else range(2, last)
    return Scale(1, max(2, last), tuple(dict.fromkeys((1, *between, last))))


def _steps(unit: int) -> tuple[int, ...]:
    return unit, 2 * unit, 5 * unit


def ratio_scale(values: Iterable[float]) -> Scale:
    """Return a logarithmic scale that contains all positive values, with labels at 1, 2, 5, 10."""
    usable = [value for value in values if 0 < value < math.inf]
    low, high = min(usable) / MARGIN, max(usable) * MARGIN
    marks = (digit * 10.0**power for power in range(-3, 5) for digit in (1, 2, 5))
    return Scale(low, high, tuple(mark for mark in marks if low <= mark <= high), logarithmic=True)


@dataclass(frozen=True)
class Panel:
    """The area of a plot: its two axes, and its size in SVG units."""

    x: Scale
    y: Scale
    width: float = 260.0
    height: float = 180.0

    def line(self, values: Sequence[float | None]) -> str:
        """Return the path of a line through values at x = 1, 2 and so on. ``None`` is a gap."""
        parts: list[str] = []
        pen = "M"
        for place, value in enumerate(values):
            if value is None:
                pen = "M"
            elif pen == "M" or not value == values[place - 1] == _next(values, place):
                # A dot at the start: a line of one point is visible, too.
                parts.append(pen + self._point(place + 1, value) + ("h0" if pen == "M" else ""))
                pen = "L"
        return "".join(parts)

    def band(self, low: Sequence[float], high: Sequence[float]) -> str:
        """Return the closed path between two lines."""
        points = [*enumerate(high, 1), *reversed([*enumerate(low, 1)])]
        return "M" + "L".join(self._point(*point) for point in points) + "Z"

    def dots(self, points: Iterable[Point]) -> str:
        """Return a path with one dot for each distinct point. The path needs round line caps."""
        return "".join(f"M{point}h0" for point in dict.fromkeys(self._point(*p) for p in points))

    def level(self, value: float) -> str:
        """Return the path of a horizontal line through the whole panel."""
        return f"M0 {self.across(value):g}H{self.width:g}"

    def across(self, value: float) -> float:
        """Return the vertical place of a value."""
        return round(self.height * (1 - self.y.share(value)), 1)

    @cached_property
    def x_marks(self) -> list[Mark]:
        """Labels below the panel."""
        return [(round(self.width * self.x.share(mark), 1), f"{mark:g}") for mark in self.x.marks]

    @cached_property
    def y_marks(self) -> list[Mark]:
        """Labels at the left of the panel."""
        return [(self.across(mark), f"{mark:g}") for mark in self.y.marks]

    def _point(self, x: float, y: float) -> str:
        return f"{round(self.width * self.x.share(x), 1):g} {self.across(y):g}"


def _next(values: Sequence[float | None], place: int) -> float | None:
    return values[place + 1] if place + 1 < len(values) else None
