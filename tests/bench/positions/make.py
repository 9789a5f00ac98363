"""Makes the sets of positions beside it: random games, sorted by when they would end.

    python tests/bench/positions/make.py

A line is ``MOVES SCORE``. The classes are those of Pascal Pons's benchmark: how many stones are
down, and how many more will be when both sides play their best.
"""

import random
from collections.abc import Callable
from pathlib import Path

from c4_bot.solve.score import last_ply
from c4_bot.solve.solver import Solver
from c4_protocol.notation import moves_text
from c4_protocol.position import Position
from c4_protocol.variant import STANDARD

SETS: dict[str, tuple[int, tuple[int, int], Callable[[int], bool]]] = {
    "end_easy": (200, (29, 40), lambda left: left < 14),
    "middle_easy": (200, (15, 28), lambda left: left < 14),
    "middle_medium": (200, (15, 28), lambda left: 14 <= left < 28),
    "opening_easy": (100, (1, 14), lambda left: left < 14),
    "opening_medium": (60, (4, 14), lambda left: 14 <= left < 28),
    "opening_hard": (16, (4, 11), lambda left: left >= 28),
}
"""How many positions, of how many stones, and of how many to come."""


def random_game(stones: tuple[int, int]) -> tuple[list[int], Position]:
    """So many random moves from the empty board, and where they lead; fewer if the game ends."""
    moves: list[int] = []
    position = Position()
    for _ in range(random.randint(*stones)):
        if position.is_over:
            break
        moves.append(random.choice(position.moves))
        position = position.play(moves[-1])
    return moves, position


def make(name: str, solver: Solver) -> list[str]:
    """The lines of one set."""
    count, stones, is_wanted = SETS[name]
    lines: list[str] = []
    while len(lines) < count:
        moves, position = random_game(stones)
        if position.is_over:
            continue
        score = solver.solve(position).low
        if is_wanted(last_ply(position, score) - position.ply):
            lines.append(f"{moves_text(STANDARD, moves)} {score}\n")
    return lines


def main() -> None:
    """Writes all of them."""
    random.seed(7)
    solver = Solver(STANDARD, 256)
    for name in SETS:
        Path(__file__).with_name(f"{name}.txt").write_text("".join(make(name, solver)))


if __name__ == "__main__":
    main()
