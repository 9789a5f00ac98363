"""Roots of functions of one variable."""

from collections.abc import Callable
from sys import float_info

CurvePoint = tuple[float, float]
"""An argument of a function, and the value of the function at this argument."""


def root_of(function: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """Return a root of a continuous function between ``low`` and ``high``.

    The function must have different signs at these two points. The result differs from an exact
    root by at most ``tolerance``, or by the precision of a float if that is larger.

    If three known points are close to a straight line, the next step goes to the root of the
    inverse parabola through them. Otherwise it goes to the middle (Chandrupatla 1997, *A new hybrid
    quadratic/bisection algorithm for finding the zero of a nonlinear function without using
    derivatives*, Advances in Engineering Software 28).
    """
    newest, opposite = (low, function(low)), (high, function(high))
    step = 0.5
    while True:
        best, value = min(newest, opposite, key=lambda point: abs(point[1]))
        width = abs(opposite[0] - newest[0])
        shortest = (tolerance / 2 + float_info.epsilon * abs(best)) / width
        if shortest > 0.5 or not value:
            return best
        step = min(max(step, shortest), 1 - shortest)
        at = newest[0] + step * (opposite[0] - newest[0])
        newest, previous = (at, function(at)), newest
        if (newest[1] > 0) != (previous[1] > 0):
            opposite, previous = previous, opposite
        step = _fraction_of_next_step(newest, opposite, previous)


def _fraction_of_next_step(newest: CurvePoint, opposite: CurvePoint, previous: CurvePoint) -> float:
    """Return the next step from the newest point, as a fraction of the way to ``opposite``."""
    (a, f_a), (b, f_b), (c, f_c) = newest, opposite, previous
    xi, phi = (a - b) / (c - b), (f_a - f_b) / (f_c - f_b)
    if not (phi**2 < xi and (1 - phi) ** 2 < 1 - xi):
        return 0.5
    linear = f_a / (f_b - f_a) * f_c / (f_b - f_c)
    return linear + (c - a) / (b - a) * f_a / (f_c - f_a) * f_b / (f_c - f_b)
