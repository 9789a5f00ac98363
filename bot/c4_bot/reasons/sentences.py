"""Reasons in words: fills in the templates of ``sentences.json``.

In all sentences columns count from 1, and rows from 1 at the bottom. A program in another language
needs the same file, translated, and a ``Reason``.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from c4_protocol.rules.notation import cell_name, place_name
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL, Variant, cells_of

from c4_bot.reasons.kinds import Reason
from c4_bot.solve.score import last_ply, sign_of

ALLOWS = "allows-"
"""Start of the kinds of mistakes that allow an answer with a reason of its own."""
LEADS = "leads-to-"
"""Start of the kinds of mistakes after which best play leads to a move with a reason."""
MAX_LISTED = 3
"""Maximum number of other moves whose outcomes are listed one by one."""


@cache
def templates() -> dict[str, Any]:
    """Return the content of ``sentences.json``."""
    return dict(orjson.loads(Path(__file__).with_name("sentences.json").read_bytes()))


def sentence(frame: str, **values: str) -> str:
    """Return a sentence: a frame of ``sentences.json`` with these values, in capitals first."""
    text: str = templates()["frames"][frame].format_map(values)
    return text[0].upper() + text[1:]


def predicate(position: Position, cell: int, reason: Reason) -> str:
    """Return what a move does, as the part of a sentence that follows the name of the move.

    ``position`` is the position before the move to ``cell``. The kind is none of those that speak
    of scores: ``values``, ``lost`` and ``searched``.
    """
    kind = reason.kind
    if kind.startswith(ALLOWS) and kind not in templates()["kinds"]:
        after, answer = position.play(cell), reason.line[0]
        kind = kind.removeprefix(ALLOWS)
        line = reason.line[1:] if kind.startswith("prepares") else reason.line  # as if one passed
        inner = predicate(after, answer, reason._replace(kind=kind, line=line))
        return _filled("allows", reply=move_name(position.variant, answer), reason=inner)
    if kind.startswith(LEADS):
        for step in (cell, *reason.line[:-1]):
            position = position.play(step)
        last = reason._replace(kind=kind.removeprefix(LEADS), line=())
        moves = " ".join(cell_name(position.variant, step) for step in reason.line)
        return _filled("leads-to", line=moves, reason=predicate(position, reason.line[-1], last))
    if kind == "parity" and reason.cells & reason.cells - 1:
        kind = "parities"
    return _filled(kind, **_values(position, cell, reason))


def _filled(kind: str, **values: str) -> str:
    return str(templates()["kinds"][kind].format_map(values))


def _values(position: Position, cell: int, reason: Reason) -> dict[str, str]:
    """Return the values of all names that a template of a kind can contain."""
    variant, words = position.variant, templates()["words"]
    seen = position if reason.kind == "cannot-stop" else position.play(cell)
    playable, cells = seen.playable, [*cells_of(reason.cells)]
    line = reason.line or (cell,)
    reply = move_name(variant, line[0])
    is_above = variant.gravity and cells == [cell + 1] and reason.kind != "allows-denies"
    in_words = words["above"] if is_above else places_in_words(variant, cells, playable)
    return {
        "connect": str(variant.connect),
        "cells": in_words,
        "any_cell": _joined([place_in_words(variant, place, playable) for place in cells], "or"),
        "column": move_name(variant, cells[0]) if cells else "",
        "number": dict(enumerate(words["numbers"])).get(len(cells), str(len(cells))),
        "moves": counted("move", (len(line) + 1) // 2),
        "line": " ".join(cell_name(variant, step) for step in line),
        "reply": reply,
        "there": words["there"] if line[0] == cell else words["with"].format(reply=reply),
        "parity": words["even" if cells and variant.row_of(cells[0]) % 2 else "odd"],
    }


def effect(position: Position, cell: int, scores: Mapping[int, int], *, is_exact: bool) -> str:
    """Return what the scores say of a move: what it keeps, and what other moves do.

    ``scores`` are the known scores of moves. ``is_exact`` is false if a win or a loss may come
    sooner than they say.
    """
    texts = templates()["effects"]
    if cell not in scores:
        return str(texts["unknown"])
    score, all_known = scores[cell], len(scores) == len(position.moves)
    own = effect_of(position, cell, score, is_exact=is_exact, keeps=all_known)
    if not all_known or score < 0:
        return own
    outcome = sign_of(score)
    others = {move: sign_of(value) for move, value in scores.items() if move != cell}
    if all(sign == outcome for sign in others.values()):
        every = templates()["one"][str(outcome)].format(moves=templates()["words"]["every"])
        return f"{own}; {every}" if others else own
    if outcome not in others.values() and len(others) > MAX_LISTED:
        return str(texts["alone"].format(effect=own))
    listed = [_moves_with(position, others, sign) for sign in (1, 0, -1)]
    return str(texts["others"].format(effect=own, others=_joined([*filter(None, listed)], "and")))


def effect_of(
    position: Position, cell: int, score: int, *, is_exact: bool = True, keeps: bool = False
) -> str:
    """Return what a move with this score does, without a word on other moves."""
    texts, outcome = templates()["effects"], sign_of(score)
    if not outcome:
        return str(texts["draw" if keeps else "drawn"])
    name = "win" if outcome > 0 else "loss"
    if not is_exact:
        return str(texts[f"some {name}"])
    moves = moves_left(position, cell, score)
    return str(texts[name].format(moves=moves) if moves else texts[f"any {name}"])


def moves_left(position: Position, cell: int, score: int) -> str | None:
    """Return the number of moves that the winner still makes, with the word for moves.

    ``score`` is that of the move to ``cell``. The result is ``None`` if the score does not show the
    number, because the opponent may steal the stone.
    """
    child = position.play(cell)
    if child.steal_is_ahead:
        return None
    stones = 0 if child.is_over else last_ply(child, -score) - child.ply
    return counted("move", 1 + stones // 2 if score > 0 else (stones + 1) // 2)


def keeps_in_words(score: int) -> str:
    """Return what a move with this score keeps."""
    return str(templates()["effects"]["keeps"].format(outcome=outcome_name(sign_of(score))))


def lost_in_words(position: Position, cell: int, scores: Mapping[int, int]) -> str:
    """Return how long a lost position lasts after a move, and after the move that lasts longest."""
    moves = moves_left(position, cell, scores[cell]) if cell in scores else None
    if moves is None or len(scores) < len(position.moves):
        return _filled("lost")
    best = max(position.moves, key=lambda move: scores[move])
    if scores[cell] == scores[best]:
        return _filled("lost in", moves=moves)
    later, most = move_name(position.variant, best), moves_left(position, best, scores[best])
    return _filled("lost sooner", moves=moves, later=later, most=str(most))


def searched_in_words(depth: int) -> str:
    """Return that a move is the best one after a search of this depth in plies."""
    return _filled("searched", plies=counted("ply", depth))


def outcome_name(outcome: int) -> str:
    """Return the name of an outcome: 1, 0 or -1."""
    return str(templates()["outcomes"][str(outcome)])


def _moves_with(position: Position, outcomes: Mapping[int, int], outcome: int) -> str:
    """Return which moves win, draw or lose; an empty text if none does."""
    moves = sorted(move for move, result in outcomes.items() if result == outcome)
    if not moves:
        return ""
    form = "one" if len(moves) == 1 else "many"
    names = places_in_words(position.variant, moves, position.playable)
    return str(templates()[form][str(outcome)].format(moves=names))


def move_name(variant: Variant, cell: int) -> str:
    """Return the name of a move in a sentence: a column, a cell, or the steal."""
    words = templates()["words"]
    if cell == STEAL:
        return str(words["steal"])
    if not variant.gravity:
        return str(words["cell"].format(cell=place_name(variant, cell)))
    return str(words["column"].format(column=cell_name(variant, cell)))


def place_in_words(variant: Variant, cell: int, playable: int) -> str:
    """Return the name of a cell: its column alone if the next stone there falls on it."""
    if cell == STEAL or not variant.gravity or playable >> cell & 1:
        return move_name(variant, cell)
    row, column = variant.row_of(cell) + 1, cell_name(variant, cell)
    return str(templates()["words"]["row"].format(row=row, column=column))


def places_in_words(variant: Variant, cells: Sequence[int], playable: int) -> str:
    """Return the names of cells; several columns share one word."""
    plain = variant.gravity and all(cell >= 0 and playable >> cell & 1 for cell in cells)
    if len(cells) < 2 or not plain:
        return _joined([place_in_words(variant, cell, playable) for cell in cells], "and")
    names = _joined([cell_name(variant, cell) for cell in cells], "and")
    return str(templates()["words"]["columns"].format(list=names))


def _joined(names: Iterable[str], word: str) -> str:
    """Return names with commas between them, and with ``word`` before the last."""
    *first, last = [*names] or [""]
    return f"{', '.join(first)}{templates()['words'][word]}{last}" if first else last


def counted(thing: str, number: int) -> str:
    """Return a number of moves or plies in words, such as ``1 move``."""
    plural = {"move": "moves", "ply": "plies"}[thing]
    return str(templates()["words"][thing if number == 1 else plural].format(number=number))
