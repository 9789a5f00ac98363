"""Ratings, compared with simulated strengths and with small cases."""

import math
from itertools import permutations

import numpy as np
import pytest
from c4_referee.records.stats.ratings import POINTS_PER_LOGIT, Estimate, rate_players
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

many_pairs = st.lists(
    st.tuples(st.sampled_from([*permutations(range(4), 2)]), st.integers(0, 2), st.integers(0, 2)),
    max_size=30,
)
results = st.integers(1, 6).flatmap(
    lambda players: arrays(np.int64, (players, players, 3), elements=st.integers(0, 500))
)


def played(ratings: np.ndarray, advantage: float, draws: float, games: int, draw) -> np.ndarray:
    """Return the results of a simulated round robin of players with the given ratings."""
    players = len(ratings)
    results = np.zeros((players, players, 3), np.int64)
    for first, second in np.ndindex(players, players):
        if first != second:
            logit = (ratings[first] - ratings[second] + advantage) / POINTS_PER_LOGIT
            odds = np.array([math.exp(logit / 2), draws, math.exp(-logit / 2)])
            results[first, second] = draw.multinomial(games, odds / odds.sum())
    return results


def all_results(pairs: np.ndarray, players: int = 4) -> np.ndarray:
    """Return the results of all games of pairs."""
    results = np.zeros((players, players, 3), np.int64)
    for one, other, there, back in pairs:
        results[one, other, there] += 1
        results[other, one, back] += 1
    return results


def margin(estimate: Estimate) -> float:
    """Return half the width of an interval."""
    return (estimate.high - estimate.low) / 2


BASEBALL = {
    "Milwaukee": "4-3 4-2 4-3 6-1 4-2 6-0",
    "Detroit": "3-3 4-2 4-3 6-0 6-1 4-3",
    "Toronto": "2-5 4-3 2-4 4-3 4-2 6-0",
    "New York": "3-3 5-1 2-5 4-3 4-2 6-1",
    "Boston": "5-1 2-5 3-3 4-2 5-2 6-0",
    "Cleveland": "2-5 3-3 3-4 4-3 4-2 2-4",
    "Baltimore": "2-5 1-5 1-6 2-4 1-6 3-4",
}
"""Wins and losses at home against each other team: American League East, 1987."""
PUDDINGS = {
    (1, 2): (19, 16, 22), (1, 3): (16, 12, 19), (1, 4): (18, 13, 23), (1, 5): (13, 18, 19),
    (1, 6): (18, 12, 21), (2, 3): (19, 10, 19), (2, 4): (23, 9, 19), (2, 5): (16, 12, 20),
    (2, 6): (22, 12, 20), (3, 4): (19, 15, 20), (3, 5): (16, 17, 15), (3, 6): (13, 10, 18),
    (4, 5): (17, 16, 14), (4, 6): (14, 18, 19), (5, 6): (11, 12, 21),
}  # fmt: skip
"""Numbers of people who preferred the first brand, none, or the second (Davidson 1970)."""


def at_home() -> np.ndarray:
    """Return the results of the baseball season, with the home team as first player."""
    results = np.zeros((7, 7, 3), np.int64)
    for home, scores in enumerate(BASEBALL.values()):
        away = (other for other in range(7) if other != home)
        for other, score in zip(away, scores.split(), strict=True):
            won, lost = score.split("-")
            results[home, other] = won, 0, lost
    return results


def above_baltimore(results: np.ndarray) -> dict[str, float]:
    """Return the teams' ratings without a prior, in logits above the last team's rating."""
    logits = rate_players(results, prior_games=0).points / POINTS_PER_LOGIT
    return dict(zip(BASEBALL, logits - logits[-1], strict=True))


