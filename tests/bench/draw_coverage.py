"""Coverage of the interval of draws between equal bots.

The simulated round robins are those of ``rating_coverage``. Two bots have 100 games, more bots have
one game or one pair of games with each other. The first and the last are 400 points apart. A miss
is "low" if the whole interval is below the true share, and "high" if it is above it.
"""

from collections.abc import Iterator
from itertools import product

import numpy as np
import rating_coverage
from _shared import show
from c4_referee.records.stats.ratings import WITHOUT_PAIRS, rate_players

PLAYERS = (2, 10, 20, 30)
SHARES = (0.1, 0.5)
COLUMNS = {"draws": ".0%", "bots": "d", "games of two bots": "", "mean": ".1%"} | dict.fromkeys(
    ("covered", "low", "high"), ".1%"
)


def main(tournaments: int = 1000) -> None:
    """Simulate ``tournaments`` tournaments of each kind."""
    draw = np.random.default_rng(1)

    def rows() -> Iterator[tuple[object, ...]]:
        for share, players, paired in product(SHARES, PLAYERS, (False, True)):
            rating_coverage.DRAWS = 2 * share / (1 - share)
            truth = np.linspace(200, -200, players) if players > 2 else np.zeros(2)
            low = high = total = 0.0
            for _ in range(tournaments):
                games = 1 if players > 2 else 50 if paired else 100
                pairs = rating_coverage.simulated(draw.permutation(truth), games, 0.0, draw)
                results = rating_coverage.results_of(players, pairs)
                if not paired:  # half of the games, so that both seats of a bot are as frequent
                    results = np.zeros_like(results)
                    turned = draw.random(len(pairs)) < 0.5
                    one, other = np.where(turned, pairs[:, 1::-1].T, pairs[:, :2].T)
                    outcome = np.where(turned, pairs[:, 3], pairs[:, 2])
                    np.add.at(results, (one, other, outcome), 1)
                rated = rate_players(results, pairs if paired else WITHOUT_PAIRS)
                low += rated.draws_bounds[1] < rating_coverage.DRAWS
                high += rated.draws_bounds[0] > rating_coverage.DRAWS
                total += rated.draws / (rated.draws + 2)
            kind = f"{games} pairs" if paired else f"{games} single"
            shares = (one / tournaments for one in (total, tournaments - low - high, low, high))
            yield share, players, kind, *shares

    show(f"intervals of draws, {tournaments} tournaments", COLUMNS, rows())
