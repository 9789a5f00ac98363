"""Makes the book: all positions of so many plies, solved by all processors, ply after ply.

What is solved is appended to a file of lines ``KEY SCORE`` at once, so that a run that is stopped
goes on where it was. Positions of the last ply but one are solved first, as they are enough to play
well; siblings follow each other, so that what the solver remembers of one helps with the next.
"""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from bot.book.file import entry, key, write
from bot.solve.score import worth
from bot.solve.solver import Solver
from protocol.position import Position, completing_cells
from protocol.variant import STANDARD

CHUNK = 32
"""Positions that one process solves before it reports."""
HASH_MB = 256


def open_positions(plies: int) -> list[Position]:
    """All positions of so many stones in which nobody can win at once, one of each mirrored pair.

    Siblings follow each other.
    """
    found = {key(Position()): Position()}
    for _ in range(plies):
        found = {
            key(child): child
            for position in found.values()
            for child in (position.play(cell) for cell in position.moves)
            if not child.is_won
        }
    return [position for position in found.values() if not can_win(position)]


def can_win(position: Position) -> bool:
    """Whether the player to move can complete a line."""
    return bool(completing_cells(position.own, position.variant) & position.playable)


class Progress:
    """The scores that are known, by key, kept in a file as they come."""

    def __init__(self, path: Path) -> None:
        self.scores: dict[int, int] = {}
        if path.exists():
            lines = path.read_text().split("\n")[:-1]  # the last one may have been cut off
            self.scores = {int(word): int(score) for word, score in map(str.split, lines)}
            path.write_text("".join(f"{line}\n" for line in lines))
        self._file = path.open("a")

    def add(self, scores: Iterable[tuple[int, int]]) -> None:
        """Keeps some more, on disk."""
        for word, score in scores:
            self.scores[word] = score
            self._file.write(f"{word} {score}\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def solve_all(plies: int, progress: Progress, jobs: int) -> Iterator[tuple[int, int]]:
    """Solves what is missing of one ply; yields how many are known, and of how many."""
    positions = open_positions(plies)
    missing = [position for position in positions if key(position) not in progress.scores]
    chunks = [missing[i : i + CHUNK] for i in range(0, len(missing), CHUNK)]
    known = len(positions) - len(missing)
    with ProcessPoolExecutor(jobs, initializer=_prepare) as pool:
        for solved in pool.map(_solve, chunks):
            progress.add(solved)
            known += len(solved)
            yield known, len(positions)


_solver: Solver


def _prepare() -> None:
    global _solver  # noqa: PLW0603 - one a process
    _solver = Solver(STANDARD, HASH_MB)


def _solve(positions: list[Position]) -> list[tuple[int, int]]:
    return [(key(position), _solver.solve(position).low) for position in positions]


def finish(plies: int, progress: Progress, path: Path) -> int:
    """Writes the book: what was solved, and all positions before it that follow from it."""
    scores = dict(progress.scores)
    for ply in range(plies - 1, -1, -1):
        for position in open_positions(ply):
            if (score := _from_children(position, scores)) is not None:
                scores[key(position)] = score
    about = f"exact scores of 7x6, from the empty board to {plies} plies"
    write(path, (entry(word, score) for word, score in scores.items()), about)
    return len(scores)


def _from_children(position: Position, scores: dict[int, int]) -> int | None:
    """The score of a position from those that its moves lead to, if all of them are known."""
    found = []
    for cell in position.moves:
        child = position.play(cell)
        word = key(child)
        if can_win(child):
            found.append(-worth(position.variant.cells, child.ply + 1))
        elif word in scores:
            found.append(-scores[word])
        else:
            return None
    return max(found)
