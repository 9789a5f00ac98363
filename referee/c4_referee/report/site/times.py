"""Distribution of the times of a bot's moves, as a chart with figures."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from c4_referee.report.texts import time_text

BOUNDS = tuple(step * 10.0**power for power in range(-2, 8) for step in (1, 2, 5))
"""Bounds between the bars, in milliseconds. Each bar stands for times up to about twice those of
the bar before it, because times differ by powers of ten."""


@dataclass(frozen=True)
class Bar:
    """A bar of a chart. ``share`` is that of all moves, ``length`` is in percent of the longest."""

    label: str
    moves: int
    share: float
    length: float


@dataclass(frozen=True)
class TimeChart:
    """Times of moves: the bars of a histogram, and figures as texts."""

    bars: Sequence[Bar]
    moves: int
    median: str
    most: str
    longest: str


def time_chart(times: Sequence[float]) -> TimeChart | None:
    """Return the chart of sorted times in milliseconds, or ``None`` if there are no times."""
    if not times:
        return None
    bins = Counter(bisect_right(BOUNDS, ms) for ms in times)
    highest = max(bins.values())
    return TimeChart(
        bars=[
            Bar(_label(index), bins[index], bins[index] / len(times), 100 * bins[index] / highest)
            for index in range(min(bins), max(bins) + 1)
        ],
        moves=len(times),
        median=time_text(median(times)),
        most=time_text(times[min(len(times) - 1, int(0.95 * len(times)))]),
        longest=time_text(times[-1]),
    )


def _label(index: int) -> str:
    """Return the times of a bar as text."""
    if index == 0:
        return f"below {BOUNDS[0]:g} ms"
    low = BOUNDS[index - 1]
    unit, size = ("s", 1000) if low >= 1000 else ("ms", 1)
    if index == len(BOUNDS):
        return f"{low / size:,g} {unit} or more"
    return f"{low / size:,g} to {BOUNDS[index] / size:,g} {unit}"
