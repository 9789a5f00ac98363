"""The ratio of two means and its interval."""

import math
import random
from statistics import fmean

import pytest
from c4_referee.records.stats.ratio import Ratio, ratio_of_means, student_bound


def test_interval_of_one_run_is_everything() -> None:
    """The interval is unbounded for one run, or if the mean in the denominator may be 0."""
    assert ratio_of_means([3], [1]) == Ratio(3, -math.inf, math.inf)
    assert not ratio_of_means([3], [1]).is_bounded
    assert ratio_of_means([3, 4, 5], [1, -1, 0.1]).low == -math.inf


@pytest.mark.parametrize(
    ("freedom", "level", "bound"),
    [
        (1, 0.95, 12.706204736175),
        (2, 0.95, 4.302652729749),
        (5, 0.95, 2.570581835636),
        (5, 0.99, 4.032142983555),
        (30, 0.95, 2.042272456301),
        (1000, 0.95, 1.962339080826),
    ],
)
def test_bounds_are_those_of_tables(freedom, level, bound) -> None:
    """Bounds agree with tables of Student's t distribution."""
    assert student_bound(freedom, level) == pytest.approx(
        bound, rel=1e-8 if freedom == 1 else 1e-10
    )


def test_interval_is_that_of_a_mean_where_nothing_varies_below() -> None:
    """With a constant denominator, Fieller's interval is Student's: t(2) = 4.303, s = 1, n = 3."""
    found = ratio_of_means([2, 3, 4], [1, 1, 1])
    assert found.low == pytest.approx(3 - 4.3027 / math.sqrt(3), abs=1e-3)
    assert found.high == pytest.approx(3 + 4.3027 / math.sqrt(3), abs=1e-3)


def test_interval_covers_the_truth_as_often_as_it_says() -> None:
    """In 2000 samples of six pairs, 95% of the intervals contain the true ratio."""
    draw = random.Random(5)
    held = []
    for _ in range(2000):
        below = [draw.gauss(10, 2) for _ in range(6)]
        above = [one + draw.gauss(20, 3) for one in below]
        ratio = ratio_of_means(above, below)
        held.append(ratio.low <= 3 <= ratio.high)
    assert fmean(held) == pytest.approx(0.95, abs=0.015)


def test_interval_of_a_constant_ratio_is_that_ratio() -> None:
    """The interval of a constant ratio is this ratio."""
    found = ratio_of_means([27, 30, 33], [9, 10, 11])
    assert (found.value, found.low, found.high) == pytest.approx((3, 3, 3), abs=1e-6)
    assert found.is_bounded


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (2, 4.5, "agrees"),
        (2.9, 3.1, "agrees"),
        (3.1, 3.2, "agrees"),
        (1.9, 3.1, "undecided"),
        (2.9, 4.6, "undecided"),
        (1, 10, "undecided"),
        (4.4, 9, "undecided"),
        (4.6, 9, "differs"),
        (0.5, 1.9, "differs"),
        (-math.inf, math.inf, "undecided"),
    ],
)
def test_comparison_has_three_results(low, high, verdict) -> None:
    """A ratio agrees with 3 if its whole interval lies within a factor of 1.5 of 3."""
    assert Ratio((low + high) / 2, low, high).compare(3, 1.5) == verdict
