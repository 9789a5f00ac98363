"""Roots of functions of one variable, without the half second that scipy takes to import."""

from collections.abc import Callable
from sys import float_info


def root(function: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """Return a root of a continuous function between two points at which its signs differ.

    It is off by ``tolerance`` at most, or by what a float cannot hold. Each step goes to where the
    inverse parabola through three points is 0 if these are in line enough, otherwise to the middle
    (Chandrupatla 1997, *A new hybrid quadratic/bisection algorithm for finding the zero of a
    nonlinear function without using derivatives*, Advances in Engineering Software 28).
    """
    last, at_last = low, function(low)
    end, at_end = high, function(high)
    share = 0.5
    while True:
        best, at_best = min((last, at_last), (end, at_end), key=lambda point: abs(point[1]))
        least = (tolerance / 2 + float_info.epsilon * abs(best)) / abs(end - last)
        if least > 0.5 or not at_best:
            return best
        following = last + min(max(share, least), 1 - least) * (end - last)
        at_following = function(following)
        left, at_left = last, at_last
        if (at_following > 0) != (at_last > 0):
            left, at_left, end, at_end = end, at_end, last, at_last
        last, at_last = following, at_following
        share = _share((last, end, left), (at_last, at_end, at_left))


def _share(points: tuple[float, float, float], values: tuple[float, float, float]) -> float:
    """Return where to go next from the first point, as a share of the way to the second one."""
    (a, b, c), (at_a, at_b, at_c) = points, values
    place, rise = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
    if not (rise**2 < place and (1 - rise) ** 2 < 1 - place):
        return 0.5
    towards_b = at_a / (at_b - at_a) * at_c / (at_b - at_c)
    return towards_b + (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
