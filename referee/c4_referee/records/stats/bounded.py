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

In this module, ``weights`` has one weight for each of several equally spaced values. The first
value is 0 and the last is 1. There are few values, and most matches need only this module of all
statistics. Therefore it does without numpy, whose import would take longer than the rest of a short
match.
"""

from cmath import exp, log
from collections.abc import Sequence
from math import pi

from c4_referee.records.stats.roots import root_of

TAIL_PROBABILITY = 0.025
"""Probability that the mean lies below a 95% interval. The probability above it is the same."""
END_MARGIN = 1e-14
"""Margin at both ends of a range in which no root is searched for, relative to the range."""
QUANTILE_TOLERANCE = 1e-13
"""Maximum error of a quantile."""
HALF_QUADRATURE_RULE = (
    (0.09501250983763744, 0.1894506104550685),
    (0.28160355077925891, 0.18260341504492359),
    (0.45801677765722739, 0.16915651939500254),
    (0.61787624440264375, 0.14959598881657673),
    (0.75540440835500303, 0.12462897125553387),
    (0.86563120238783174, 0.09515851168249278),
    (0.94457502307323258, 0.06225352393864789),
    (0.98940093499164993, 0.02715245941175409),
)
QUADRATURE_RULE = tuple(
    ((1 + sign * node) / 2, weight / 2)
    for sign, rule in ((-1, HALF_QUADRATURE_RULE[::-1]), (1, HALF_QUADRATURE_RULE))
    for node, weight in rule
)
"""Nodes and weights of Gauss-Legendre quadrature with 16 points on the range from 0 to 1."""
NEGLIGIBLE_EXPONENT = 38.0
"""Decrease of the integrand's logarithm at which integration stops.

The remaining part is negligible, because e^-38 is 3e-17.
"""
WeightAndFactor = tuple[float, float]
"""Shape of a gamma variable, and the factor by which the variable is multiplied in a sum."""


def interval(counts: Sequence[int], tail: float) -> tuple[float, float]:
    """Return the lower and the upper bound of the mean of observations.

    The mean is below the lower bound with probability ``tail`` at most, and above the upper bound
    with the same probability at most. ``counts`` has the number of observations of each of several
    equally spaced values. The first value is 0 and the last is 1.
    """
    return (
        quantile(_weights_with_ends(counts, 1, 0), tail),
        quantile(_weights_with_ends(counts, 0, 1), 1 - tail),
    )


def confidence_above(counts: Sequence[float], value: float) -> float:
    """Return the confidence, 0 to 1, with which the lower bound of the mean is above ``value``.

    It is at least ``1 - tail`` if the lower bound of ``interval`` is at least ``value``.
    """
    return 1 - probability_below(_weights_with_ends(counts, 1, 0), value)


def likelihood_above(counts: Sequence[float], value: float) -> float:
    """Return the likelihood, 0 to 1, that the mean is above ``value`` (see ``interval``).

    Half an observation is added at 0, and half an observation at 1. This is a compromise: the lower
    bound adds a whole observation at 0, the upper bound a whole observation at 1. If all
    observations are 0 or 1, the result is the posterior probability under Jeffreys' prior.
    """
    return 1 - probability_below(_weights_with_ends(counts, 0.5, 0.5), value)


def quantile(weights: Sequence[float], probability: float) -> float:
    """Return a quantile of the mean under random (Dirichlet) weights."""
    last = len(weights) - 1
    values = [step / last for step, weight in enumerate(weights) if weight > 0]
    low, high = values[0], values[-1]
    if low == high:
        return low
    margin = END_MARGIN * (high - low)
    return root_of(
        lambda value: probability_below(weights, value) - probability,
        low + margin,
        high - margin,
        QUANTILE_TOLERANCE,
    )


def probability_below(weights: Sequence[float], value: float) -> float:
    """Return the probability that the mean under random (Dirichlet) weights is below ``value``.

    Dirichlet weights are independent gamma variables divided by their sum. To compare the mean with
    ``value``, each gamma variable is multiplied by the difference between its observation and
    ``value``. The mean is below ``value`` if the sum of these products is negative.
    """
    last = len(weights) - 1
    terms = [
        (float(weight), step / last - value) for step, weight in enumerate(weights) if weight > 0
    ]
    if sum(shape * away for shape, away in terms) > 0:
        return probability_above_zero([(shape, -away) for shape, away in terms])
    return 1 - probability_above_zero(terms)


def probability_above_zero(terms: Sequence[WeightAndFactor]) -> float:
    """Return the probability that a weighted sum of independent gamma variables is above 0.

    The method is the inverse Laplace transform along the path of steepest descent from the saddle
    point (Rice 1980, *Distribution of quadratic forms in normal random variables*, SIAM Journal on
    Scientific and Statistical Computing 1). The integrand does not oscillate on this path. The
    integral does not depend on the path, so an approximate path is enough. It consists of straight
    pieces, which are short compared with their distance from the singularities. Each piece is
    integrated by Gauss-Legendre quadrature.
    """
    largest = max(factor for _, factor in terms)
    if largest <= 0:
        return 0.0
    terms = [(shape, factor / largest) for shape, factor in terms]
    saddle = _saddle_point(terms)
    if saddle is None:
        return 1.0
    singularities = [0.0, *(1 / factor for _, factor in terms if factor)]
    point: complex = saddle
    ahead = 1j
    start = height = _logarithm_of_integrand(terms, point).real
    total = 0.0
    while height > start - NEGLIGIBLE_EXPONENT:
        steepness = [(shape, factor / (1 - factor * point)) for shape, factor in terms]
        slope = sum(shape * steep for shape, steep in steepness) - 1 / point
        curvature = sum(shape * steep**2 for shape, steep in steepness) + point**-2
        if total:
            ahead = -slope.conjugate() / abs(slope)
        piece = ahead * min(
            0.7 * min(abs(singularity - point) for singularity in singularities),
            3 / max(abs(slope), END_MARGIN),
            2 * abs(curvature) ** -0.5,
        )
        values = [
            _logarithm_of_integrand(terms, point + piece * node) for node, _ in QUADRATURE_RULE
        ]
        heights = zip(values, QUADRATURE_RULE, strict=True)
        total += (piece * sum(exp(value) * weight for value, (_, weight) in heights)).imag
        point += piece
        height = values[-1].real
    return min(max(total / pi, 0.0), 1.0)


def _saddle_point(terms: Sequence[WeightAndFactor]) -> float | None:
    """Return the point between 0 and 1 on the real axis at which the integrand is smallest.

    The largest factor must be 1. The result is ``None`` if the point is so near 1 that the
    probability of a sum above 0 is practically 1.
    """

    def slope(point: float) -> float:
        return sum(shape * factor / (1 - factor * point) for shape, factor in terms) - 1 / point

    if slope(1 - END_MARGIN) <= 0:
        return None
    return root_of(slope, END_MARGIN, 1 - END_MARGIN, END_MARGIN)


def _logarithm_of_integrand(terms: Sequence[WeightAndFactor], point: complex) -> complex:
    """Return the logarithm of the integrand.

    The integrand is the moment generating function of the weighted sum, divided by its argument.
    """
    return -log(point) - sum(shape * log(1 - factor * point) for shape, factor in terms)


def _weights_with_ends(counts: Sequence[float], first: float, last: float) -> list[float]:
    """Return the counts as weights, with an addition to the first and to the last."""
    weights = [float(count) for count in counts]
    weights[0] += first
    weights[-1] += last
    return weights
