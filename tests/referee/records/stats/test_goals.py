"""Goals: what is claimed, how sure it is, and which meetings tell most."""

import math
from itertools import combinations

import numpy as np
import pytest
from c4_referee.records.stats.goals import Goal, claim, random_strengths, telling_meetings
from c4_referee.records.stats.ratings import posterior_of_strengths, rate_players
from hypothesis import given
from hypothesis import strategies as st

BEST, TOP_TWO, RANKING = Goal(), Goal(first=2), Goal(first=None)
PLACE = Goal(placed=(1,))


@pytest.mark.parametrize(
    ("goal", "strengths", "lead", "players"),
    [
        (BEST, (0, -10, 40, 30), 40, (0, 2)),
        (BEST, (90, 10, 80, 85), 0, None),
        (TOP_TWO, (90, 10, 80, 85), 75, (1, 3)),
        (RANKING, (90, 80, 10, 85), 75, (2, 3)),
        (PLACE, (90, 50, 10, 85), 35, (1, 3)),
        (PLACE, (40, 50, 10, 45), 10, (0, 1)),
        (Goal(first=4), (0, 1, 2, 3), 0, None),
    ],
)
def test_worst_mistake_that_concerns_the_goal_is_found(goal, strengths, lead, players):
    """Only what the goal asks for contradicts a claim, here of the order 0, 1, 2, 3."""
    leads, where = goal.contradiction([0, 1, 2, 3], np.array([strengths], float))
    assert leads[0] == lead
    assert players in {None, tuple(where[0])}


@given(st.permutations(range(5)), st.lists(st.integers(-99, 99), min_size=5, max_size=5))
def test_mistake_in_a_ranking_is_the_largest_of_all_pairs(order, strengths):
    """The lead is the largest of a player over one who stands higher."""
    leads, where = RANKING.contradiction(order, np.array([strengths], float))
    expected = max(strengths[low] - strengths[high] for high, low in combinations(order, 2))
    assert leads[0] == max(expected, 0)
    assert strengths[where[0, 1]] - strengths[where[0, 0]] == leads[0]


def test_likelihood_of_a_claim_is_that_of_the_normal_distribution():
    """For two players it is the likelihood that the second does not lead by more than allowed."""
    points, covariance = np.array([50.0, 0.0]), np.array([[900.0, 100.0], [100.0, 400.0]])
    found = claim(BEST, points, random_strengths(points, covariance, 1))
    expected = 0.5 * math.erfc(-(50 + 30) / math.sqrt(2 * (900 + 400 - 200)))
    assert found.order == [0, 1]
    assert found.likelihood == pytest.approx(expected, abs=0.01)
    assert found.doubts[0][:2] == (0, 1)
    assert found.doubts[0].likelihood == pytest.approx(1 - expected, abs=0.01)


def test_players_who_may_be_the_best_meet():
    """A player who is far behind does not meet anybody, and forbidden meetings are left out."""
    points, covariance = np.array([0.0, 10.0, 5.0, -900.0]), np.eye(4) * 50.0**2
    strengths = random_strengths(points, covariance, 1)
    found = telling_meetings(BEST, strengths, 16, lambda *_: True)
    assert {frozenset(each) for each in found} == {*map(frozenset, combinations(range(3), 2))}
    assert len(found) == 16
    allowed = telling_meetings(BEST, strengths, 16, lambda one, other: {one, other} == {0, 2})
    assert {frozenset(each) for each in allowed} == {frozenset((0, 2))}
    assert telling_meetings(BEST, strengths, 16, lambda *_: False) == []


def test_posterior_is_that_of_the_ratings():
    """Differences of strengths are those of ratings, also if the search begins far away."""
    draw = np.random.default_rng(1)
    results = draw.integers(0, 4, (5, 5, 3)) * ~np.eye(5, dtype=bool)[:, :, None]
    pairs = np.array([[0, 1, 0, 2], [0, 1, 0, 0], [3, 4, 2, 0]])
    np.add.at(results, (pairs[:, 0], pairs[:, 1], pairs[:, 2]), 1)
    np.add.at(results, (pairs[:, 1], pairs[:, 0], pairs[:, 3]), 1)
    rated = rate_players(results, pairs)
    for start in (np.zeros(7), *draw.normal(0, 20, (20, 7))):
        points, covariance, _ = posterior_of_strengths(results, pairs, start)
        assert points - points.mean() == pytest.approx(rated.points, abs=1e-3)
        for one, other in combinations(range(5), 2):
            variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
            estimate = rated.difference(one, other)
            width = (estimate.high - estimate.low) / 2 / 1.959964
            assert math.sqrt(variance) == pytest.approx(width, abs=1e-3)


def test_level_is_95_percent():
    """What is claimed is at least this likely; docs and reports say so."""
    assert {Goal().level, Goal(first=3).level, Goal(first=None, placed=(0,)).level} == {0.95}
    assert Goal(first=None).level == 0.97
