"""The ratio of two means with a 95% interval, which may be infinite."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import covariance, fmean, variance
from typing import Literal

from c4_referee.records.stats.bounded import quantile

RatioVerdict = Literal["agrees", "differs", "undecided"]
"""Result of the comparison of a ratio with an expected value."""

CONFIDENCE_LEVEL = 0.95
"""Confidence level of the interval."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of means and its 95% interval. Without bounds, ``low`` and ``high`` are infinite."""

    value: float
    low: float
    high: float

    @property
    def is_bounded(self) -> bool:
        """True if the measurements limit the ratio."""
        return math.isfinite(self.high)

    def compare(self, expected: float, factor: float) -> RatioVerdict:
        """Return whether the ratio is within ``factor`` of an expected value.

        The ratio agrees if the whole interval lies between ``expected / factor`` and ``expected *
        factor``, and it differs if the whole interval lies outside. Otherwise more measurements are
        needed. This is a test of equivalence (Schuirmann 1987, Journal of Pharmacokinetics and
        Biopharmaceutics 15). Its answer does not depend on small differences: whether an interval
        contains one exact value is decided by chance if the ratio is close to this value.
        """
        lowest, highest = expected / factor, expected * factor
        if lowest <= self.low and self.high <= highest:
            return "agrees"
        return "differs" if self.high < lowest or highest < self.low else "undecided"


def ratio_of_means(above: Sequence[float], below: Sequence[float]) -> Ratio:
    """Return the mean of ``above`` divided by the mean of ``below``.

    Entries with the same index are a pair of measurements. Pairs are independent of each other. The
    interval is Fieller's (1954, Journal of the Royal Statistical Society B 16). It is infinite if
    there are fewer than two pairs, or if the mean of ``below`` cannot be distinguished from 0.
    """
    over, under = fmean(above), fmean(below)
    value = over / under if under else math.inf
    if len(above) < 2 or not under:
        return Ratio(value, -math.inf, math.inf)
    count = len(above)
    t = student_bound(count - 1, CONFIDENCE_LEVEL)
    # The interval contains the ratios r with (over - r under)^2 <= t^2 var(over - r under). So its
    # ends are the roots of a quadratic equation.
    a = under**2 - t**2 * variance(below) / count
    b = over * under - t**2 * covariance(above, below) / count
    c = over**2 - t**2 * variance(above) / count
    if a <= 0:
        return Ratio(value, -math.inf, math.inf)
    half = math.sqrt(max(0.0, b**2 - a * c))
    return Ratio(value, (b - half) / a, (b + half) / a)


@cache
def student_bound(freedom: int, level: float) -> float:
    """Return the bound that a variable with Student's t distribution does not exceed in size.

    ``level`` is the probability of this, ``freedom`` the number of degrees of freedom, n. The
    variable n / (n + t^2) has the beta distribution with the shapes n / 2 and 1/2 (Abramowitz and
    Stegun 1964, *Handbook of Mathematical Functions*, 26.5.27), as the mean of two values with
    these weights has (``bounded.quantile``). The relative error is below 3e-9, and below 1e-10 from
    two degrees of freedom on.
    """
    share = quantile([0.5, freedom / 2], 1 - level)
    return math.sqrt(freedom * (1 - share) / share)
