"""Distribution of the times of a bot's moves, as a chart."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from statistics import median

from c4_referee.site.results import quantile
from c4_referee.site.texts import time_text

STEPS = (1, 2, 5)
"""Bounds between bins, as factors of powers of ten."""
BOUNDS = tuple(step * 10.0**power for power in range(-2, 8) for step in STEPS)
"""Bounds between bins, in milliseconds. Each bin is about twice as wide as the one before."""
BIN_WIDTH = 56
"""Width of a bin in a chart, in units of its drawing."""
HEIGHT = 120
"""Height of the highest bar, in units of the drawing."""


@dataclass(frozen=True)
class Bar:
    """A bar of a chart. ``height`` is in units of the drawing, ``share`` the share of all moves."""

    x: int
    height: float
    share: float
    moves: int


@dataclass(frozen=True)
class TimeChart:
    """Times of moves: a histogram, and figures in texts.

    ``marks`` are the bounds of the bins that are labelled, each with its x coordinate.
    """

    bars: Sequence[Bar]
    marks: Sequence[tuple[int, str]]
    width: int
    moves: int
    median: str
    most: str
    longest: str


def time_chart(times: Sequence[float]) -> TimeChart | None:
    """Return the chart of times in milliseconds, in order of time; ``None`` if there are none."""
    if not times:
        return None
    bins = Counter(bisect_right(BOUNDS, ms) for ms in times)
    first, last = min(bins), max(bins)
    highest = max(bins.values())
    bars = [
        Bar(x, round(HEIGHT * bins[index] / highest, 1), bins[index] / len(times), bins[index])
        for x, index in zip(count(0, BIN_WIDTH), range(first, last + 1), strict=False)
    ]
    bounds = BOUNDS[max(first - 1, 0) : last + 1]
    start = 0 if first else BIN_WIDTH
    marks = [*zip(count(start, BIN_WIDTH), map(_bound_text, bounds), strict=False)]
    return TimeChart(
        bars=bars,
        marks=marks,
        width=BIN_WIDTH * len(bars),
        moves=len(times),
        median=time_text(median(times)),
        most=time_text(quantile(times, 0.95)),
        longest=time_text(times[-1]),
    )


def _bound_text(ms: float) -> str:
    """Return the bound of a bin without superfluous digits."""
    return f"{ms:g} ms" if ms < 1000 else f"{ms / 1000:g} s"
