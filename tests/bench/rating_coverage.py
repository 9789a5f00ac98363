"""Intervals of ratings: how often they hold the truth.

    python tests/bench/rating_coverage.py [tournaments]

Round robins of 2 to 12 players whose ratings are evenly spaced, from equals to 1,200 points between
the first and the last, with 1 to 100 games of each against each other as first. Going first is
worth 60 points, and equals draw one game of eleven. In percent, for nominal 95: of all ratings
(from the mean), of all differences, of the difference that is held least often, of what going first
is worth, and of the odds of a draw.
"""

import math
import sys
from itertools import combinations, product

import numpy as np
from c4_referee.stats.array import Counts, Floats
from c4_referee.stats.elo import POINTS_PER_LOGIT
from c4_referee.stats.ratings import Estimate, rate
from rich.console import Console
from rich.table import Table

PLAYERS = (2, 4, 12)
SPREADS = (0, 400, 1200)
GAMES = (1, 4, 20, 100)
ADVANTAGE = 60.0
DRAWS = 0.2


def played(truth: Floats, games: int, draw: np.random.Generator) -> Counts:
    """The results of a round robin, as ``rate`` takes them."""
    results = np.zeros((len(truth), len(truth), 3), np.int64)
    for first, second in np.ndindex(len(truth), len(truth)):
        if first != second:
            logit = (truth[first] - truth[second] + ADVANTAGE) / POINTS_PER_LOGIT
            odds = np.array([math.exp(logit / 2), DRAWS, math.exp(-logit / 2)])
            results[first, second] = draw.multinomial(games, odds / odds.sum())
    return results


def holds(estimate: Estimate, truth: float) -> bool:
    """Whether the truth is inside."""
    return estimate.low <= truth <= estimate.high


def covered(truth: Floats, games: int, tournaments: int, draw: np.random.Generator) -> list[float]:
    """The shares of tournaments in which intervals hold the truth."""
    ratings, differences, advantage, draws = [], [], [], []
    pairs = [*combinations(range(len(truth)), 2)]
    for _ in range(tournaments):
        rated = rate(played(truth, games, draw))
        ratings.append([holds(rated.rating(one), truth[one]) for one in range(len(truth))])
        differences.append(
            [holds(rated.difference(*pair), truth[pair[0]] - truth[pair[1]]) for pair in pairs]
        )
        advantage.append(holds(rated.first_advantage, ADVANTAGE))
        draws.append(rated.draws_bounds[0] <= DRAWS <= rated.draws_bounds[1])
    by_pair = np.mean(differences, axis=0)
    means = (np.mean(ratings), by_pair.mean(), by_pair.min(), np.mean(advantage), np.mean(draws))
    return [*map(float, means)]


def main(tournaments: int = 400) -> None:
    """Prints the table."""
    draw = np.random.default_rng(1)
    table = Table("players", "apart", "games", "ratings", "differ.", "worst", "first", "draws")
    for players, spread, games in product(PLAYERS, SPREADS, GAMES):
        truth = np.linspace(spread / 2, -spread / 2, players)
        shares = covered(truth, games, tournaments, draw)
        table.add_row(f"{players}", f"{spread}", f"{games}", *(f"{100 * s:.1f}" for s in shares))
    Console().print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
