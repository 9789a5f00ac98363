"""Roots of functions of one variable."""

from collections.abc import Callable


def root(function: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """Return a root of a continuous function between ``low`` and ``high``.

    The function must have different signs at these two points. The result differs from an exact
    root by at most ``tolerance``.
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - the import takes a quarter of a second

    return float(brentq(function, low, high, xtol=tolerance))
