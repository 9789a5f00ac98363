"""The Elo difference and its interval, for any results there can be."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.stats.elo import elo

counts = st.integers(0, 10_000)


@given(counts, counts, counts)
def test_interval_is_always_defined(wins, draws, losses):
    """Any counts give finite numbers in order, one-sided results and no games included."""
    result = elo(wins, draws, losses)
    assert all(map(math.isfinite, result))
    assert result.low <= result.difference <= result.high
    assert result.low < result.high
    assert 0 <= result.superiority <= 1


@given(counts, counts, counts)
def test_turning_the_results_turns_the_sign(wins, draws, losses):
    """The loser's difference is the winner's, negative."""
    there, back = elo(wins, draws, losses), elo(losses, draws, wins)
    assert there.difference == pytest.approx(-back.difference)
    assert there.low == pytest.approx(-back.high)
    assert there.superiority == pytest.approx(1 - back.superiority)


def test_large_samples_give_the_textbook_difference():
    """Three of four points are 190.85 Elo; an even score is none."""
    assert elo(7500, 0, 2500).difference == pytest.approx(190.85, abs=0.1)
    assert elo(500, 1000, 500).difference == 0


@pytest.mark.parametrize("games", [1, 4, 20, 100, 1000])
@pytest.mark.parametrize("rate", [0.5, 0.75, 0.95, 0.99])
def test_interval_keeps_its_promise(games, rate):
    """Over all results there can be, the 95% interval covers the truth 95% of the time."""
    truth = 400 * math.log10(rate / (1 - rate))
    covered = 0.0
    for wins in range(games + 1):
        result = elo(wins, 0, games - wins)
        chance = math.comb(games, wins) * rate**wins * (1 - rate) ** (games - wins)
        covered += chance if result.low <= truth <= result.high else 0
    assert covered >= 0.95
