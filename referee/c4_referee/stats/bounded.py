"""Bounds of the mean of observations between 0 and 1, for any distribution.

These are Gaffke's bounds (Gaffke 2005, *Three test statistics for a nonparametric one-sided
hypothesis on the mean of a nonnegative variable*, Mathematical Methods of Statistics 14). For the
lower bound, an observation of 0 is added. For the upper bound, an observation of 1 is added. Then
all observations get random weights with the sum 1, and all combinations of weights are equally
likely. The bound is a quantile of the weighted mean. If all observations are 0 or 1, the bounds are
the exact interval of Clopper and Pearson. With many observations of any kind they approach the
normal interval. They are defined for every sample. It is a conjecture that the bounds hold for
every distribution. No counterexample is known (Phan, Thomas and Learned-Miller 2021, *Towards
practical mean bounds for small samples*, ICML).

Percentage of nominal 95% intervals that contained the true mean, for the kind of match with the
lowest percentage. ``tests/bench/coverage.py`` simulated 2,000 matches of each of 125 kinds:

    pairs of games                4     10     40    400  4,000
    these bounds               99.0   97.5   96.2   95.2   94.5
    normal approximation        6.8   17.8   54.4   88.9   94.0

The interval of Clopper and Pearson contained the true mean in 86 to 92% of the matches if games
count as independent. If pairs count as won or lost, this interval contained the true mean in 96% or
more, but it was up to 1.6 times as wide.

In this module, an array ``weights`` has one weight for each of several equally spaced values. The
first value is 0 and the last is 1.
"""

from collections.abc import Sequence

import numpy as np

from c4_referee.stats.array import Complex, Floats
from c4_referee.stats.roots import root

TAIL = 0.025
"""Probability that the mean lies below a 95% interval. The probability above it is the same."""
END_MARGIN = 1e-14
"""Margin at both ends of a range in which no root is searched for, relative to the range."""
QUANTILE_TOLERANCE = 1e-13
"""Maximum error of a quantile."""
NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(16)
NEGLIGIBLE = 38.0
"""Decrease of the integrand's logarithm at which integration stops.

The remaining part is negligible, because e^-38 is 3e-17.
"""


def interval(counts: Sequence[int], tail: float) -> tuple[float, float]:
    """Return the lower and the upper bound of the mean of observations.

    The mean is below the lower bound with probability ``tail`` at most, and above the upper bound
    with the same probability at most. ``counts`` has the number of observations of each of several
    equally spaced values. The first value is 0 and the last is 1.
    """
    seen = np.asarray(counts, float)
    return quantile(seen + _at_ends(seen, 1, 0), tail), quantile(
        seen + _at_ends(seen, 0, 1), 1 - tail
    )


def likelihood_above(counts: Sequence[int], value: float) -> float:
    """Return the likelihood, 0 to 1, that the mean is above ``value`` (see ``interval``).

    Half an observation is added at 0, and half an observation at 1. This is a compromise: the lower
    bound adds a whole observation at 0, the upper bound a whole observation at 1. If all
    observations are 0 or 1, the result is the posterior probability under Jeffreys' prior.
    """
    seen = np.asarray(counts, float)
    return 1 - probability_below(seen + _at_ends(seen, 0.5, 0.5), value)


def quantile(weights: Floats, probability: float) -> float:
    """Return a quantile of the mean under random (Dirichlet) weights."""
    values = np.linspace(0, 1, len(weights))[weights > 0]
    if len(values) == 1:
        return float(values[0])
    low, high = float(values[0]), float(values[-1])
    margin = END_MARGIN * (high - low)
    return root(
        lambda value: probability_below(weights, value) - probability,
        low + margin,
        high - margin,
        QUANTILE_TOLERANCE,
    )


def probability_below(weights: Floats, value: float) -> float:
    """Return the probability that the mean under random (Dirichlet) weights is below ``value``.

    Dirichlet weights are independent gamma variables divided by their sum. To compare the mean with
    ``value``, each gamma variable is multiplied by the difference between its observation and
    ``value``. The mean is below ``value`` if the sum of these products is negative.
    """
    present = weights > 0
    away = (np.linspace(0, 1, len(weights)) - value)[present]
    shapes = weights[present]
    if shapes @ away > 0:
        return gammas_above_zero(shapes, -away)
    return 1 - gammas_above_zero(shapes, away)


def gammas_above_zero(shapes: Floats, factors: Floats) -> float:
    """Return the probability that a weighted sum of gamma variables is above 0.

    Each variable has an entry in ``shapes``, and its weight is the entry in ``factors``. The method
    is the inverse Laplace transform along the path of steepest descent from the saddle point (Rice
    1980, *Distribution of quadratic forms in normal random variables*, SIAM Journal on Scientific
    and Statistical Computing 1). The integrand does not oscillate on this path. The integral does
    not depend on the path, so an approximate path is enough. It consists of straight pieces, which
    are short compared with their distance from the singularities. Each piece is integrated by
    Gauss-Legendre quadrature.
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
            3 / max(abs(slope), END_MARGIN),
            2 * abs(curvature) ** -0.5,
        )
        values = _logarithm(shapes, factors, point + piece * (NODES + 1) / 2)
        total += float((np.exp(values) @ NODE_WEIGHTS * piece / 2).imag)
        point = point + piece
        height = values[-1].real
    return min(max(total / np.pi, 0.0), 1.0)


def _saddle(shapes: Floats, factors: Floats) -> float | None:
    """Return the point between 0 and 1 on the real axis at which the integrand is smallest.

    The largest factor must be 1. The result is ``None`` if the point is so near 1 that the
    probability of a sum above 0 is practically 1.
    """

    def slope(point: float) -> float:
        return float(shapes @ (factors / (1 - factors * point)) - 1 / point)

    if slope(1 - END_MARGIN) <= 0:
        return None
    return root(slope, END_MARGIN, 1 - END_MARGIN, END_MARGIN)


def _logarithm(shapes: Floats, factors: Floats, points: Complex) -> Complex:
    """Return the logarithm of the integrand.

    The integrand is the moment generating function of the weighted sum, divided by its argument.
    """
    logarithm: Complex = -(shapes @ np.log(1 - np.outer(factors, points))) - np.log(points)
    return logarithm


def _at_ends(like: Floats, first: float, last: float) -> Floats:
    """Return weights in the shape of ``like``. All except the first and the last are 0."""
    ends = np.zeros_like(like)
    ends[0], ends[-1] = first, last
    return ends
