"""The ratio of two means with a 95% interval, which may be infinite."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import correlation, fmean, stdev

LEVEL = 0.95
"""Confidence level of the interval."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of means and its 95% interval. Without bounds, ``low`` and ``high`` are infinite."""

    value: float
    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Return whether the interval contains a value."""
        return self.low <= value <= self.high


def ratio_of_means(above: Sequence[float], below: Sequence[float]) -> Ratio:
    """Return the mean of ``above`` divided by the mean of ``below``.

    Entries with the same index are a pair of measurements. Pairs are independent of each other. The
    interval is Fieller's (1954, Journal of the Royal Statistical Society B 16). It is infinite if
    there are fewer than two pairs, or if the mean of ``below`` cannot be distinguished from 0.
    """
    from scipy.special import stdtrit  # noqa: PLC0415 - scipy takes half a second

    over, under = fmean(above), fmean(below)
    value = over / under if under else math.inf
    if len(above) < 2 or not under:
        return Ratio(value, -math.inf, math.inf)
    count = len(above)
    t = float(stdtrit(count - 1, (1 + LEVEL) / 2))
    spread_over, spread_under = stdev(above), stdev(below)
    shared = _covariance(above, below, spread_over, spread_under)
    # The interval contains the ratios r with (over - r under)^2 <= t^2 var(over - r under). So its
    # ends are the roots of a quadratic equation.
    a = under**2 - t**2 * spread_under**2 / count
    b = over * under - t**2 * shared / count
    c = over**2 - t**2 * spread_over**2 / count
    if a <= 0:
        return Ratio(value, -math.inf, math.inf)
    half = math.sqrt(max(0.0, b**2 - a * c))
    return Ratio(value, (b - half) / a, (b + half) / a)


def _covariance(
    above: Sequence[float], below: Sequence[float], spread_above: float, spread_below: float
) -> float:
    if not spread_above or not spread_below:
        return 0.0
    return correlation(above, below) * spread_above * spread_below
