"""``python -m c4_bot.puzzles.make``: makes ``puzzles.json``, always with the same puzzles.

Our players play games with short random openings. Every position of these games in which exactly
one move wins, or exactly one move keeps the draw, is a candidate. A position is none if a line can
be completed or has to be stopped at once, or if the game can still be long. From the candidates,
``chosen_puzzles`` chooses the same number for each grade, and in a grade about the same number for
each kind of reason. With two processors it takes three minutes.
"""

import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import cache, reduce
from itertools import chain, islice, zip_longest
from multiprocessing import Pool

import orjson
from c4_protocol.program.processors import usable_processors
from c4_protocol.rules.notation import cells_from_moves, moves_text
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, cells_of

from c4_bot.contract import Limits
from c4_bot.player.registry import build_player
from c4_bot.puzzles import PUZZLES_PATH, Puzzle
from c4_bot.puzzles.scores import ExactScores
from c4_bot.reasons.explanation import Knowledge, explain_move
from c4_bot.reasons.kinds import Reason
from c4_bot.solve.random_positions import moves_to_open_position
from c4_bot.solve.score import last_ply, sign_of

GAMES = 5000
PLAYERS = ("windows", "needed", "level-5", "level-6", "level-7", "level-8", "strong")
NODES = 3000
"""Maximum number of nodes of a player for each move. A limit of time would change the games."""
OPENING_PLIES = (1, 6)
"""Minimum and maximum number of random moves at the start of a game."""
GRADES = ("easy", "medium", "hard")
PUZZLES_PER_GRADE = 100
MAX_LENGTH, MIN_MOVES = 13, 3
"""Maximum ``length`` of a puzzle, and minimum number of legal moves."""
TOO_SIMPLE = ("only-safe", "draw")
"""Kind and result of positions that are no puzzles. Every move but one loses at once, so a few
positions of this kind, those that are won, are enough."""
EASY_LENGTH, MEDIUM_LENGTH = 6, 9
"""Maximum ``length`` of easy puzzles, and of medium puzzles without a short reason."""
MAX_LINE = 9
"""Maximum number of plies in ``line``."""
MAX_SHOWN_LENGTH = 7
"""Maximum ``length`` of a win that is shown to its end."""
SHORT_KINDS = frozenset(
    [
        "two-threats",
        "stacked-threats",
        "no-answer",
        "only-safe",
        "threat",
        "leave",
        "averts",
        "prepares",
        "last-line",
        "dead-draw",
    ]
)
"""Kinds of reasons that speak of the next few moves."""
MAX_SHORT_FORCE = 5
"""Maximum number of plies of a forced win that is a short reason."""


def played_game(seed: int) -> tuple[list[str], list[int]]:
    """Return the names of the players of a game, and the cells of its moves."""
    draw = random.Random(seed)
    names = draw.choices(PLAYERS, k=2)
    players = [build_player(name, seed=draw.getrandbits(30)) for name in names]
    opening = moves_to_open_position(draw.randint(*OPENING_PLIES), draw, STANDARD)
    cells = cells_from_moves(opening, STANDARD)
    position = reduce(Position.play, cells, Position())
    while not position.is_over:
        cells.append(players[position.player - 1].choose(position, Limits(nodes=NODES)).cell)
        position = position.play(cells[-1])
    return names, cells


def puzzles_of_game(seed: int) -> list[Puzzle]:
    """Return all puzzles in the game with this seed."""
    names, cells = played_game(seed)
    made, position = [], Position()
    for ply, cell in enumerate(cells):
        if (move := _only_move(position)) is not None:
            made.append(_puzzle(position, move, moves_text(STANDARD, cells[:ply]), names, seed))
        position = position.play(cell)
    return made


def chosen_puzzles(found: Iterable[Puzzle]) -> list[Puzzle]:
    """Return the puzzles of all grades, short ones first; at most one of each game.

    Kinds of reasons take turns, wins and draws apart, those with the fewest puzzles first.
    """
    groups: dict[str, dict[tuple[str, str], list[Puzzle]]] = defaultdict(lambda: defaultdict(list))
    for puzzle in found:
        if (group := (puzzle.kind, puzzle.result)) != TOO_SIMPLE:
            groups[puzzle.grade][group].append(puzzle)
    known, chosen = set[object](), []
    for grade in GRADES:
        by_size = sorted(groups[grade].values(), key=len)
        turns = zip_longest(*(_fresh_puzzles(group, known) for group in by_size))
        fresh = filter(None, chain.from_iterable(turns))
        chosen += sorted(islice(fresh, PUZZLES_PER_GRADE), key=lambda puzzle: puzzle.length)
    return chosen


