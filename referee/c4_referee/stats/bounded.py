"""What observations between 0 and 1 say of their mean, whatever their distribution is.

Gaffke's bounds (Gaffke 2005, *Three test statistics for a nonparametric one-sided hypothesis on the
mean of a nonnegative variable*, Mathematical Methods of Statistics 14): weigh the observations at
random, all weights being equally likely, together with one more observation at the far end of the
range, and take a quantile of the mean. With observations of 0 and 1 alone that is the exact
interval of Clopper and Pearson; with many of any kind it is the normal one; and there is no sample
for which it is undefined. That it covers for every distribution is a conjecture that nobody has
found to fail (Phan, Thomas and Learned-Miller 2021, *Towards practical mean bounds for small
samples*, ICML).

Measured by ``tests/bench/coverage.py``, 2,000 matches of each of 125 sorts: nominal 95% intervals
hold the truth in 99.0, 97.5, 96.2, 95.2 and 94.5% of the worst sort for 4, 10, 40, 400 and 4,000
pairs of games. The normal approximation holds it in 6.8, 17.8, 54.4, 88.9 and 94.0%; Clopper and
Pearson's for games as if independent in 86 to 92%, and for pairs as if won or lost in 96% and more,
but it is up to 1.6 times as wide.

Throughout, ``weights`` belong to values that are equally far apart: the first to 0, the last to 1.
"""

from collections.abc import Sequence

import numpy as np

from c4_referee.stats.array import Complex, Floats
from c4_referee.stats.roots import root

SMALLEST = 1e-14
"""How near the ends of the range the search for a root goes."""
EXACT = 1e-13
"""How near a quantile is found."""
NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(16)
NEGLIGIBLE = 38.0
"""How far the integrand's logarithm falls until nothing is left of it: e^-38 is 3e-17."""


def interval(counts: Sequence[int], tail: float) -> tuple[float, float]:
    """Bounds of the mean, each of which it is beyond with probability ``tail`` at most.

    ``counts`` tells how often each value was observed.
    """
    seen = np.asarray(counts, float)
    return quantile(seen + _at_ends(seen, 1, 0), tail), quantile(
        seen + _at_ends(seen, 0, 1), 1 - tail
    )


def likelihood_above(counts: Sequence[int], value: float) -> float:
    """How likely it is that the mean is above a value: the probability between both bounds'.

    Half an observation at each end; with values of 0 and 1 alone it is the posterior probability
    under Jeffreys' prior.
    """
    seen = np.asarray(counts, float)
    return 1 - probability_below(seen + _at_ends(seen, 0.5, 0.5), value)


def quantile(weights: Floats, probability: float) -> float:
    """The quantile of the mean of values weighed at random (Dirichlet)."""
    values = np.linspace(0, 1, len(weights))[weights > 0]
    if len(values) == 1:
        return float(values[0])
    low, high = float(values[0]), float(values[-1])
    margin = SMALLEST * (high - low)
    return root(
        lambda value: probability_below(weights, value) - probability,
        low + margin,
        high - margin,
        EXACT,
    )


def probability_below(weights: Floats, value: float) -> float:
    """How likely the mean of values weighed at random (Dirichlet) is to be below ``value``.

    Dirichlet weights are independent gamma variables over their sum, so that the mean is below
    ``value`` when the sum of gammas times (value of theirs - ``value``) is below 0.
    """
    present = weights > 0
    away = (np.linspace(0, 1, len(weights)) - value)[present]
    shapes = weights[present]
    if shapes @ away > 0:
        return gammas_above_zero(shapes, -away)
    return 1 - gammas_above_zero(shapes, away)


def gammas_above_zero(shapes: Floats, factors: Floats) -> float:
    """How likely the sum of gamma variables of these shapes times these factors is above 0.

    By the inverse Laplace transform along the path of steepest descent from its saddle point, where
    the integrand does not oscillate (Rice 1980, *Distribution of quadratic forms in normal random
    variables*, SIAM Journal on Scientific and Statistical Computing 1). The path may be rough, as
    the integral does not depend on it: Gauss-Legendre on straight pieces, none of which is long
    beside its distance from the singularities.
    """
    largest = factors.max()
    if largest <= 0:
        return 0.0
    factors = factors / largest
    saddle = _saddle(shapes, factors)
    if saddle is None:
        return 1.0
    singularities = np.append(1 / factors[factors != 0], 0)
    point: complex = saddle
    ahead = 1j
    start = height = _logarithm(shapes, factors, np.array([point]))[0].real
    total = 0.0
    while height > start - NEGLIGIBLE:
        steepness = factors / (1 - factors * point)
        slope = complex(shapes @ steepness - 1 / point)
        curvature = complex(shapes @ steepness**2 + point**-2)
        if total:
            ahead = -slope.conjugate() / abs(slope)
        piece = ahead * min(
            0.7 * abs(singularities - point).min(),
            3 / max(abs(slope), SMALLEST),
            2 * abs(curvature) ** -0.5,
        )
        values = _logarithm(shapes, factors, point + piece * (NODES + 1) / 2)
        total += float((np.exp(values) @ NODE_WEIGHTS * piece / 2).imag)
        point = point + piece
        height = values[-1].real
    return min(max(total / np.pi, 0.0), 1.0)


def _saddle(shapes: Floats, factors: Floats) -> float | None:
    """Where the integrand is least on the real axis, between 0 and 1, the largest factor being 1.

    ``None`` if that is so near 1 that the other factors are as good as none.
    """

    def slope(point: float) -> float:
        return float(shapes @ (factors / (1 - factors * point)) - 1 / point)

    if slope(1 - SMALLEST) <= 0:
        return None
    return root(slope, SMALLEST, 1 - SMALLEST, SMALLEST)


def _logarithm(shapes: Floats, factors: Floats, points: Complex) -> Complex:
    """Of the integrand: the gamma variables' moment generating function over its argument."""
    logarithm: Complex = -(shapes @ np.log(1 - np.outer(factors, points))) - np.log(points)
    return logarithm


def _at_ends(like: Floats, first: float, last: float) -> Floats:
    """Weights at 0 and at 1, and none between."""
    ends = np.zeros_like(like)
    ends[0], ends[-1] = first, last
    return ends
