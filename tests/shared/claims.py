"""Compares what an answer says of its move with exact scores."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from c4_bot.book import default_book
from c4_bot.explain import SHOWN_FORCED_WIN
from c4_bot.solve.score import last_ply
from c4_protocol.records.messages import Info
from c4_protocol.rules.notation import position_from_moves, wire_move
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant

Move = int | tuple[int, int]
Scores = Mapping[Move, int]
"""Exact scores of all legal moves, as ``c4_protocol.records.messages.Move`` names these."""

END = re.compile(r"(wins|loses) in (\d+) moves?|(a draw)")
VAGUE = {
    "a win, but by which move is not proven": lambda own, best: best > 0,
    "a draw, but by which move is not proven": lambda own, best: best == 0,
    "wins, but how soon is not proven": lambda own, best: own > 0,
    "loses, but how soon is not proven": lambda own, best: own < 0,
}
"""Claims without a number, and whether they are true of a move and of the best move."""
EXACT_REASONS = {"proven", "from the book", "forced", "takes over the first stone"}
EXACT_REASONS |= {"the first stone that helps the opponent least"}
"""Reasons that may come before a proven end of the game."""
MODEST = re.compile(
    "no time to search|the first move|chosen at random|forced|takes over the first stone|"
    "(not proven in time|not proven|seems to win|seems to lose|"
    "no end in sight, the most central column|takes over the first stone|"
    "out of time with .* moves searched)(: depth [0-9]+)?"
)
"""Reasons that claim nothing about the score."""


def read_positions(
    path: Path, variant: Variant = STANDARD
) -> list[tuple[Position, dict[Move, int]]]:
    """Return the positions of a file of ``tests/bench/make_positions.py`` with all scores."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        moves, *scores = line.split()
        position = position_from_moves("" if moves == "-" else moves, variant)
        known = {column: int(text) for column, text in enumerate(scores) if text != "-"}
        found.append((position, known))
    return found


def false_claims(position: Position, scores: Scores, move: Move, info: Info) -> list[str]:
    """Return what is not true in the ``info`` of an answer, in words.

    All scores in ``info.scores`` must be proven.
    """
    return [
        *_about_score(scores[move], info),
        *_about_line(position, move, info),
        *_about_moves(scores, info),
        *_about_reason(position, scores, move, info),
    ]


def _about_score(own: int, info: Info) -> Iterator[str]:
    if info.exact and info.score != own:
        yield f"score {info.score:g} is exact, but the move is worth {own}"
    if abs(info.score) == SHOWN_FORCED_WIN and info.score * own <= 0:
        yield f"score {info.score:g}, but the move is worth {own}"


def _about_line(position: Position, move: Move, info: Info) -> Iterator[str]:
    if info.pv and info.pv[0] != move:
        yield f"the line begins with {info.pv[0]}, not with {move}"
    for number, step in enumerate(info.pv):
        cells = {wire_move(position.variant, cell): cell for cell in position.moves}
        if position.is_over or step not in cells:
            yield f"move {number} of the line is not legal"
            return
        position = position.play(cells[step])


def _about_moves(scores: Scores, info: Info) -> Iterator[str]:
    for move, score in info.scores:
        true = scores[move]
        if score != true and not (abs(score) == SHOWN_FORCED_WIN and score * true > 0):
            yield f"move {move} is scored {score:g}, but is worth {true}"


def _about_reason(position: Position, scores: Scores, move: Move, info: Info) -> Iterator[str]:
    own, best = scores[move], max(scores.values())
    reason, *_purposes = info.reason.split("; ")
    if reason in VAGUE:
        if not VAGUE[reason](own, best):
            yield f"'{reason}', but the move is worth {own}, and the best move {best}"
        return
    if not info.exact:
        if not MODEST.fullmatch(reason):
            yield f"'{reason}' without a proof"
        return
    why, _, end = reason.partition(": ")
    if why not in EXACT_REASONS:
        yield f"'{why}' is no reason that this test knows"
    if why == "from the book" and not _is_in_book(position, move):
        yield "the book does not have the score of the move"
    if end != _end(position, own):
        yield f"'{end}', but it is '{_end(position, own)}'"


def _is_in_book(position: Position, move: Move) -> bool:
    book = default_book()
    cells = {wire_move(position.variant, cell): cell for cell in position.moves}
    return book is not None and book.score(position.play(cells[move])) is not None


def _end(position: Position, score: int) -> str:
    """Return the end of the game with this score, as ``c4_bot.explain`` describes it."""
    if not score:
        return "a draw"
    moves = (last_ply(position, score) - position.ply + 1) // 2
    return f"{'wins' if score > 0 else 'loses'} in {moves} move{'s' if moves > 1 else ''}"
