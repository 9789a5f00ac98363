"""Strength of the weights of `sequences`, and of bred weights.

`map` plays all pairs of ratios against 1-3-6, with both colours, after random openings of six
plies. It shows Elo differences, and the largest standard error of each row.

`methods` breeds by each method with the same number of games, and measures its best player in the
same way after each number of rounds in ``MARKS``. It shows the mean and the standard deviation over
the runs.
"""

import os
import sys
from collections.abc import Iterator
from statistics import fmean, stdev

from _shared import show
from c4_protocol.variant import STANDARD
from c4_referee.contest.openings import find_openings
from c4_referee.tuning.arena import Arena, SearchSettings
from c4_referee.tuning.comparison import play_pairs
from c4_referee.tuning.evolution import METHODS, RunSettings, StoppingRule, evolve
from c4_referee.tuning.experiment import PAPER_WEIGHTS

SECOND = (0, 0.5, 1, 2, 3, 4, 6, 10)
THIRD = (0, 1, 2, 4, 6, 8, 12, 20, 40)
MARKS = (1, 3, 10, 30, 100)
"""Numbers of rounds after which a method's best player is measured."""
NOISE = (0, 1, 5)
"""Openings in a round. More openings mean fewer rounds for the same number of games."""
SEED = 12345


def openings(count: int) -> list[str]:
    """Return the ``count`` openings that all measurements use."""
    return find_openings("random:6", STANDARD, count, SEED)


def show_map(depth: int, count: int) -> None:
    """Show the Elo difference between each pair of ratios and 1-3-6."""
    arena, starts = Arena(SearchSettings(depth), os.cpu_count() or 1), openings(count)

    def rows() -> Iterator[tuple[object, ...]]:
        for second in SECOND:
            weights = [(2, int(2 * second), int(2 * third)) for third in THIRD]
            found = [play_pairs(arena, one, PAPER_WEIGHTS, starts) for one in weights]
            errors = ((one.elo_high - one.elo_low) / 2 / 1.96 for one in found)
            yield f"{second:g}", *(one.elo for one in found), max(errors)

    columns = {"2/1 by 3/1": ""} | {f"{third:g}": "+.0f" for third in THIRD} | {"error": ".0f"}
    show(f"Elo against 1-3-6, depth {depth}, {2 * count} games each", columns, rows())


def strengths(method: str, noise: int, depth: int, seed: int, arena: Arena) -> Iterator[float]:
    """Yield the Elo differences of a run's best players, one for each of the marks."""
    settings = RunSettings(depth=depth, seed=seed, openings=noise, method=method)
    each = max(1, noise)
    starts = openings(200)
    for one in evolve(settings, StoppingRule(max(MARKS) // each), arena):
        if one.number * each in MARKS:
            yield play_pairs(arena, one.winners[0], PAPER_WEIGHTS, starts).elo


def show_methods(depth: int, runs: int) -> None:
    """Show the strength that each method has reached after each of the marks."""
    arena = Arena(SearchSettings(depth), os.cpu_count() or 1)

    def rows() -> Iterator[tuple[str, ...]]:
        for method in METHODS:
            for noise in NOISE:
                marks = [mark for mark in MARKS if mark % max(1, noise) == 0]
                found = (strengths(method, noise, depth, seed, arena) for seed in range(runs))
                by_mark = dict(zip(marks, zip(*found, strict=True), strict=True))
                cells = (
                    f"{fmean(by_mark[mark]):+.0f}±{stdev(by_mark[mark]):.0f}"
                    if mark in by_mark
                    else ""
                    for mark in MARKS
                )
                yield method, str(noise or "none"), *cells

    columns = dict.fromkeys(("method", "openings", *map(str, MARKS)), "")
    show(f"Elo against 1-3-6 by rounds of 380 games, depth {depth}, {runs} runs", columns, rows())


def main(what: str = "map", depth: int = 3, count: int = 0) -> None:
    """Show `map` with ``count`` openings (0: 400), or `methods` with ``count`` runs (0: 8)."""
    if what == "map":
        show_map(depth, count or 400)
    elif what == "methods":
        show_methods(depth, count or 8)
    else:
        sys.exit(f"weights: say map or methods, not {what}")
