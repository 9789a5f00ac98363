"""Whether we agree with BitBully, an independent solver, and with the published positions.

    pip install '.[bench]'
    python tests/bench/agreement.py [positions [folder of Test_L1_R1 and so on]]

Random positions of 7x6 of all depths. BitBully takes those of up to twelve stones from its book, of
exact distances, and solves the others; ours solves all. As the first plies take most of the time,
there are fewer of them.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bitbully import BitBully, Board
from c4_bot.solve.solver import Solver
from c4_protocol.notation import moves_text, position_from_moves
from c4_protocol.position import Position
from c4_protocol.variant import STANDARD
from rich.console import Console
from rich.progress import track
from rich.table import Table

SEED = 4
BOOK_PLIES = 12
SLOW_PLIES = 9
FEW = 10
"""Of the plies up to ``SLOW_PLIES`` there is one position where of others there are so many."""


def random_moves(ply: int, numbers: random.Random) -> str:
    """Moves that lead to a random position of ``ply`` stones in which nobody has won."""
    while True:
        position, cells = Position(), []
        while position.ply < ply:
            going_on = [cell for cell in position.moves if not position.play(cell).is_over]
            if not going_on:
                break
            cells.append(numbers.choice(going_on))
            position = position.play(cells[-1])
        else:
            return moves_text(STANDARD, cells)


def sample(count: int, numbers: random.Random) -> list[str]:
    """Different positions of all depths, as moves, the fewest first."""
    shares = [1 if ply <= SLOW_PLIES else FEW for ply in range(STANDARD.cells)]
    plies = numbers.choices(range(STANDARD.cells), shares, k=count)
    return sorted({random_moves(ply, numbers) for ply in plies}, key=len)


class BitBullys:
    """BitBully's scores."""

    def __init__(self) -> None:
        self._of_book = BitBully(opening_book="12-ply-dist")
        self._of_search = BitBully(opening_book=None)

    def score(self, moves: str) -> int:
        """Of a position, for the player to move."""
        one = self._of_book if len(moves) <= BOOK_PLIES else self._of_search
        return int(one.mtdf(Board([int(name) - 1 for name in moves])))


def disagreements(found: list[tuple[str, int]], solver: Solver) -> Iterator[str]:
    """What we and somebody else say differently, of positions with their scores."""
    for moves, score in track(found, "solving"):
        ours = solver.solve(position_from_moves(moves, STANDARD))
        if (ours.low, ours.high) != (score, score):
            yield f"{moves}: ours {ours.low} to {ours.high}, theirs {score}"


def sources(count: int, folder: Path | None) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """The name of each other opinion, and its positions with their scores."""
    theirs = BitBullys()
    chosen = sample(count, random.Random(SEED))
    yield "BitBully", [(moves, theirs.score(moves)) for moves in track(chosen, "BitBully")]
    for path in sorted(folder.glob("Test_*")) if folder else ():
        lines = map(str.split, path.read_text(encoding="utf-8").splitlines())
        yield path.name, [(moves, int(score)) for moves, score in lines]


def main(count: int = 2000, folder: str | None = None) -> int:
    """Compares and prints; returns how many positions differ."""
    table, solver, wrong = Table(title="agreement"), Solver(STANDARD), 0
    for title in ("with", "positions", "plies", "differ", "seconds, ours"):
        table.add_column(title, justify="left" if title == "with" else "right")
    for name, found in sources(count, Path(folder) if folder else None):
        start = time.perf_counter()
        differ = list(disagreements(found, solver))
        seconds = time.perf_counter() - start
        plies = Counter(len(moves) for moves, _ in found)
        depths = f"{min(plies)} to {max(plies)}"
        table.add_row(name, str(len(found)), depths, str(len(differ)), f"{seconds:.1f}")
        print(*differ, sep="\n", end="\n" if differ else "")
        wrong += len(differ)
    Console().print(table)
    return wrong


if __name__ == "__main__":
    arguments = sys.argv[1:]
    sys.exit(main(*map(int, arguments[:1]), *arguments[1:]) > 0)
