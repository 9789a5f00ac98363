"""How strong the weights of `sequences` are, and which method finds good ones.

    python tests/bench/weights.py map [depth [openings]]
    python tests/bench/weights.py methods [depth [runs]]

`map` plays every pair of ratios against 1-3-6, both colours, from random openings of six plies, and
prints Elo differences (standard error in brackets). `methods` breeds by each method with the same
number of games and measures its best player after some rounds in the same way.
"""

import os
import sys
from statistics import fmean, stdev

from c4_protocol.variant import STANDARD
from c4_referee.contest.openings import find_openings
from c4_referee.tuning.arena import Arena, SearchSettings
from c4_referee.tuning.comparison import play_pairs
from c4_referee.tuning.evolution import METHODS, RunSettings, StoppingRule, evolve
from c4_referee.tuning.experiment import PAPER_WEIGHTS
from rich.console import Console
from rich.table import Table

SECOND = (0, 0.5, 1, 2, 3, 4, 6, 10)
THIRD = (0, 1, 2, 4, 6, 8, 12, 20, 40)
MARKS = (1, 3, 10, 30, 100)
"""Rounds after which a method's best player is measured."""
NOISE = (0, 1, 5)
"""Openings a round; with more of them there are fewer rounds for the same games."""
SEED = 12345


def openings(count: int) -> list[str]:
    """Those that all are measured in."""
    return find_openings("random:6", STANDARD, count, SEED)


def strengths(depth: int = 3, count: int = 400) -> Table:
    """Elo against 1-3-6 by the two ratios."""
    arena, starts = Arena(SearchSettings(depth), os.cpu_count() or 1), openings(count)
    table = Table(title=f"Elo against 1-3-6, depth {depth}, {2 * count} games each")
    table.add_column("2/1 by 3/1")
    for third in THIRD:
        table.add_column(f"{third:g}", justify="right")
    for second in SECOND:
        cells = []
        for third in THIRD:
            found = play_pairs(arena, (2, int(2 * second), int(2 * third)), PAPER_WEIGHTS, starts)
            error = (found.elo_high - found.elo_low) / 2 / 1.96
            cells.append(f"{found.elo:+.0f} ({error:.0f})")
        table.add_row(f"{second:g}", *cells)
    return table


def methods(depth: int = 3, runs: int = 8) -> Table:
    """Elo of what each method has found by then: mean and deviation over runs."""
    arena, starts = Arena(SearchSettings(depth), os.cpu_count() or 1), openings(200)
    table = Table(title=f"Elo against 1-3-6 after rounds of 380 games, depth {depth}, {runs} runs")
    for title in ("method", "openings", *map(str, MARKS)):
        table.add_column(title, justify="right")
    for method in METHODS:
        for noise in NOISE:
            found: dict[int, list[float]] = {mark: [] for mark in MARKS}
            for seed in range(runs):
                settings = RunSettings(depth=depth, seed=seed, openings=noise, method=method)
                each = max(1, noise)
                for one in evolve(settings, StoppingRule(max(MARKS) // each), arena):
                    if one.number * each in found:
                        best = play_pairs(arena, one.winners[0], PAPER_WEIGHTS, starts)
                        found[one.number * each].append(best.elo)
            cells = [
                f"{fmean(some):+.0f}±{stdev(some):.0f}" if some else "" for some in found.values()
            ]
            table.add_row(method, str(noise or "none"), *cells)
    return table


if __name__ == "__main__":
    what, *numbers = sys.argv[1:] or ["map"]
    Console(width=130).print({"map": strengths, "methods": methods}[what](*map(int, numbers)))