def grade_of(reason: Reason, length: int) -> str:
    """Return the grade of a puzzle with this reason and this ``length``."""
    is_short = reason.kind in SHORT_KINDS or (
        reason.kind == "forced-win" and len(reason.line) <= MAX_SHORT_FORCE
    )
    if is_short:
        return "easy" if length <= EASY_LENGTH else "medium"
    return "medium" if length <= MEDIUM_LENGTH else "hard"


def _fresh_puzzles(group: Iterable[Puzzle], known: set[object]) -> Iterator[Puzzle]:
    """Yield puzzles whose game and position are new, and remember both.

    A position whose mirror image is known is not new.
    """
    for puzzle in group:
        position = puzzle.position
        own = {puzzle.seed, position, position.mirrored()}
        if not own & known:
            known |= own
            yield puzzle


def _only_move(position: Position) -> int | None:
    """Return the only move of a position that is a puzzle; ``None`` if it is no puzzle."""
    if position.winning_cells or position.opponent_winning_cells or len(position.moves) < MIN_MOVES:
        return None
    scores = _scores()(position)
    kept = _keeping(scores)
    is_puzzle = max(scores.values()) >= 0 and len(kept) == 1
    return kept[0] if is_puzzle and _length(position, scores) <= MAX_LENGTH else None


def _puzzle(position: Position, cell: int, moves: str, names: list[str], seed: int) -> Puzzle:
    scores = _scores()(position)
    reason = explain_move(position, cell, Knowledge.of_scores(position, scores)).reason
    length, line = _length(position, scores), _line(position, cell)
    is_shown = scores[cell] > 0 and length <= MAX_SHOWN_LENGTH
    rest = _best_play(reduce(Position.play, line, position)) if is_shown else ()
    return Puzzle(
        moves,
        "win" if scores[cell] else "draw",
        length,
        grade_of(reason, length),
        reason.kind,
        [[STANDARD.column_of(at) + 1, STANDARD.row_of(at) + 1] for at in cells_of(reason.cells)],
        moves_text(STANDARD, line),
        moves_text(STANDARD, rest),
        names,
        seed,
    )


def _line(position: Position, cell: int) -> list[int]:
    """Return the ``line`` of a puzzle as cells. The opponent delays the win, or keeps the draw.

    If possible, the opponent makes a move to which there is one good answer.
    """
    line, position = [cell], position.play(cell)
    while not position.is_over and len(line) < MAX_LINE:
        best = _best_moves(position)
        hard = (reply for reply in best if _expected_answer(position.play(reply)) is not None)
        reply = next(hard, best[0])
        position = position.play(reply)
        if (answer := _expected_answer(position)) is None:
            break
        line += reply, answer
        position = position.play(answer)
    return line


def _expected_answer(position: Position) -> int | None:
    """Return a move that completes a line, or the only move that keeps the result.

    Return ``None`` if there is no such move.
    """
    if position.winning_cells:
        return next(cells_of(position.winning_cells))
    if position.is_over:
        return None
    kept = _keeping(_scores()(position))
    return kept[0] if len(kept) == 1 else None


def _best_play(position: Position) -> Iterator[int]:
    """Yield the moves of both players to the end of the game."""
    while not position.is_over:
        cell = _best_moves(position)[0]
        yield cell
        position = position.play(cell)


def _best_moves(position: Position) -> list[int]:
    scores = _scores()(position)
    best = max(scores.values())
    return [cell for cell in position.moves if scores[cell] == best]


def _keeping(scores: dict[int, int]) -> list[int]:
    """Return the moves that keep the result of a position."""
    result = max(map(sign_of, scores.values()))
    return [cell for cell, score in scores.items() if sign_of(score) == result]


def _length(position: Position, scores: dict[int, int]) -> int:
    """Return the number of moves of the player until the game ends, with best play."""
    return (last_ply(position, max(scores.values())) - position.ply + 1) // 2


_scores = cache(ExactScores)


def main() -> int:
    """Make the puzzles and write the file; return the exit code."""
    with Pool(len(usable_processors())) as pool:
        found = pool.imap(puzzles_of_game, range(GAMES), chunksize=20)
        chosen = chosen_puzzles(puzzle for puzzles in found for puzzle in puzzles)
    lines = b",\n".join(orjson.dumps(asdict(puzzle)) for puzzle in chosen)
    PUZZLES_PATH.write_bytes(b"[\n" + lines + b"\n]\n")
    sys.stderr.write(f"{PUZZLES_PATH}: {len(chosen)} puzzles, {len(lines)} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
