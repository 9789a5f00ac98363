"""Winners of empty boards without gravity; time of the proofs.

A board is named WIDTHxHEIGHTxCONNECT. A + at the end means that diagonals count as well. Times are
milliseconds of processor time: until the first proof, and until a complete search finds no shorter
win. The column of steps counts the steps of the first proof.
"""

import re
import time

from _shared import show
from c4_bot.contract import Limits
from c4_bot.solve.line.solver import LineSolver
from c4_bot.solve.line.verdict import Verdict, verdict
from c4_protocol.position import Position
from c4_protocol.variant import DIRECTIONS, Variant

BOARDS = (
    "4x4x3 5x5x3 4x4x4 5x5x4 6x6x4 7x7x4 8x8x4 9x9x4 10x10x4 11x11x4 16x8x4 4x4x3+ 3x3x3+ 4x4x4+ \
5x5x4+ 6x6x4+ 7x7x4+ 8x8x4+ 9x9x4+ 10x10x4+ 7x7x5+ 8x8x5+ 9x9x5+ 11x11x5+"
)
COLUMNS = {
    "board": "",
    "first player": "",
    "stones": "",
    "first proof, ms": ".1f",
    "steps": "d",
    "no shorter win, ms": ".0f",
}


def variant_of(name: str) -> Variant:
    """Return the variant with a name such as ``4x4x3+``."""
    width, height, connect = map(int, re.findall(r"\d+", name))
    directions = DIRECTIONS if name.endswith("+") else DIRECTIONS[:2]
    return Variant(width, height, connect, False, directions)


def timed(solver: LineSolver, seconds: float, *, weak: bool) -> tuple[Verdict, float]:
    """Return the verdict on the empty board, and the milliseconds of processor time it took."""
    began = time.process_time()
    limits = Limits(deadline=time.monotonic() + seconds)
    found = verdict(solver, Position(solver.variant), limits, weak=weak)
    return found, (time.process_time() - began) * 1000


def row(name: str, seconds: float) -> tuple[object, ...]:
    """Return the row of a board in the table."""
    solver = LineSolver(variant_of(name))
    found, first_ms = timed(solver, seconds, weak=True)
    if not found.sign:
        return name, "not proven" if found.sign is None else "draws", "", first_ms, None, None
    steps = solver.proof(Position(solver.variant), True, found.moves, found.plain, Limits())
    best, more_ms = timed(solver, seconds, weak=False)
    stones = f"{'' if best.exact else '<='}{best.moves}"
    return (
        name,
        "wins",
        stones,
        first_ms,
        len(steps or ()),
        first_ms + more_ms if best.exact else None,
    )


def main(seconds: float = 10, *boards: str) -> None:
    """Search each named board for at most ``seconds`` seconds.

    Without names, all boards of the list are searched.
    """
    rows = (row(name, seconds) for name in boards or BOARDS.split())
    show(f"empty boards, at most {seconds:g} s each, one core", COLUMNS, rows)
