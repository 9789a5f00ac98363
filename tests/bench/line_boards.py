"""Empty boards on which stones go anywhere: who wins, with how many stones, and in what time.

    python tests/bench/line_boards.py [seconds [WIDTHxHEIGHTxCONNECT[+] ...]]

With + diagonals count as well. Milliseconds are of processor time: to the first proof, and until a
complete search finds no shorter win (or the seconds are over). The proof is that of the first.
"""

import re
import sys
import time

from c4_bot.contract import Limits
from c4_bot.solve.line.solver import LineSolver
from c4_bot.solve.line.verdict import Verdict, verdict
from c4_protocol.position import Position
from c4_protocol.variant import DIRECTIONS, Variant
from rich.console import Console
from rich.table import Table

BOARDS = (
    "4x4x3 5x5x3 4x4x4 5x5x4 6x6x4 7x7x4 8x8x4 9x9x4 10x10x4 11x11x4 16x8x4 4x4x3+ 3x3x3+ 4x4x4+ \
5x5x4+ 6x6x4+ 7x7x4+ 8x8x4+ 9x9x4+ 10x10x4+ 7x7x5+ 8x8x5+ 9x9x5+ 11x11x5+"
)


def variant_of(name: str) -> Variant:
    """The game of a name."""
    width, height, connect = map(int, re.findall(r"\d+", name))
    directions = DIRECTIONS if name.endswith("+") else DIRECTIONS[:2]
    return Variant(width, height, connect, False, directions)


def timed(solver: LineSolver, seconds: float, *, weak: bool) -> tuple[Verdict, float]:
    """A verdict on the empty board, and its milliseconds."""
    began = time.process_time()
    limits = Limits(deadline=time.monotonic() + seconds)
    found = verdict(solver, Position(solver.variant), limits, weak=weak)
    return found, (time.process_time() - began) * 1000


def row(name: str, seconds: float) -> tuple[str, ...]:
    """What is found out about a board."""
    solver = LineSolver(variant_of(name))
    found, first_ms = timed(solver, seconds, weak=True)
    if found.sign is None:
        return name, "not proven", "", f"{first_ms:.1f}", "", ""
    if found.sign == 0:
        return name, "a draw", "", f"{first_ms:.1f}", "", ""
    steps = solver.proof(Position(solver.variant), True, found.moves, found.plain, Limits())
    best, more_ms = timed(solver, seconds, weak=False)
    stones = f"{'' if best.exact else '<='}{best.moves}"
    all_ms = f"{first_ms + more_ms:.0f}" if best.exact else ""
    return name, "a win", stones, f"{first_ms:.1f}", str(len(steps or ())), all_ms


def main(seconds: str = "10", *names: str) -> None:
    """Measures and prints."""
    table = Table(title=f"empty boards, at most {seconds} s each, one core")
    for title in ("board", "for the first player", "stones", "first proof, ms", "steps", "all, ms"):
        table.add_column(title, justify="left" if "o" in title[:5] else "right")
    for name in names or BOARDS.split():
        table.add_row(*row(name, float(seconds)))
    Console().print(table)


if __name__ == "__main__":
    main(*sys.argv[1:])
