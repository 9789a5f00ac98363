"""Our solver against BitBully's, from the end of the game to its opening, side by side.

    python tests/bench/solver.py [rounds [positions]] [--empty] [--sets FOLDER]

Needs the package ``bitbully``. Both are called from Python, position by position in turns, without
books; times are of the processor (of the clock with two threads, which BitBully has not), and
ratios medians of the rounds. Cold is with everything forgotten before each position (not timed),
warm with the positions before it remembered. ``--empty`` adds the empty board, for which BitBully
takes minutes; ``--sets`` takes other files of lines ``MOVES SCORE`` than those of
``tests/bench/positions``.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bitbully import BitBully, Board
from c4_bot import _core
from c4_bot.native import halves, sizes, stones
from c4_bot.solve.solver import HASH_MB
from c4_protocol.notation import position_from_moves
from c4_protocol.variant import STANDARD
from rich.console import Console
from rich.table import Table

SETS = Path(__file__).parent / "positions"
WIDEST = 22
"""More than any score."""
WON = (halves(0b111), halves(0b111 << 7))
WON_BOARD = Board([0, 1, 0, 1, 0, 1])
"""Positions that take no search: the player to move completes a line."""
WARM = ("end_easy", "middle_easy", "Test_L3_R1", "Test_L2_R1")


@dataclass(frozen=True)
class Row:
    """A set of positions and how they are solved."""

    name: str
    lines: tuple[str, ...]
    cold: bool = True
    weak: bool = False
    threads: int = 1

    @property
    def is_shared(self) -> bool:
        """Whether BitBully can do the same."""
        return self.threads == 1 and not self.weak


@dataclass(frozen=True)
class Measured:
    """Seconds a position by us and by BitBully, and our nodes."""

    ours: float
    theirs: float
    nodes: float


class Engines:
    """Both solvers, each with its table."""

    def __init__(self) -> None:
        self.ours = _core.Solver(sizes(STANDARD), HASH_MB)
        self.theirs = BitBully(opening_book=None)

    def measure(self, row: Row) -> Measured:
        """Solves every position by both; fails on a wrong score."""
        ours = theirs = nodes = 0.0
        self._forget()
        for line in row.lines:
            moves, score = line.rsplit(" ", 1)
            taken, visited = self._solve(row, moves, int(score))
            ours, nodes = ours + taken, nodes + visited
            if row.is_shared:
                theirs += self._solve_theirs(row, moves, int(score))
        count = len(row.lines)
        return Measured(ours / count, theirs / count, nodes / count)

    def _forget(self) -> None:
        self.ours.forget()
        self.theirs.reset_transposition_table()

    def _solve(self, row: Row, moves: str, score: int) -> tuple[float, int]:
        position = position_from_moves(moves, STANDARD)
        asked = stones(position)
        low, high = (-1, 1) if row.weak else (-WIDEST, WIDEST)
        if row.cold:
            self.ours.forget()
        # Wakes the interpreter, and leaves the table alone.
        self.ours.solve(WON, (low, high), (-1, -1, -1, 1))
        clock = time.process_time if row.threads == 1 else time.perf_counter
        began = clock()
        found = self.ours.solve(asked, (low, high), (-1, -1, -1, row.threads))
        taken = clock() - began
        assert max(low, min(high, found[0])) == max(low, min(high, score)), moves
        return taken, found[2]

    def _solve_theirs(self, row: Row, moves: str, score: int) -> float:
        board = Board([int(column) - 1 for column in moves])
        if row.cold:
            self.theirs.reset_transposition_table()
        self.theirs.mtdf(WON_BOARD)
        began = time.process_time()
        found = self.theirs.mtdf(board)
        taken = time.process_time() - began
        assert found == score, moves
        return taken


def rows(folder: Path, most: int, empty: bool) -> list[Row]:
    """What is measured, the quickest first."""
    found = []
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.suffix in {"", ".txt"} and path.name != "README":
            row = Row(path.stem, tuple(path.read_text().splitlines()[:most]))
            found += [row, replace(row, cold=False)] if path.stem in WARM else [row]
    hard = [replace(row, threads=2) for row in found if row.name == "opening_hard"]
    if empty:
        board = Row("empty board", (" 1",))
        hard += [board, replace(board, threads=2), replace(board, weak=True)]
        hard += [replace(board, weak=True, threads=2)]
    return found + hard


def in_unit(seconds: float) -> str:
    """A time in the unit that suits it."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} us"
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def medians(runs: Sequence[Measured], field: Callable[[Measured], float]) -> float:
    """The median of one figure."""
    return statistics.median(map(field, runs))


def add(table: Table, row: Row, runs: Sequence[Measured]) -> None:
    """A line of the table."""
    kind = ("cold" if row.cold else "warm") + (", sign only" if row.weak else "")
    kind += f", {row.threads} threads" if row.threads > 1 else ""
    ours = medians(runs, lambda run: run.ours)
    theirs, ratio = "", ""
    if row.is_shared:
        theirs = in_unit(medians(runs, lambda run: run.theirs))
        ratio = f"{medians(runs, lambda run: run.ours / run.theirs):.3f}"
    nodes = medians(runs, lambda run: run.nodes)
    table.add_row(
        row.name,
        f"{len(row.lines)}, {kind}",
        in_unit(ours),
        f"{nodes:,.0f}",
        f"{nodes / ours / 1e6:.1f}",
        theirs,
        ratio,
    )


def main() -> None:
    """Measures and prints."""
    options = parser().parse_args()
    table = Table(title=f"a position, medians of {options.rounds} rounds")
    for title in ("positions", "", "ours", "nodes", "million/s", "BitBully", "ratio"):
        table.add_column(title, justify="left" if title in {"positions", ""} else "right")
    engines = Engines()
    for row in rows(options.sets, options.positions, options.empty):
        add(table, row, [engines.measure(row) for _ in range(options.rounds)])
    Console(width=100).print(table)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("rounds", nargs="?", type=int, default=3)
    made.add_argument("positions", nargs="?", type=int, default=1000)
    made.add_argument("--empty", action="store_true")
    made.add_argument("--sets", type=Path, default=SETS)
    return made


if __name__ == "__main__":
    main()
