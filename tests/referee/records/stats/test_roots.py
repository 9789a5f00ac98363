"""The root finder, tested on difficult functions."""

import math

import pytest
from c4_referee.records.stats.roots import root_of
from hypothesis import given
from hypothesis import strategies as st

FUNCTIONS = {
    "line": lambda x: 3 * x - 1,
    "falling line": lambda x: 1 - 3 * x,
    "pole at one end": lambda x: 4 - 1 / (x + 1e-14),
    "flat around the root": lambda x: (x - 0.4) ** 9,
    "almost a step": lambda x: math.atan(1e9 * (x - 0.123)),
    "exponential": lambda x: math.exp(20 * x) - 2,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_sign_changes_at_the_root(name):
    """The function has different signs just before and just after the root."""
    function = FUNCTIONS[name]
    found = root_of(function, 0, 1, 1e-12)
    before, after = (function(found + away) for away in (-2e-12, 2e-12))
    assert before * after <= 0


@given(
    st.lists(st.floats(0, 5), min_size=3, max_size=3),
    st.floats(-3, 3),
    st.floats(1e-12, 1e-3),
)
def test_sign_changes_within_the_tolerance(coefficients, root_of_line, tolerance):
    """A rising polynomial is at most 0 just before its root, and at least 0 just after it."""

    def function(x: float) -> float:
        away = x - root_of_line
        return (
            sum(factor * away**power for factor, power in zip(coefficients, (3, 5, 7), strict=True))
            + away
        )

    found = root_of(function, -4, 4, tolerance)
    assert function(found - tolerance) <= 0 <= function(found + tolerance)


def test_a_root_at_an_end_is_returned():
    """A root at an end of the interval is returned exactly."""
    assert root_of(lambda x: x, 0, 1, 1e-12) == 0
    assert root_of(lambda x: x - 1, 0, 1, 1e-12) == 1


def test_steps_are_few():
    """A smooth function's root is found to twelve digits in fewer steps than by bisection."""
    calls = []

    def function(x: float) -> float:
        calls.append(x)
        return math.exp(x) - 2

    root_of(function, 0, 1, 1e-12)
    assert len(calls) < 12
