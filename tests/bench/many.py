"""Positions per second of solve_many, c4-solve and BitBully.

It needs `pip install '.[bench]'`. All use their opening books, and solve the same random positions
for all moves. ``c4-solve`` uses ``--jobs``; its times include its start. BitBully runs in a pool
of processes. Figures are medians of the rounds, in which all take turns.
"""

import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import NamedTemporaryFile

from _shared import in_turns, median_ratio, seconds_of, show
from bitbully import BitBully
from bitbully import Board as TheirBoard
from c4_bot import Solver
from c4_bot.solve.random_positions import random_lines
from c4_protocol import Board
from c4_protocol.rules.variant import STANDARD

SOLVE = str(Path(sys.executable).parent / "c4-solve")
STONES = (8, 12, 16, 24)
PROCESSORS = (1, 2)
BLOCK = 10
"""Positions that a process of the pool gets at a time."""
SHARE = 20
"""Number of positions for each that BitBully solves, because it takes much longer."""
OTHERS = ("one by one", "c4-solve", "BitBully")
COLUMNS = {
    **dict.fromkeys(("stones", "processors"), ",d"),
    **{f"{way}, 1/s": ",.0f" for way in ("solve_many", *OTHERS)},
    **{f"solve_many / {way}": ".2f" for way in OTHERS},
}

_theirs: BitBully


def _start_theirs() -> None:
    global _theirs  # noqa: PLW0603 - each process of the pool has a solver
    _theirs = BitBully()


def _their_scores(line: str) -> dict[int, int]:
    return _theirs.score_all_moves(TheirBoard([int(column) - 1 for column in line]))


def _with_pool(lines: Sequence[str], processes: int) -> float:
    """Return the seconds for all lines, estimated from ``SHARE`` of them."""
    share = lines[: len(lines) // SHARE]
    with ProcessPoolExecutor(processes, initializer=_start_theirs) as pool:
        [*pool.map(_their_scores, lines[-processes:])]  # so that all processes have started
        return SHARE * seconds_of(lambda: [*pool.map(_their_scores, share, chunksize=BLOCK)])


def _ways(lines: list[str], processors: int) -> dict[str, Callable[[], float]]:
    """Return functions that solve the positions, and return the seconds that they took."""
    boards = [Board.from_moves(line) for line in lines]
    file = NamedTemporaryFile("w", suffix=".txt")  # noqa: SIM115 - removed with the functions
    file.write("\n".join(lines))
    file.flush()
    command = [SOLVE, "--all", "--jobs", str(processors), file.name]

    def one_by_one() -> None:
        solver = Solver(threads=1)
        for board in boards:
            solver.score_moves(board)

    def with_command() -> None:
        assert file
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)

    return {
        "many": lambda: seconds_of(lambda: Solver().solve_many(boards, threads=processors)),
        "one": lambda: seconds_of(one_by_one),
        "command": lambda: seconds_of(with_command),
        "theirs": lambda: _with_pool(lines, processors),
    }


def main(positions: int = 10_000, rounds: int = 3) -> None:
    """Solve random positions with 8, 12, 16 and 24 stones."""

    def rows() -> Iterator[list[object]]:
        for stones in STONES:
            lines = [
                line.decode()
                for line in random_lines(positions, range(stones, stones + 1), stones, STANDARD)
            ]
            for processors in PROCESSORS:
                taken = in_turns(_ways(lines, processors), rounds)
                speeds = [positions / statistics.median(each) for each in taken.values()]
                ratios = [median_ratio(taken[way], taken["many"]) for way in [*taken][1:]]
                yield [stones, processors, *speeds, *ratios]

    show(f"{positions:,} random positions, all moves", COLUMNS, rows())