def test_published_ratings_with_home_advantage():
    """Ratings with home advantage agree with Agresti (2002) to four digits.

    The source is Categorical Data Analysis, section 10.6. Turner and Firth (2012, Bradley-Terry
    Models in R: The BradleyTerry2 Package, Journal of Statistical Software 48) have more digits.
    """
    assert above_baltimore(at_home()) == pytest.approx(
        {"Milwaukee": 1.6196, "Detroit": 1.4754, "Toronto": 1.3271, "New York": 1.2813,
         "Boston": 1.1438, "Cleveland": 0.7047, "Baltimore": 0}, abs=5e-5,
    )  # fmt: skip
    advantage = rate_players(at_home(), prior_games=0).first_advantage
    assert advantage.points / POINTS_PER_LOGIT == pytest.approx(0.3023, abs=5e-5)
    margin = (advantage.high - advantage.points) / POINTS_PER_LOGIT
    assert margin / 1.959964 == pytest.approx(0.131, abs=5e-4)


def test_published_ratings_without_home_advantage():
    """Ratings of the same season agree if half of each game counts at each place."""
    both = at_home() + at_home().transpose(1, 0, 2)[:, :, ::-1]
    assert above_baltimore(both) == pytest.approx(
        {"Milwaukee": 1.5814, "Detroit": 1.4364, "Toronto": 1.2945, "New York": 1.2476,
         "Boston": 1.1077, "Cleveland": 0.6839, "Baltimore": 0}, abs=5e-5,
    )  # fmt: skip
    assert rate_players(both).first_advantage.points == pytest.approx(0, abs=1e-6)


def test_published_draws():
    """Strengths and odds of a draw agree with Davidson (1970) to four digits."""
    results = np.zeros((6, 6, 3), np.int64)
    for (one, other), counts in PUDDINGS.items():
        results[one - 1, other - 1], results[other - 1, one - 1] = counts, counts[::-1]
    rated = rate_players(results, prior_games=0)
    strengths = np.exp(rated.points / POINTS_PER_LOGIT)
    assert strengths / strengths.sum() == pytest.approx(
        [0.1388, 0.1730, 0.1617, 0.1654, 0.1587, 0.2024], abs=6e-5
    )
    assert rated.draws == pytest.approx(0.7468, abs=6e-5)


def test_draws_do_not_lean_high():
    """With one game of each two of many bots, the odds of a draw miss the truth on both sides."""
    chance, odds = np.random.default_rng(1), []
    one, other = np.triu_indices(12, 1)
    for _ in range(60):
        results = np.zeros((12, 12, 3), np.int64)
        np.add.at(results, (one, other, chance.choice(3, len(one), p=(0.25, 0.5, 0.25))), 1)
        odds.append(rate_players(results).draws)
    assert np.median(odds) == pytest.approx(2, abs=0.15)  # 2.4 without the correction


def test_strangers_are_not_compared():
    """Each group of connected players has the mean 0, and intervals between groups are infinite."""
    results = np.zeros((5, 5, 3), np.int64)
    results[0, 1], results[2, 3] = (5, 0, 1), (1, 0, 5)
    rated = rate_players(results)
    assert rated.points[:2].sum() == pytest.approx(0, abs=1e-6)
    assert rated.points[2:4].sum() == pytest.approx(0, abs=1e-6)
    assert (rated.difference(0, 2).low, rated.difference(0, 2).high) == (-math.inf, math.inf)
    assert (rated.rating(4).low, rated.rating(4).high) == (-math.inf, math.inf)
    assert rated.superiority(0, 2) == 0.5
    assert rated.superiority(0, 1) > 0.7


@given(results)
def test_ratings_are_always_finite(results):
    """All ratings are finite with mean 0, even without games or with one-sided results."""
    rated = rate_players(results)
    assert np.isfinite(rated.points).all()
    assert np.isfinite(rated.covariance).all()
    assert rated.points.mean() == pytest.approx(0, abs=1e-6)
    assert math.isfinite(rated.first_advantage.points)
    assert 0 < rated.draws < math.inf
    for player in range(len(results)):
        assert rated.rating(player).low <= rated.points[player] <= rated.rating(player).high
        assert 0 <= rated.superiority(player, 0) <= 1
        assert rated.superiority(player, player) == 0.5


