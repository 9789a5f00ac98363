"""Roots are found between points at which a function's signs differ."""

import math

import pytest
from c4_referee.stats.roots import root
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize("tolerance", [1e-3, 1e-14])
@given(st.floats(-5, 5))
def test_root_is_near_the_true_one(tolerance, place):
    """Whether the function is straight, bent, steep or flat at its root, rising or falling."""
    for function in (
        lambda x: x - place,
        lambda x: place - x,
        lambda x: (x - place) ** 3,
        lambda x: math.expm1(20 * (x - place)),
        lambda x: math.atan(1e6 * (x - place)),
    ):
        found = root(function, -6, 7, tolerance)
        assert abs(found - place) <= tolerance + 1e-14 or function(found) == 0


def test_root_at_an_end_is_found():
    """An end at which the function is 0 is the root."""
    assert root(lambda x: x, 0, 1, 1e-9) == 0
    assert root(lambda x: x - 1, 0, 1, 1e-9) == 1
