"""Whole boards solved without a book, and check of a bound.

The scores must be those that Tromp published. 8x5 and 6x7 take long. With --exhaust, the bound is
compared with the exact score of every quiet position of the boards, in Python. 4x6 has five
million quiet positions and takes about 2 GB and several minutes.
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from _shared import show
from c4_bot import _core
from c4_bot.native import halves, sizes
from c4_bot.solve.solver import Solver
from c4_protocol.position import Position
from c4_protocol.variant import Variant

sys.path.insert(0, str(Path(__file__).parents[1] / "bot" / "solve"))

KNOWN = {"4x4": 0, "5x4": 0, "5x5": 0, "6x4": -1, "6x5": 0, "7x4": 0, "7x5": 0, "6x6": -1}
KNOWN |= {"8x5": 1, "6x7": 1, "7x6": 1}
BOARDS = ("6x5", "7x5", "6x6", "7x6", "8x5", "6x7")


def solved(name: str) -> tuple[int, int]:
    """Return the score of a board and the nodes. End this process if the score is wrong."""
    variant = Variant.parse(name)
    solution = Solver(variant).solve(Position(variant))
    if KNOWN.get(name, solution.low) != solution.low:
        sys.exit(f"{name}: {solution.low} instead of {KNOWN[name]}")
    return solution.low, solution.nodes


def exhausted(name: str) -> tuple[None, int]:
    """Return the number of quiet positions. End this process if the bound is too low for one."""
    from test_solver import Judge

    variant = Variant.parse(name)
    judge, following = Judge(variant), _core.Solver(sizes(variant), 1).follow_up_bound
    quiet = judge.quiet()
    for own, other in quiet:
        if judge.scores[own, other] > following((halves(own), halves(other))):
            sys.exit(f"{name}: the bound is too low for {own:#x} against {other:#x}")
    return None, len(quiet)


def main(*boards: str, exhaust: bool = False) -> None:
    """Solve each named board. Without names, solve all listed boards."""

    def rows() -> Iterator[tuple[object, ...]]:
        for name in boards or BOARDS:
            began = time.perf_counter()
            found = exhausted(name) if exhaust else solved(name)
            yield name, *found, time.perf_counter() - began

    columns = {"board": "", "score": "d", "nodes": ",d", "seconds": ".2f"}
    show("the bound holds in all quiet positions" if exhaust else "whole boards", columns, rows())
