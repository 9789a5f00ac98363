"""Sets of positions with exact scores, for tests and benchmarks.

`bot` writes tests/bot/solve/positions.txt: random positions of all plies, five of each ply (two of
each of the first plies, which take long). The file is not written if our solver and BitBully
disagree on any score. `bot` needs `pip install '.[bench]'`.

`bench` writes tests/bench/positions: random games, sorted by the time until they end. The classes
are those of Pascal Pons's benchmark. They depend on the number of stones on the board, and on the
number of stones until the end if both sides play their best.

A line of these files is MOVES SCORE.

`moves` writes positions with the scores of all their moves. A line is MOVES SCORE SCORE ..., with
one score for each column from left to right, and `-` for a full column. A file is not written if
our solver and BitBully disagree on any score; `moves` needs `pip install '.[bench]'`, too.
tests/bot/search/scored_moves.txt has random positions of all plies, and
tests/bench/positions/answers.txt has those of plies 4 to 34 in which no move wins at once.

`8x7` writes such positions of the board with eight columns and seven rows to
tests/bench/positions/answers_8x7.txt. BitBully does not solve this board, so only our solver scores
these moves. This takes a few minutes.
"""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from c4_bot.book import default_book
from c4_bot.solve.random_positions import moves_to_open_position
from c4_bot.solve.score import last_ply
from c4_bot.solve.solver import Solver
from c4_protocol.rules.notation import moves_text, position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant

TESTS = Path(__file__).parents[1]
SLOW_PLIES = 9
"""Maximum ply of the positions that take long to solve."""
BOOK_PLIES = 12
"""Maximum ply of the positions whose exact distances BitBully has in its book."""
SETS: dict[str, tuple[int, tuple[int, int], Callable[[int], bool]]] = {
    "end_easy": (200, (29, 40), lambda left: left < 14),
    "middle_easy": (200, (15, 28), lambda left: left < 14),
    "middle_medium": (200, (15, 28), lambda left: 14 <= left < 28),
    "opening_easy": (100, (1, 14), lambda left: left < 14),
    "opening_medium": (60, (4, 14), lambda left: 14 <= left < 28),
    "opening_hard": (16, (4, 11), lambda left: left >= 28),
}
"""Each set's number of positions, range of stones on the board, and test of the stones to come."""

SCORED = 1200
"""Number of positions for the tests, of all plies, with the scores of all moves."""
ANSWERS, ANSWER_PLIES = 3000, (4, 34)
"""Number and plies of the positions for the benchmark of answers."""
LARGE = Variant(8, 7)
LARGE_ANSWERS, LARGE_PLIES = 300, (16, 40)
"""Number and plies of its positions on a larger board. With fewer stones, one can take minutes."""


def bitbully_scores(lines: list[str]) -> list[int]:
    """Return BitBully's exact scores of positions that are given by their moves."""
    from bitbully import BitBully, Board

    with_book, without = BitBully(opening_book="12-ply-dist"), BitBully(opening_book=None)
    return [
        int(
            (with_book if len(moves) <= BOOK_PLIES else without).mtdf(
                Board([int(name) - 1 for name in moves])
            )
        )
        for moves in lines
    ]


def write_agreed(path: Path) -> int:
    """Write the positions for the tests, unless a score differs. Return how many scores differ."""
    draw, chosen = random.Random(6), []
    for ply in range(STANDARD.cells):
        different = dict.fromkeys(moves_to_open_position(ply, draw, STANDARD) for _ in range(100))
        chosen += [*different][: 2 if ply <= SLOW_PLIES else 5]
    solver = Solver(STANDARD)
    scored = list(zip(chosen, bitbully_scores(chosen), strict=True))
    differ = 0
    for moves, score in scored:
        ours = solver.solve(position_from_moves(moves, STANDARD))
        if (ours.low, ours.high) != (score, score):
            differ += 1
            print(f"{moves}: ours {ours.low} to {ours.high}, BitBully {score}")
    if not differ:
        path.write_text("".join(f"{moves} {score}\n" for moves, score in scored))
    return differ


def random_game(stones: tuple[int, int], draw: random.Random) -> tuple[list[int], Position]:
    """Return random moves and the position after them, with fewer moves if the game ends."""
    moves: list[int] = []
    position = Position()
    for _ in range(draw.randint(*stones)):
        if position.is_over:
            break
        moves.append(draw.choice(position.moves))
        position = position.play(moves[-1])
    return moves, position


