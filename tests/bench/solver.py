"""Our solver compared with BitBully, from end game to opening.

It needs `pip install '.[bench]'`. Python calls both solvers, position by position, without books.
Times are processor time. With two threads, which BitBully does not support, they are wall time.
All figures are medians of the rounds. "Cold" means that the table is cleared before each position,
and that clearing it is not timed. "Warm" means that the table keeps the positions before it.

--empty adds the empty board, for which BitBully takes minutes. --sets names another folder than
tests/bench/positions. Its files have lines of MOVES SCORE.
"""

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from _shared import show
from bitbully import BitBully, Board
from c4_bot import _core
from c4_bot.native import halves, sizes, stones
from c4_bot.solve.solver import HASH_MB
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.variant import STANDARD

SETS = Path(__file__).parent / "positions"
OTHER_FILES = ("README", "answers")
"""Starts of names of files that have no lines of moves and one score."""
WIDEST = 22
"""A number larger than all scores."""
WON = (halves(0b111), halves(0b111 << 7))
WON_BOARD = Board([0, 1, 0, 1, 0, 1])
"""Positions that need no search, because the player to move completes a line."""
WARM = ("end_easy", "middle_easy", "Test_L3_R1", "Test_L2_R1")
COLUMNS = {"positions": "", "how": "", "ours, us": ",.1f", "nodes": ",.0f", "million/s": ".1f"}
COLUMNS |= {"BitBully, us": ",.1f", "ratio": ".3f"}


@dataclass(frozen=True)
class Task:
    """A set of positions, and the way in which they are solved."""

    name: str
    lines: tuple[str, ...]
    cold: bool = True
    weak: bool = False
    threads: int = 1

    @property
    def is_shared(self) -> bool:
        """True if BitBully can do the same task."""
        return self.threads == 1 and not self.weak

    @property
    def how(self) -> str:
        """The number of positions and the way in which they are solved, in words."""
        parts = [str(len(self.lines)), "cold" if self.cold else "warm"]
        parts += ["sign only"] * self.weak + [f"{self.threads} threads"] * (self.threads > 1)
        return ", ".join(parts)


class Engines:
    """Both solvers, each with its table."""

    def __init__(self) -> None:
        self.ours = _core.Solver(sizes(STANDARD), HASH_MB)
        self.theirs = BitBully(opening_book=None)

    def measure(self, task: Task) -> tuple[float, float, float]:
        """Solve every position with both solvers, and fail on a wrong score.

        Returns mean seconds of a position by our solver and by BitBully, and our mean nodes.
        """
        ours = theirs = nodes = 0.0
        self.ours.forget()
        self.theirs.reset_transposition_table()
        for line in task.lines:
            moves, score = line.rsplit(" ", 1)
            taken, visited = self._solve(task, moves, int(score))
            ours, nodes = ours + taken, nodes + visited
            if task.is_shared:
                theirs += self._solve_theirs(task, moves, int(score))
        count = len(task.lines)
        return ours / count, theirs / count, nodes / count

    def _solve(self, task: Task, moves: str, score: int) -> tuple[float, int]:
        position = position_from_moves(moves, STANDARD)
        asked = stones(position)
        low, high = (-1, 1) if task.weak else (-WIDEST, WIDEST)
        if task.cold:
            self.ours.forget()
        # Wakes the interpreter, and leaves the table as it is.
        self.ours.solve(WON, (low, high), (-1, -1, -1, 1))
        clock = time.process_time if task.threads == 1 else time.perf_counter
        began = clock()
        found = self.ours.solve(asked, (low, high), (-1, -1, -1, task.threads))
        taken = clock() - began
        assert max(low, min(high, found[0])) == max(low, min(high, score)), moves
        return taken, found[2]

    def _solve_theirs(self, task: Task, moves: str, score: int) -> float:
        board = Board([int(column) - 1 for column in moves])
        if task.cold:
            self.theirs.reset_transposition_table()
        self.theirs.mtdf(WON_BOARD)
        began = time.process_time()
        found = self.theirs.mtdf(board)
        taken = time.process_time() - began
        assert found == score, moves
        return taken


def tasks(folder: Path, most: int, *, empty: bool) -> Iterator[Task]:
    """Yield the tasks to measure, with at most ``most`` positions of each set."""
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.suffix not in {"", ".txt"} or path.stem.startswith(OTHER_FILES):
            continue
        task = Task(path.stem, tuple(path.read_text().splitlines()[:most]))
        yield task
        if path.stem in WARM:
            yield replace(task, cold=False)
        if path.stem == "opening_hard":
            yield replace(task, threads=2)
    if empty:
        board = Task("empty board", (" 1",))
        for weak in (False, True):
            yield replace(board, weak=weak)
            yield replace(board, weak=weak, threads=2)


def row(engines: Engines, task: Task, rounds: int) -> tuple[object, ...]:
    """Return the row of a task in the table."""
    runs = [engines.measure(task) for _ in range(rounds)]
    ours, theirs, nodes = map(statistics.median, zip(*runs, strict=True))
    own = (ours * 1e6, nodes, nodes / ours / 1e6)
    if not task.is_shared:
        return task.name, task.how, *own, None, None
    ratio = statistics.median(mine / other for mine, other, _ in runs)
    return task.name, task.how, *own, theirs * 1e6, ratio


def main(rounds: int = 3, positions: int = 1000, *, sets: Path = SETS, empty: bool = False) -> None:
    """Solve at most ``positions`` positions of each set in each of ``rounds`` rounds."""
    engines = Engines()
    rows = (row(engines, task, rounds) for task in tasks(sets, positions, empty=empty))
    show(f"a position, medians of {rounds} rounds", COLUMNS, rows)
