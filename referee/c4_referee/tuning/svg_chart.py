"""A chart as data: its scale and its series. ``Panel`` turns it into SVG path data for a page."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

LABEL_DISTANCE = 14.0
"""Minimum distance of two labels at the right of a plot, in SVG units."""
SCALE_MARGIN = 1.15
"""Factor between the ends of a logarithmic scale and the values that are nearest to them."""

AxisMark = tuple[float, str]
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
        low, high = self.low, self.high
        if self.logarithmic:
            low, high = math.log(low), math.log(high)
            value = math.log(value) if value > 0 else -math.inf
        return min(1.0, max(0.0, (value - low) / (high - low)))

    def percent(self, value: float) -> float:
        """Return the place of a value in percent of the axis."""
        return round(100 * self.share(value), 1)


def round_scale(last: int) -> Scale:
    """Return the scale of rounds 1 to ``last``, with about four labels."""
    steps = (digit * 10**power for power in range(10) for digit in (1, 2, 5))
    step = next(step for step in steps if last <= 5 * step)
    between = range(step, last - step // 2, step) if step > 1 else range(2, last)
    return Scale(1, max(2, last), tuple(dict.fromkeys((1, *between, last))))


def ratio_scale(values: Iterable[float]) -> Scale:
    """Return a logarithmic scale that contains all positive values, with labels at 1, 2, 5, 10."""
    usable = [value for value in values if 0 < value < math.inf]
    low, high = min(usable) / SCALE_MARGIN, max(usable) * SCALE_MARGIN
    marks = (digit * 10.0**power for power in range(-3, 5) for digit in (1, 2, 5))
    return Scale(low, high, tuple(mark for mark in marks if low <= mark <= high), logarithmic=True)


class Line(NamedTuple):
    """A line through values at x = 1, 2 and so on, with a label at its end. ``None`` is a gap.

    ``hue`` is the number of its colour, from 1.
    """

    values: Sequence[float | None]
    hue: int
    label: str = ""


class Band(NamedTuple):
    """The area between two lines. ``hue`` is the number of its colour."""

    low: Sequence[float]
    high: Sequence[float]
    hue: int


class Dots(NamedTuple):
    """Points, each as x and y."""

    points: Sequence[tuple[float, float]]


class LevelLine(NamedTuple):
    """A dashed horizontal line. ``kind`` is its CSS class."""

    value: float
    kind: str = "level"


Series = Line | Band | Dots | LevelLine


@dataclass(frozen=True)
class Chart:
    """A chart: its title, a summary in words, its vertical scale, and its series, lowest first."""

    title: str
    summary: str
    scale: Scale
    series: Sequence[Series]

    @property
    def lines(self) -> list[Line]:
        """The lines of the chart, at least one."""
        return [series for series in self.series if isinstance(series, Line)]


@dataclass(frozen=True)
class Panel:
    """The area in which a chart is drawn, with its size in SVG units."""

    chart: Chart
    width: float = 260.0
    height: float = 180.0

    @cached_property
    def _round_scale(self) -> Scale:
        return round_scale(len(self.chart.lines[0].values))

    @cached_property
    def paths(self) -> list[tuple[str, str]]:
        """The CSS class and the SVG path data of each series."""
        return [self._path_of_series(series) for series in self.chart.series]

    def _path_of_series(self, series: Series) -> tuple[str, str]:
        match series:
            case Line(values, hue):
                return f"line seq{hue}", self._path_of_line(values)
            case Band(low, high, hue):
                border = [*enumerate(high, 1), *reversed([*enumerate(low, 1)])]
                path = "L".join(self._svg_point(*point) for point in border)
                return f"band seq{hue}", f"M{path}Z"
            case Dots(points):
                # Round line caps make a dot of each point.
                places = dict.fromkeys(self._svg_point(*point) for point in points)
                return "dots", "".join(f"M{place}h0" for place in places)
            case LevelLine(value, kind):
                return kind, f"M0 {self._x_of_round(value):g}H{self.width:g}"

    def _path_of_line(self, values: Sequence[float | None]) -> str:
        parts: list[str] = []
        pen = "M"
        for place, value in enumerate(values):
            if value is None:
                pen = "M"
            elif pen == "M" or [value] * 3 != [*values[place - 1 : place + 2]]:
                # A dot at the start: a line of one point is visible, too.
                parts.append(pen + self._svg_point(place + 1, value) + ("h0" if pen == "M" else ""))
                pen = "L"
        return "".join(parts)

    @cached_property
    def labels(self) -> list[tuple[str, float, str]]:
        """CSS class, vertical place and text of the labels at the right, lowest value first.

        They are beside the ends of lines, but far enough from each other.
        """
        placed: list[tuple[str, float, str]] = []
        lowest = self.height + LABEL_DISTANCE
        ends = [(end, line) for line in self.chart.lines if (end := line.values[-1]) is not None]
        for end, line in sorted(ends, key=lambda pair: pair[0]):
            lowest = min(self._x_of_round(end) + 4, lowest - LABEL_DISTANCE)
            placed.append((f"label seq{line.hue}", round(lowest, 1), line.label))
        return placed

    @cached_property
    def x_marks(self) -> list[AxisMark]:
        """Labels below the panel."""
        rounds = self._round_scale
        return [(round(self.width * rounds.share(x), 1), f"{x:g}") for x in rounds.marks]

    @cached_property
    def y_marks(self) -> list[AxisMark]:
        """Labels at the left of the panel."""
        return [(self._x_of_round(mark), f"{mark:g}") for mark in self.chart.scale.marks]

    def _x_of_round(self, value: float) -> float:
        return round(self.height * (1 - self.chart.scale.share(value)), 1)

    def _svg_point(self, x: float, y: float) -> str:
        return f"{round(self.width * self._round_scale.share(x), 1):g} {self._x_of_round(y):g}"
