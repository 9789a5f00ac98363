"""The Elo difference and its interval, for any results."""

import math

import numpy as np
import pytest
from c4_referee.records.stats.bounded import TAIL_PROBABILITY, interval
from c4_referee.records.stats.elo import elo, elo_difference, expected_share, pairs_to_settle
from hypothesis import given
from hypothesis import strategies as st

counts = st.lists(st.integers(0, 10_000), min_size=5, max_size=5)


@given(counts)
def test_interval_is_always_defined(counts):
    """Any counts give finite, ordered numbers, even one-sided results or no games."""
    result = elo(counts)
    assert all(map(math.isfinite, result))
    assert result.low <= result.difference <= result.high
    assert result.low < result.high
    assert 0 <= result.superiority <= 1


@given(counts)
def test_turning_the_results_turns_the_sign(counts):
    """If all results are reversed, the difference changes its sign."""
    there, back = elo(counts), elo(counts[::-1])
    assert there.difference == pytest.approx(-back.difference, abs=1e-6)
    assert there.low == pytest.approx(-back.high, abs=0.1)
    assert there.superiority == pytest.approx(1 - back.superiority, abs=1e-8)


@given(counts)
def test_interval_and_likelihood_agree(counts):
    """If the interval is on one side of 0, the likelihood of superiority is beyond 97.5%."""
    result = elo(counts)
    if result.low > 0:
        assert result.superiority >= 1 - TAIL_PROBABILITY
    if result.high < 0:
        assert result.superiority <= TAIL_PROBABILITY


@given(counts, st.integers(0, 3))
def test_better_results_make_a_better_player(counts, place):
    """One pair with half a point more lowers no number."""
    if counts[place]:
        better = [*counts]
        better[place] -= 1
        better[place + 1] += 1
        for before, after in zip(elo(counts), elo(better), strict=True):
            assert after >= before - 1e-3


@pytest.mark.parametrize(
    ("counts", "difference", "margin"),
    [
        ([34, 54, 63, 64, 75], 55.58, 27.65),
        ([332, 433, 498, 333, 334], -8.64, 10.33),
        ([7895, 8757, 5685, 568, 9999], -21.04, 2.95),
        ([772, 1329, 859], 10.21, 9.28),
        ([1267, 3049, 1164], -6.53, 6.12),
    ],
)
def test_large_samples_give_the_published_interval(counts, difference, margin):
    """Large samples have the difference and the interval of fastchess (elo_test.cpp).

    The samples are pairs of games and single games. The published intervals are normal
    approximations.
    """
    mean = np.dot(counts, np.linspace(0, 1, len(counts))) / sum(counts)
    assert elo_difference(mean) == pytest.approx(difference, abs=0.005)
    result = elo(counts)
    assert result.difference == pytest.approx(difference, abs=0.3)
    assert (result.high - result.low) / 2 == pytest.approx(margin, rel=0.05)


def test_points_and_shares_are_inverse():
    """Three of four points are 190.85 Elo, an even score is 0, and the range is limited."""
    assert elo_difference(0.75) == pytest.approx(190.8485, abs=1e-4)
    assert elo_difference(7 / 50) == pytest.approx(
        -315.34, abs=0.01
    )  # fastchess: 36 losses, 14 draws
    assert elo_difference(0.5) == 0
    assert expected_share(elo_difference(0.9)) == pytest.approx(0.9)
    assert (elo_difference(0), elo_difference(1)) == (-2000, 2000)


def test_ten_identical_pairs_are_no_certainty():
    """Ten pairs that are all won, or all drawn, give a wide interval."""
    won, shared = elo([0, 0, 0, 0, 10]), elo([0, 0, 10, 0, 0])
    assert won.low == pytest.approx(elo_difference(0.025**0.1), abs=1e-3)
    assert won.high == 2000
    assert shared.low == pytest.approx(-shared.high, abs=1e-3)
    assert shared.low < -100
    assert elo([0] * 5) == (0, -2000, 2000, pytest.approx(0.5))


@given(st.lists(st.integers(0, 20), min_size=5, max_size=5), st.integers(1, 20))
def test_estimate_is_the_fewest_pairs_that_settle_the_result(counts, more_wins):
    """With the same frequencies, so many pairs lift the interval above 0, and one less does not."""
    counts = [*counts[:4], counts[0] + counts[1] + more_wins]
    number, pairs = sum(counts), pairs_to_settle(counts)

    def low(pairs: int) -> float:
        return interval([count * pairs / number for count in counts], TAIL_PROBABILITY)[0]

    assert low(pairs) > 0.5 - 1e-9
    assert pairs == number + 1 or low(pairs - 1) < 0.5


def test_estimate_for_many_pairs_is_that_of_the_normal_distribution():
    """Pairs with the mean 0.504 and the variance 0.025 are settled by about 6,000."""
    pairs = pairs_to_settle([23, 0, 450, 0, 27])
    assert pairs == pytest.approx((1.96 / 0.004) ** 2 * 0.025, rel=0.1)
