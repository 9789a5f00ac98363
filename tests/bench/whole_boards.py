"""Whole boards from nothing, and the proof of the follow-up bound on larger boards than in tests.

    python tests/bench/whole_boards.py [WxH ...]
    python tests/bench/whole_boards.py --exhaust 5x4 4x6

Scores are those that Tromp published; 8x5 and 6x7 take a while. ``--exhaust`` compares the bound
with the truth in every quiet position of the boards, in Python: 4x6 has five million of them and
takes some 2 GB and minutes.
"""

import argparse
import sys
import time
from pathlib import Path

from c4_bot import _core
from c4_bot.native import halves, sizes
from c4_bot.solve.solver import Solver
from c4_protocol.position import Position
from c4_protocol.variant import Variant
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "bot" / "solve"))

KNOWN = {"4x4": 0, "5x4": 0, "5x5": 0, "6x4": -1, "6x5": 0, "7x4": 0, "7x5": 0, "6x6": -1}
KNOWN |= {"8x5": 1, "6x7": 1, "7x6": 1}


def solved(name: str) -> list[str]:
    """Solves a board; raises ``SystemExit`` if its score is not the known one."""
    variant = Variant.parse(name)
    start = time.perf_counter()
    solution = Solver(variant).solve(Position(variant))
    seconds = time.perf_counter() - start
    if KNOWN.get(name, solution.low) != solution.low:
        sys.exit(f"{name}: {solution.low} instead of {KNOWN[name]}")
    return [name, str(solution.low), f"{solution.nodes:,}", f"{seconds:.2f}"]


def exhausted(name: str) -> list[str]:
    """Compares the bound with all of a board; raises ``SystemExit`` if it is ever too low."""
    from test_solver import Judge

    variant = Variant.parse(name)
    start = time.perf_counter()
    judge, following = Judge(variant), _core.Solver(sizes(variant), 1).most_by_following
    quiet = judge.quiet()
    for own, other in quiet:
        if judge.scores[own, other] > following((halves(own), halves(other))):
            sys.exit(f"{name}: the bound is too low for {own:#x} against {other:#x}")
    return [name, "bound holds", f"{len(quiet):,}", f"{time.perf_counter() - start:.2f}"]


def main() -> None:
    """Solves, or proves, and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("board", nargs="*", default=["6x5", "7x5", "6x6", "7x6", "8x5", "6x7"])
    parser.add_argument("--exhaust", action="store_true", help="prove the bound instead")
    options = parser.parse_args()
    table = Table("board", "score", "nodes", "seconds", title="whole boards")
    for name in options.board:
        table.add_row(*(exhausted(name) if options.exhaust else solved(name)))
    Console().print(table)


if __name__ == "__main__":
    main()
