"""Coverage of the intervals of ratings.

The simulated round robins have 2 to 12 players. Their ratings are evenly spaced: the first and the
last differ by 0 to 1,200 points. Each player has 1 to 100 games as first player against each other
player; each of them forms a pair with a game in which the other is first. Moving first is worth 60
points, and equal players draw one of eleven games. In a share of the pairs, one random number
decides both games: what makes one bot win or lose the first also does so in the second. The figures
are percentages, nominally 95: for the ratings (from the mean); for all differences; for the
difference with the lowest percentage; for the advantage of moving first; for the odds of a draw;
and for all differences if the ratings are computed as if all games were independent.
"""

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
from _shared import show
from c4_referee.records.stats.array import Counts, Floats
from c4_referee.records.stats.elo import POINTS_PER_LOGIT
from c4_referee.records.stats.ratings import Estimate, Ratings, rate_players

PLAYERS = (2, 4, 12)
SPREADS = (0, 400, 1200)
GAMES = (1, 4, 20, 100)
ADVANTAGE = 60.0
DRAWS = 0.2
SHARED = (0.0, 0.3, 0.6, 0.9)
CASES = ("shared", "players", "apart", "games")
FIGURES = ("ratings", "differences", "worst difference", "first", "draws", "without pairs")


def simulated(truth: Floats, games: int, shared: float, draw: np.random.Generator) -> Counts:
    """Return the pairs of a simulated round robin, in the form that ``rate_players`` takes."""
    one, other = np.repeat([*combinations(range(len(truth)), 2)], games, axis=0).T
    luck, fresh = draw.random((2, len(one)))  # the less of it, the better for the first player
    luck_back = np.where(draw.random(len(one)) < shared, 1 - luck, fresh)
    there = outcomes(truth[one] - truth[other], luck)
    return np.stack([one, other, there, outcomes(truth[other] - truth[one], luck_back)], axis=1)


def outcomes(apart: Floats, luck: Floats) -> Counts:
    """Return the outcomes of games, 0 to 2, from the first player's lead and random numbers."""
    logit = (apart + ADVANTAGE) / POINTS_PER_LOGIT
    win, loss = np.exp(logit / 2), np.exp(-logit / 2)
    total = win + DRAWS + loss
    return (luck > win / total).astype(np.int64) + (luck > (win + DRAWS) / total)


def results_of(players: int, pairs: Counts) -> Counts:
    """Return the results of all games of pairs, in the form that ``rate_players`` takes."""
    results = np.zeros((players, players, 3), np.int64)
    np.add.at(results, (pairs[:, 0], pairs[:, 1], pairs[:, 2]), 1)
    np.add.at(results, (pairs[:, 1], pairs[:, 0], pairs[:, 3]), 1)
    return results


def contains(estimate: Estimate, truth: float) -> bool:
    """Return whether an interval contains the true value."""
    return estimate.low <= truth <= estimate.high


def differences_inside(rated: Ratings, truth: Floats) -> list[bool]:
    """Return for each difference of two ratings whether its interval contains the true value."""
    return [
        contains(rated.difference(one, other), truth[one] - truth[other])
        for one, other in combinations(range(len(truth)), 2)
    ]


def shares(
    truth: Floats, games: int, shared: float, tournaments: int, draw: np.random.Generator
) -> list[float]:
    """Return the share of the intervals that contain the true values, for each of ``FIGURES``."""
    ratings, differences, advantage, draws, without = [], [], [], [], []
    for _ in range(tournaments):
        pairs = simulated(truth, games, shared, draw)
        results = results_of(len(truth), pairs)
        rated = rate_players(results, pairs)
        ratings.append([contains(rated.rating(one), truth[one]) for one in range(len(truth))])
        differences.append(differences_inside(rated, truth))
        advantage.append(contains(rated.first_advantage, ADVANTAGE))
        draws.append(rated.draws_bounds[0] <= DRAWS <= rated.draws_bounds[1])
        without.append(differences_inside(rate_players(results), truth))
    lowest = np.mean(differences, axis=0).min()
    means = [np.mean(one) for one in (ratings, differences, advantage, draws, without)]
    return [*map(float, (*means[:2], lowest, *means[2:]))]


def main(tournaments: int = 400, *shared: float) -> None:
    """Simulate ``tournaments`` tournaments of each kind.

    ``shared`` are shares of the pairs in which one random number decides both games.
    """
    draw = np.random.default_rng(1)

    def rows() -> Iterator[tuple[object, ...]]:
        for share, players, spread, games in product(shared or SHARED, PLAYERS, SPREADS, GAMES):
            truth = np.linspace(spread / 2, -spread / 2, players)
            found = shares(truth, games, share, tournaments, draw)
            yield f"{share:.0%}", *map(str, (players, spread, games)), *(100 * one for one in found)

    columns = dict.fromkeys(CASES, "") | dict.fromkeys(FIGURES, ".1f")
    show(f"true values inside their intervals, %, {tournaments} tournaments", columns, rows())
