"""Scales of ratios. Golden files show the plots."""

import math

import pytest
from c4_referee.tuning.plot import ratio_scale


@pytest.mark.parametrize("values", [[3, 6], [0.02, 98], [3], [0, 3, math.inf, 6]])
def test_every_ratio_is_inside_its_scale(values) -> None:
    """A scale of ratios has room around all positive values, and labels inside."""
    scale = ratio_scale(values)
    for value in values:
        if 0 < value < math.inf:
            assert 0 < scale.share(value) < 1
    assert all(0 <= scale.share(mark) <= 1 for mark in scale.marks)
    assert scale.share(0) == 0
    assert scale.share(-math.inf) == 0
    assert scale.share(math.inf) == 1