def lines_of_set(name: str, solver: Solver, draw: random.Random) -> list[str]:
    """Return the lines of a set's file."""
    count, stones, is_wanted = SETS[name]
    lines: list[str] = []
    while len(lines) < count:
        moves, position = random_game(stones, draw)
        if position.is_over:
            continue
        score = solver.solve(position).low
        if is_wanted(last_ply(position, score) - position.ply):
            lines.append(f"{moves_text(STANDARD, moves)} {score}\n")
    return lines


def texts_of_answers(
    draw: random.Random, variant: Variant, count: int, plies: tuple[int, int]
) -> list[str]:
    """Return the moves to different random positions in which no move wins at once."""
    found: dict[str, None] = {}
    while len(found) < count:
        moves = moves_to_open_position(draw.randint(*plies), draw, variant)
        if not position_from_moves(moves, variant).winning_cells:
            found[moves] = None
    return [*found]


def texts_of_all_plies(draw: random.Random) -> list[str]:
    """Return the moves to different random positions of all plies, in turns."""
    found: dict[str, None] = {}
    while len(found) < SCORED:
        found[moves_to_open_position(draw.randrange(STANDARD.cells), draw, STANDARD)] = None
    return sorted(found, key=len)


def our_scores(moves: str, solver: Solver, variant: Variant = STANDARD) -> list[int | None]:
    """Return the scores of the moves in each column; ``None`` for a full column."""
    position = position_from_moves(moves, variant)
    scores: list[int | None] = [None] * variant.width
    for cell, found in solver.move_scores(position):
        scores[variant.column_of(cell)] = found.low
    return scores


def line_of(moves: str, scores: list[int | None]) -> str:
    """Return the line of a file of positions with the scores of all moves."""
    shown = " ".join("-" if score is None else str(score) for score in scores)
    return f"{moves or '-'} {shown}\n"


def bitbully_move_scores(moves: str, agent: Any) -> list[int | None]:
    """Return BitBully's scores of the moves in each column; ``None`` for a full column."""
    from bitbully import Board

    found = agent.score_all_moves(Board([int(name) - 1 for name in moves]))
    return [found.get(column) for column in range(STANDARD.width)]


def write_scored_moves(path: Path, texts: list[str]) -> int:
    """Write positions with the scores of all moves, unless a score differs from BitBully's.

    Return how many positions differ.
    """
    from bitbully import BitBully

    with_book, without = BitBully(opening_book="12-ply-dist"), BitBully(opening_book=None)
    solver, differ, lines = Solver(STANDARD, 256, default_book()), 0, []
    for moves in texts:
        ours = our_scores(moves, solver)
        theirs = bitbully_move_scores(moves, with_book if len(moves) < BOOK_PLIES else without)
        if ours != theirs:
            differ += 1
            print(f"{moves}: ours {ours}, BitBully {theirs}")
        lines.append(line_of(moves, ours))
    if not differ:
        path.write_text("".join(lines))
    return differ


def write_large(path: Path, count: int) -> None:
    """Write positions of the larger board with our solver's scores of all moves."""
    texts = texts_of_answers(random.Random(9), LARGE, count, LARGE_PLIES)
    solver = Solver(LARGE, 256)
    path.write_text("".join(line_of(moves, our_scores(moves, solver, LARGE)) for moves in texts))


def main(what: str, folder: str = "", *, large: int = LARGE_ANSWERS) -> int:
    """Write the positions of ``what``, which is `bot`, `bench`, `moves` or `8x7`.

    Files of `bench` and `8x7` are written to ``folder``, if it is given. ``large`` is the number of
    positions of `8x7`.
    """
    bench = Path(folder) if folder else TESTS / "bench" / "positions"
    if what == "bot":
        return min(write_agreed(TESTS / "bot" / "solve" / "positions.txt"), 1)
    if what == "8x7":
        write_large(bench / "answers_8x7.txt", large)
        return 0
    if what == "moves":
        draw = random.Random(8)
        tests = write_scored_moves(
            TESTS / "bot" / "search" / "scored_moves.txt", texts_of_all_plies(draw)
        )
        texts = texts_of_answers(draw, STANDARD, ANSWERS, ANSWER_PLIES)
        return min(tests + write_scored_moves(bench / "answers.txt", texts), 1)
    if what != "bench":
        sys.exit(f"make_positions: say bot, bench, moves or 8x7, not {what}")
    draw, solver = random.Random(7), Solver(STANDARD, 256)
    for name in SETS:
        (bench / f"{name}.txt").write_text("".join(lines_of_set(name, solver, draw)))
    return 0
