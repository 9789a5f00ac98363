"""The interval of a mean, for any results."""

import math
from itertools import product

import numpy as np
import pytest
from c4_referee.records.stats.bounded import TAIL_PROBABILITY, interval, probability_below, quantile
from c4_referee.records.stats.elo import elo
from effort import one_in
from hypothesis import given
from hypothesis import strategies as st

KINDS = {
    "decisive": lambda mean: two_games(mean, mean),
    "biased openings": lambda mean: two_games(min(1, 2 * mean), max(0, 2 * mean - 1)),
    "all or nothing": lambda mean: np.array([1 - mean, 0, 0, 0, mean]),
    "draws": lambda mean: (
        np.array([0, 1 - mean, 2 * mean - 1, 1 - mean, 0])
        if mean == 0.5
        else np.array([0, 0, 2 * (1 - mean), 0, 2 * mean - 1])
    ),
}


def two_games(first: float, second: float) -> np.ndarray:
    """Return the distribution of a pair's score from the probabilities of winning its games."""
    return np.convolve([1 - first, 0, first], [1 - second, 0, second])


def beta_below(first: float, second: float, value: float) -> float:
    """Return the beta distribution by numerical integration. Shapes are multiples of 1/2.

    The integrand is a power of a sine times a power of a cosine, which the trapezoidal rule
    integrates precisely.
    """
    steps = 400_000
    angles = (np.arange(steps) + 0.5) * (math.pi / 2 / steps)
    with np.errstate(under="ignore"):
        logs = (2 * first - 1) * np.log(np.sin(angles)) + (2 * second - 1) * np.log(np.cos(angles))
        density = np.exp(logs - logs.max())
    limit = math.asin(math.sqrt(value)) / (math.pi / 2) * steps
    part = density[: int(limit)].sum() + (limit % 1) * density[int(limit)]
    return float(part / density.sum())


@pytest.mark.parametrize(("won", "lost"), [(0, 0), (0, 4), (10, 0), (7, 13), (1900, 100)])
def test_pairs_without_draws_have_the_binomial_interval(won, lost):
    """Without draws, the interval is that of Clopper and Pearson, and the LOS that of Jeffreys."""
    low, high = interval([lost, 0, 0, 0, won], TAIL_PROBABILITY)
    assert beta_below(won, lost + 1, low) == pytest.approx(TAIL_PROBABILITY) if won else low == 0
    assert (
        beta_below(won + 1, lost, high) == pytest.approx(1 - TAIL_PROBABILITY)
        if lost
        else high == 1
    )
    superiority = elo([lost, 0, 0, 0, won]).superiority
    assert superiority == pytest.approx(beta_below(lost + 0.5, won + 0.5, 0.5), abs=1e-8)


def covered(counts: np.ndarray, truth: float) -> bool:
    """Return whether the interval contains the true mean, without computing its ends."""
    first, last = np.eye(5)[0], np.eye(5)[-1]
    return (
        probability_below(counts + first, truth) >= TAIL_PROBABILITY
        and probability_below(counts + last, truth) <= 1 - TAIL_PROBABILITY
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mean", [0.5, 0.75, 0.95, 0.99])
@pytest.mark.parametrize("pairs", one_in(2, [4, 10, 100, 4000]))
def test_interval_keeps_its_promise(pairs, mean, kind):
    """At least 93% of the nominal 95% intervals contain the truth, up to sampling error.

    See tests/bench/coverage.py. With a coverage of exactly 93.0%, the test would fail by chance
    once in a thousand runs.
    """
    drawn = np.random.default_rng(pairs).multinomial(pairs, KINDS[kind](mean), 400)
    matches, times = np.unique(drawn, axis=0, return_counts=True)
    hits = times @ [covered(counts.astype(float), mean) for counts in matches] / len(drawn)
    assert hits >= 0.93 - 3.1 * math.sqrt(0.93 * 0.07 / len(drawn))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mean", [0.5, 0.6, 0.9, 0.97])
def test_four_pairs_are_enough(mean, kind):
    """The coverage over all results of four pairs is at least 95%."""
    chances = KINDS[kind](mean)
    total = 0.0
    for scores in product(np.flatnonzero(chances), repeat=4):
        if covered(np.bincount(scores, minlength=5).astype(float), mean):
            total += math.prod(chances[list(scores)])
    assert total >= 0.95


def test_mean_of_weighed_values_by_simulation():
    """The computed distribution of a mean under Dirichlet weights agrees with samples."""
    draw = np.random.default_rng(1)
    for weights in ([1, 2, 3, 4, 5], [1, 0, 4, 0, 0], [0.5, 0, 30, 0, 0.5], [3, 900, 1, 20, 7]):
        shapes = np.array(weights, float)
        present = shapes > 0
        means = draw.dirichlet(shapes[present], 100_000) @ np.linspace(0, 1, 5)[present]
        for value in np.quantile(means, [0.01, 0.3, 0.9]):
            expected = (means < value).mean()
            assert probability_below(shapes, value) == pytest.approx(expected, abs=0.006)


@given(st.integers(1, 10_000), st.integers(1, 10_000), st.floats(0.001, 0.999))
def test_mean_of_two_values_is_beta(first, second, probability):
    """The mean of two values has the beta distribution, for any weights."""
    weights = [first / 2, 0, 0, 0, second / 2]
    value = quantile(weights, probability)
    assert probability_below(weights, value) == pytest.approx(probability, abs=1e-9)
    assert beta_below(second / 2, first / 2, value) == pytest.approx(probability, abs=1e-6)
