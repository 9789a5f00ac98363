"""Coverage of the intervals of ratings.

The simulated round robins have 2 to 12 players. Their ratings are evenly spaced: the first and the
last differ by 0 to 1,200 points. Each player has 1 to 100 games as first player against each other
player. Moving first is worth 60 points, and equal players draw one of eleven games. The figures
are percentages, nominally 95: for the ratings (from the mean); for all differences; for the
difference with the lowest percentage; for the advantage of moving first; and for the odds of a
draw.
"""

import math
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
from _shared import show
from c4_referee.stats.array import Counts, Floats
from c4_referee.stats.elo import POINTS_PER_LOGIT
from c4_referee.stats.ratings import Estimate, rate

PLAYERS = (2, 4, 12)
SPREADS = (0, 400, 1200)
GAMES = (1, 4, 20, 100)
ADVANTAGE = 60.0
DRAWS = 0.2
CASES = ("players", "apart", "games")
FIGURES = ("ratings", "differences", "worst difference", "first", "draws")


def simulated(truth: Floats, games: int, draw: np.random.Generator) -> Counts:
    """Return the results of a simulated round robin, in the form that ``rate`` takes."""
    results = np.zeros((len(truth), len(truth), 3), np.int64)
    for first, second in np.ndindex(len(truth), len(truth)):
        if first != second:
            logit = (truth[first] - truth[second] + ADVANTAGE) / POINTS_PER_LOGIT
            odds = np.array([math.exp(logit / 2), DRAWS, math.exp(-logit / 2)])
            results[first, second] = draw.multinomial(games, odds / odds.sum())
    return results


def contains(estimate: Estimate, truth: float) -> bool:
    """Return whether an interval contains the true value."""
    return estimate.low <= truth <= estimate.high


def shares(truth: Floats, games: int, tournaments: int, draw: np.random.Generator) -> list[float]:
    """Return the share of the intervals that contain the true values, for each of ``FIGURES``."""
    ratings, differences, advantage, draws = [], [], [], []
    pairs = [*combinations(range(len(truth)), 2)]
    for _ in range(tournaments):
        rated = rate(simulated(truth, games, draw))
        ratings.append([contains(rated.rating(one), truth[one]) for one in range(len(truth))])
        differences.append(
            [contains(rated.difference(*pair), truth[pair[0]] - truth[pair[1]]) for pair in pairs]
        )
        advantage.append(contains(rated.first_advantage, ADVANTAGE))
        draws.append(rated.draws_bounds[0] <= DRAWS <= rated.draws_bounds[1])
    by_pair = np.mean(differences, axis=0)
    means = (np.mean(ratings), by_pair.mean(), by_pair.min(), np.mean(advantage), np.mean(draws))
    return [*map(float, means)]


def main(tournaments: int = 400) -> None:
    """Simulate ``tournaments`` tournaments of each kind."""
    draw = np.random.default_rng(1)

    def rows() -> Iterator[tuple[object, ...]]:
        for players, spread, games in product(PLAYERS, SPREADS, GAMES):
            truth = np.linspace(spread / 2, -spread / 2, players)
            found = shares(truth, games, tournaments, draw)
            yield str(players), str(spread), str(games), *(100 * share for share in found)

    columns = dict.fromkeys(CASES, "") | dict.fromkeys(FIGURES, ".1f")
    show(f"true values inside their intervals, %, {tournaments} tournaments", columns, rows())
