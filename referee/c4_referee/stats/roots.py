"""Roots of functions of one variable."""

from collections.abc import Callable


def root(function: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """Return a root between two points at which the signs of a continuous function differ.

    The result differs from the root by at most ``tolerance``.
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - the import takes a quarter of a second

    return float(brentq(function, low, high, xtol=tolerance))