def test_one_sided_results_leave_a_wide_interval():
    """After 25 wins in each seat, a player is rated much stronger, with a wide interval."""
    results = np.zeros((2, 2, 3), np.int64)
    results[0, 1], results[1, 0] = (25, 0, 0), (0, 0, 25)
    difference = rate_players(results).difference(0, 1)
    assert 300 < difference.points < 3000
    assert 0 < difference.low < 400
    assert difference.high - difference.low > 800


@pytest.mark.parametrize(("players", "games", "spread"), [(12, 2, 300), (5, 20, 100)])
def test_intervals_hold_the_truth(players, games, spread):
    """In simulated tournaments, about 95% of the intervals contain the true values."""
    draw = np.random.default_rng(players)
    ratings_in, differences_in, advantage_in = [], [], []
    for _ in range(60):
        truth = draw.normal(0, spread, players)
        truth -= truth.mean()
        rated = rate_players(played(truth, 60, 0.2, games, draw))
        for one in range(players):
            estimate = rated.rating(one)
            ratings_in.append(estimate.low <= truth[one] <= estimate.high)
            for other in range(one):
                estimate = rated.difference(one, other)
                gap = truth[one] - truth[other]
                differences_in.append(estimate.low <= gap <= estimate.high)
        advantage = rated.first_advantage
        advantage_in.append(advantage.low <= 60 <= advantage.high)
    assert np.mean(ratings_in) >= 0.93
    assert np.mean(differences_in) >= 0.93
    assert np.mean(advantage_in) >= 0.85


@pytest.mark.parametrize("winner", ["one bot", "one seat"])
def test_dependent_pairs_by_hand(winner):
    """If both games of each pair always end alike, they are worth one game.

    The variance is then twice that of independent games: of the difference in strength if the same
    bot wins both games, of the first advantage if the same seat does. The other interval stays.
    """
    back = {0: 2, 2: 0} if winner == "one bot" else {0: 0, 2: 2}
    pairs = np.array([(0, 1, there, back[there]) for there in (0, 2)] * 10_000)
    results = all_results(pairs, 2)
    alone, paired = rate_players(results), rate_players(results, pairs)
    assert paired.points.tolist() == alone.points.tolist()
    ratios = [
        margin(paired.difference(0, 1)) / margin(alone.difference(0, 1)),
        margin(paired.first_advantage) / margin(alone.first_advantage),
    ]
    wider = [math.sqrt(2), 1] if winner == "one bot" else [1, math.sqrt(2)]
    assert ratios == pytest.approx(wider, rel=1e-3)


@given(many_pairs, st.randoms())
def test_order_of_pairs_changes_nothing(found, draw):
    """The order of pairs and the order of the two games of a pair change no interval."""
    rows = [(*players, there, back) for players, there, back in found]
    mixed = [draw.choice([(a, b, x, y), (b, a, y, x)]) for a, b, x, y in rows]
    draw.shuffle(mixed)
    pairs, others = (np.array(one, np.int64).reshape(-1, 4) for one in (rows, mixed))
    rated, again = (
        rate_players(all_results(pairs), pairs),
        rate_players(all_results(others), others),
    )
    assert again.covariance == pytest.approx(rated.covariance, rel=1e-6, abs=1e-3)
    assert margin(again.first_advantage) == pytest.approx(margin(rated.first_advantage))


@given(many_pairs)
def test_pairs_make_no_interval_narrower(found):
    """The covariance with pairs minus that of independent games is positive semidefinite."""
    pairs = np.array([(*players, *two) for players, *two in found], np.int64).reshape(-1, 4)
    results = all_results(pairs)
    paired, alone = rate_players(results, pairs), rate_players(results)
    wider = np.linalg.eigvalsh(paired.covariance - alone.covariance)
    assert wider.min() >= -1e-9 * np.abs(alone.covariance).max()
