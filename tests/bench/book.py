"""How long answers on 7x6 take with the book: to solve a position, and to score all its moves.

    python tests/bench/book.py [positions a ply] [last ply] [book]

Random positions of every ply that can be reached, all equally likely up to 11 plies and reached by
random play after that; solved on one core, from an empty memory each time, as by a cold process.
Milliseconds of processor time.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from c4_bot.book import PATH
from c4_bot.book.file import Book, position_of
from c4_bot.book.positions import all_positions, keys
from c4_bot.solve.solver import Solver
from c4_protocol.position import Position
from c4_protocol.variant import STANDARD
from rich.console import Console
from rich.table import Table

UNIFORM = 11
"""Plies up to which all positions are listed."""


def samples(count: int, last: int) -> Iterator[tuple[int, list[Position]]]:
    """Random positions of each ply, none of which is over."""
    chance = random.Random(1)
    for ply, many in enumerate(all_positions(STANDARD, min(UNIFORM, last))):
        words = keys(many).tolist()
        sample = chance.sample(words, min(count, len(words)))
        yield ply, [position_of(word, STANDARD) for word in sample]
    for ply in range(UNIFORM + 1, last + 1):
        yield ply, [_played(ply, words, chance) for _ in range(count)]


def _played(ply: int, words: list[int], chance: random.Random) -> Position:
    """A position reached by random play from one of these."""
    while True:
        position = position_of(chance.choice(words), STANDARD)
        while position.ply < ply and not position.is_over:
            position = position.play(chance.choice(position.moves))
        if position.ply == ply and not position.is_over:
            return position


def cold(
    solver: Solver, positions: list[Position], ask: Callable[[Position], object]
) -> list[float]:
    """Milliseconds that each takes from an empty memory, ascending."""
    taken = []
    for position in positions:
        solver.forget()
        began = time.process_time()
        ask(position)
        taken.append((time.process_time() - began) * 1000)
    return sorted(taken)


def figures(taken: list[float]) -> list[str]:
    """Median, 99th percentile, longest, and how many of a hundred take more than 100 ms."""
    slow = sum(1 for ms in taken if ms > 100) / len(taken) * 100
    middle, last = taken[len(taken) // 2], taken[len(taken) * 99 // 100]
    return [f"{middle:.1f}", f"{last:.1f}", f"{taken[-1]:.1f}", f"{slow:.1f}"]


def main(count: int, last: int, path: Path) -> None:
    """Measures and prints."""
    solver = Solver(STANDARD, book=Book(path))
    table = Table(title=f"cold answers with the book, ms, {count} positions a ply")
    figure_names = ("median", "99 %", "longest", "% > 100")
    tasks = [f"{task}: {name}" for task in ("solve", "all moves") for name in figure_names]
    for title in ("ply", *tasks):
        table.add_column(title, justify="right")
    all_solved, all_scored = [], []
    for ply, positions in samples(count, last):
        solved = cold(solver, positions, solver.solve)
        scored = cold(solver, positions, lambda position: list(solver.move_scores(position)))
        table.add_row(str(ply), *figures(solved), *figures(scored))
        all_solved += solved
        all_scored += scored
    table.add_row("any", *figures(sorted(all_solved)), *figures(sorted(all_scored)))
    Console(width=110).print(table)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    main(
        int(arguments[0]) if arguments else 200,
        int(arguments[1]) if len(arguments) > 1 else 41,
        Path(arguments[2]) if len(arguments) > 2 else PATH,
    )
