"""Remarks: texts for people on what a bot's answer says besides the move.

In: the line of an answer whose move is legal, and the position before the move. Out: a short text
in one line, or an empty text if the line holds nothing besides the move. The line was written by
other people, so any value in it may have any type and any size. No line raises an error.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import orjson
from c4_protocol.program.text import visible
from c4_protocol.rules.notation import win_score, wire_name, without_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL, Variant

MAX_REMARK_LENGTH = 200
"""Maximum length of a remark, in characters. A longer text is cut."""
MAX_TOTAL_LENGTH = 100_000
"""Maximum number of characters in the remarks of a game. Only games of more than 600 plies can have
more. A record is one line, and a line of more than 1 MiB would not be read."""
MAX_SHOWN_MOVES = 24
"""Maximum number of expected moves in a remark. Further moves are left out."""
OPENING_BRACE = ord("{")
MIN_LINE_BYTES = len(b'{"move":3,"":0}')
"""Minimum length of a JSON answer with a second key, in bytes."""
FORCED_RESULTS: dict[float, str] = {1_000_000: "a forced win", -1_000_000: "a forced loss"}
"""Meanings of scores that are not exact (``messages.Info``). Other scores are evaluations."""
EMPTY_VALUES: tuple[object, ...] = (None, "", [], {})
"""Values in an answer that say nothing."""


def remark_of_answer(line: bytes, position: Position) -> str:
    """Return what an answer says besides its move.

    ``position`` is the position before the move. The answer of a bot that speaks ``jsonl`` is a
    JSON object. If its ``info`` has the values of ``messages.Info``, the text is made from them.
    Otherwise it is the rest of the answer as JSON.
    """
    if line[0] != OPENING_BRACE:
        return _remark_in_words(line)
    if (
        len(line) < MIN_LINE_BYTES or line.count(b'"') == 2
    ):  # "move" is the only key: parse only once
        return ""
    rest = _values_that_are_not_empty(orjson.loads(line) | {"move": None})
    if isinstance(info := rest.get("info"), dict):
        rest = _values_that_are_not_empty(rest | {"info": _values_that_are_not_empty(info)})
    if not rest:
        return ""
    text = _info_text(rest.get("info"), position)
    if not text:
        try:
            text = orjson.dumps(rest).decode()
        except orjson.JSONEncodeError:  # it is nested too deeply
            text = line.decode()
    return _cut_to_length(text)


def remarks_for_record(remarks: Sequence[str]) -> list[str]:
    """Return the remarks on all moves of a game as its record keeps them.

    The list is empty if no remark has a text. Remarks beyond ``MAX_TOTAL_LENGTH`` are emptied.
    """
    if not any(remarks):
        return []
    totals = accumulate(map(len, remarks))
    return [
        text if total <= MAX_TOTAL_LENGTH else ""
        for text, total in zip(remarks, totals, strict=True)
    ]


def _values_that_are_not_empty(values: dict[str, Any]) -> dict[str, Any]:
    """Return the items whose value is not one of ``EMPTY_VALUES``."""
    return {key: value for key, value in values.items() if value not in EMPTY_VALUES}


def _remark_in_words(line: bytes) -> str:
    """Return the text after ``bestmove COLUMN``. A number alone is a score."""
    words = line.split(None, 2)
    if len(words) < 3:
        return ""
    text = words[2].decode(errors="backslashreplace")
    return _cut_to_length(f"score {text}" if re.fullmatch(r"[+-]?[0-9]+", text) else text)


def _info_text(info: object, position: Position) -> str:
    """Return the text for an ``info``; empty if it has no value that ``messages.Info`` defines.

    What the reason already has as whole words is left out of the rest.
    """
    if not isinstance(info, dict):
        return ""
    reason = info.get("reason")
    words = " ".join(reason[: 2 * MAX_REMARK_LENGTH].split()) if isinstance(reason, str) else ""
    words = without_moves(words)
    parts = _depth_and_score(info, position)
    values = ", ".join(part for part in parts if not re.search(rf"{re.escape(part)}\b", words))
    pv, expected = info.get("pv"), ""
    if isinstance(pv, list) and all(_is_on_board(move, position.variant) for move in pv):
        expected = " ".join(map(wire_name, pv[:MAX_SHOWN_MOVES]))
    return "; ".join(filter(None, (values, words, expected and f"expects {expected}")))


def _depth_and_score(info: dict[str, Any], position: Position) -> Iterator[str]:
    """Generate the depth and the score of a search as texts, without those of wrong types."""
    depth, score = info.get("depth"), info.get("score")
    if type(depth) is int:
        yield f"depth {depth}"
    if type(score) is int or type(score) is float:
        end = (
            proven_end(score, position) if info.get("exact") is True else FORCED_RESULTS.get(score)
        )
        yield end or f"score {score:+g}"


def proven_end(score: float, position: Position) -> str:
    """Return how the game ends, with the number of own moves until then.

    ``score`` is exact. Returns an empty text for a score that no end of the game has.
    """
    variant, ply = position.variant, position.ply
    if score == 0:
        return "a draw"
    if position.steal_is_ahead:  # the score does not say who places the last stone
        return ""
    next_end = ply + 1 if score > 0 else ply + 2
    for moves, end in enumerate(range(next_end, variant.cells + 1, 2), 1):
        if win_score(variant, end) == abs(score):
            return f"{'wins' if score > 0 else 'loses'} in {moves} move{'s' if moves > 1 else ''}"
    return ""


def _is_on_board(move: object, variant: Variant) -> bool:
    """Return whether a value is a wire move of the variant, on a cell that may be taken."""
    if variant.steal and type(move) is int and move == STEAL:
        return True
    if variant.gravity:
        return type(move) is int and 0 <= move < variant.width
    return (
        isinstance(move, list)
        and [*map(type, move)] == [int, int]
        and 0 <= move[0] < variant.width
        and 0 <= move[1] < variant.height
    )


def _cut_to_length(text: str) -> str:
    """Return a text without characters that could control a terminal, with its end cut off."""
    shown = visible(text[: MAX_REMARK_LENGTH + 1])
    return shown if len(shown) <= MAX_REMARK_LENGTH else f"{shown[: MAX_REMARK_LENGTH - 3]}..."
