"""Whole boards solved without a book, and check of bounds.

The results must be those that Tromp published (https://tromp.github.io/c4/c4.html). --up-to 14
solves all boards whose width and height add up to at most 14, small ones first. 8x6 and 7x7 take
many minutes. --weak finds only who wins.

With --exhaust, bounds are compared with the exact score of every quiet position of the boards,
in Python. 4x6 has five million quiet positions and takes about 2 GB and several minutes.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from _shared import show
from c4_bot import _core
from c4_bot.native import halves, sizes
from c4_bot.solve.solver import Solver
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

sys.path.insert(0, str(Path(__file__).parents[1] / "bot" / "solve"))

TROMP = {4: "==-=----", 5: "====+++", 6: "==-+--", 7: "==+=+", 8: "==-+-", 9: "==+"}
TROMP |= {10: "==", 11: "="}
"""Results of the boards of each height, from width 4 on: the first player wins (+), loses (-), or
nobody wins (=)."""
BOARDS = ("6x5", "7x5", "6x6", "7x6", "8x5", "6x7")


def boards_up_to(total: int) -> Sequence[str]:
    """Return the boards with room for a line whose sides add up to at most ``total``."""
    sides = range(1, total)
    sizes = [(x, y) for x in sides for y in sides if x + y <= total and max(x, y) >= 4]
    return [f"{x}x{y}" for x, y in sorted(sizes, key=lambda size: size[0] * size[1])]


def published(variant: Variant) -> str:
    """Return the result that Tromp published; an empty text if there is none."""
    row, place = TROMP.get(variant.height, ""), variant.width - 4
    return row[place] if 0 <= place < len(row) else ""


def solved(board: str, *, weak: bool) -> tuple[int, int, float]:
    """Return the score of a board, the nodes and the seconds that it takes.

    The score is 1, 0 or -1 if ``weak``. End this process if the result is not the published one.
    """
    variant = Variant.parse(board)
    began = time.process_time()
    solution = Solver(variant).solve(Position(variant), wanted=(-1, 1) if weak else None)
    seconds = time.process_time() - began
    winner = (solution.low > 0) - (solution.high < 0)
    score = winner if weak else solution.low
    expected = published(variant)
    if expected and "=+-"[winner] != expected:
        sys.exit(f"{board}: {score} instead of {expected}")
    return score, solution.nodes, seconds


def exhausted(name: str) -> tuple[None, int]:
    """Return the number of quiet positions. End this process if the bounds are wrong for one."""
    from test_solver import Judge

    variant = Variant.parse(name)
    judge, following = Judge(variant), _core.Solver(sizes(variant), 1).follow_up_bounds
    quiet = judge.quiet()
    for own, other in quiet:
        low, high = following((halves(own), halves(other)))
        if not low <= judge.scores[own, other] <= high:
            sys.exit(f"{name}: the bounds are wrong for {own:#x} against {other:#x}")
    return None, len(quiet)


def main(
    *boards: str,
    exhaust: bool = False,
    weak: bool = False,
    up_to: int = 0,
) -> None:
    """Solve each named board, and those up to a size. Without both, solve all listed boards."""
    names = [*boards, *boards_up_to(up_to)] or BOARDS

    def rows() -> Iterator[tuple[object, ...]]:
        for name in names:
            if exhaust:
                began = time.perf_counter()
                yield name, *exhausted(name), time.perf_counter() - began
            else:
                yield name, *solved(name, weak=weak)

    columns = {"board": "", "score": "d", "nodes": ",d", "seconds": ".2f"}
    show("the bounds hold in all quiet positions" if exhaust else "whole boards", columns, rows())
