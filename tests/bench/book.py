"""Time of exact answers on 7x6 with the opening book.

The positions are random. Up to 11 plies, all reachable positions are equally likely. Later
positions are reached by random play. Each is solved on one core with an empty table, as in a new
process. Times are milliseconds of processor time.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from _shared import percentile, seconds_of, show
from c4_bot.book import BOOK_PATH
from c4_bot.book.book_file import Book
from c4_bot.book.make import all_positions, position_keys
from c4_bot.solve.solver import Solver
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD

sys.path.insert(0, str(Path(__file__).parents[1] / "shared"))
from books import position_of

UNIFORM = 11
"""Maximum ply for which all positions are listed."""
SLOW_MS = 100


def samples(count: int, last: int) -> Iterator[tuple[int, list[Position]]]:
    """Yield each ply with ``count`` random positions in which the game is not over."""
    chance = random.Random(1)
    for ply, listed in enumerate(all_positions(STANDARD, min(UNIFORM, last))):
        words = position_keys(listed).tolist()
        sample = chance.sample(words, min(count, len(words)))
        yield ply, [position_of(word, STANDARD) for word in sample]
    for ply in range(UNIFORM + 1, last + 1):
        yield ply, [position_after(ply, words, chance) for _ in range(count)]


def position_after(ply: int, words: list[int], chance: random.Random) -> Position:
    """Return a position that random play reaches from one of the book's keys."""
    while True:
        position = position_of(chance.choice(words), STANDARD)
        while position.ply < ply and not position.is_over:
            position = position.play(chance.choice(position.moves))
        if position.ply == ply and not position.is_over:
            return position


def cold_times(
    solver: Solver, positions: list[Position], ask: Callable[[Position], object]
) -> list[float]:
    """Return the milliseconds that each position takes with an empty table."""
    taken = []
    for position in positions:
        solver.forget()
        taken.append(seconds_of(lambda position=position: ask(position), time.process_time) * 1000)
    return taken


def figures(taken: list[float]) -> tuple[float, ...]:
    """Return the median, the 99th percentile, the maximum, and the percentage of slow answers.

    An answer is slow if it takes more than ``SLOW_MS``.
    """
    slow = 100 * sum(ms > SLOW_MS for ms in taken) / len(taken)
    return percentile(taken, 50), percentile(taken, 99), max(taken), slow


def main(positions: int = 200, plies: int = 41, book: Path = BOOK_PATH) -> None:
    """Solve ``positions`` positions of each ply up to ``plies``."""
    solver = Solver(STANDARD, book=Book(book))

    def rows() -> Iterator[tuple[object, ...]]:
        every_solved: list[float] = []
        every_scored: list[float] = []
        for ply, sample in samples(positions, plies):
            solved = cold_times(solver, sample, solver.solve)
            scored = cold_times(solver, sample, lambda one: list(solver.move_scores(one)))
            yield str(ply), *figures(solved), *figures(scored)
            every_solved += solved
            every_scored += scored
        yield "any", *figures(every_solved), *figures(every_scored)

    columns = {"ply": ""}
    for task in ("solve", "all moves"):
        columns |= {f"{task}: {name}": ".1f" for name in ("median", "99 %", "longest", "% > 100")}
    show(f"ms with the book and an empty table, {positions} positions a ply", columns, rows())
