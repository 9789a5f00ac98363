"""Checks random entries of the book with an independent solver, BitBully, and with ours.

    pip install bitbully
    python tests/bench/verify_book.py [entries] [book]

Neither uses a book. Exit code 1 if any score differs.
"""

import random
import sys
import time
from pathlib import Path

from bitbully import BitBully, Board
from c4_bot.book import PATH
from c4_bot.book.file import Book, position_of
from c4_bot.solve.solver import Solver
from c4_protocol.position import Position
from c4_protocol.variant import STANDARD
from rich.console import Console
from rich.table import Table

DEEPEST_FIRST = 6
"""Entries of fewer plies take the independent solver too long; they follow from the others."""


def columns_to(position: Position) -> list[int] | None:
    """Columns, from 0, that lead to a position nobody has won; ``None`` if none do."""
    seen: set[tuple[int, int]] = set()

    def back(last: int, other: int) -> list[int] | None:
        """``last`` are the stones of the player who moved last."""
        if not last | other:
            return []
        if (last, other) in seen:
            return None
        seen.add((last, other))
        for column, cells in enumerate(STANDARD.columns):
            top = 1 << ((last | other) & cells).bit_length() >> 1
            if top & last and (before := back(other, last ^ top)) is not None:
                return [*before, column]
        return None

    return back(position.other, position.own)


def main(entries: int, path: Path) -> int:
    """Checks and prints; returns the exit code."""
    known = [entry for entry in Book(path) if position_of(entry[0], STANDARD).ply >= DEEPEST_FIRST]
    theirs, ours = BitBully(opening_book=None), Solver(STANDARD)
    began, wrong = time.monotonic(), {"BitBully": 0, "our solver": 0}
    chosen = random.Random().sample(known, min(entries, len(known)))
    for word, score in chosen:
        position = position_of(word, STANDARD)
        wrong["BitBully"] += theirs.mtdf(Board(columns_to(position))) != score
        wrong["our solver"] += ours.solve(position).low != score
    seconds = time.monotonic() - began
    table = Table(title=f"{len(chosen)} of {len(known)} entries, {seconds:.0f} s")
    table.add_column("judge")
    table.add_column("scores that differ", justify="right")
    for judge, count in wrong.items():
        table.add_row(judge, str(count))
    Console().print(table)
    return 1 if any(wrong.values()) else 0


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    sys.exit(main(count, Path(sys.argv[2]) if len(sys.argv) > 2 else PATH))
