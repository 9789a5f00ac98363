"""Exact values of positions, stored with the games in which they occur.

A value belongs to the judge that found it, because a judge may be any program, and to a variant.
Values of ``OUR_SOLVER`` come from this project's solver and are exact. Sentences that explain
mistakes are stored with the value of the position before the mistake.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from sqlite3 import Connection

import orjson
from c4_protocol.program.text import visible
from c4_protocol.rules.notation import cell_name, win_score
from c4_protocol.rules.variant import Variant, cells_of

from c4_referee.records.stats.solved import PositionKey, Reason, Solved
from c4_referee.records.storage.database import DATABASE_FILE, Database
from c4_referee.records.storage.result_lines import decoded_json

OUR_SOLVER = "c4-arena"
"""Judge whose values are those of this project's solver, whatever program was asked for them."""
SELECT_SOLVED = """SELECT position, value, scores, best, reasons FROM solved
          WHERE judge = ? AND variant = ?"""
SAVE_SOLVED = """INSERT INTO solved VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET value = excluded.value, scores = excluded.scores,
          best = excluded.best, reasons = ifnull(nullif(excluded.reasons, ''), solved.reasons)
          WHERE excluded.scores != '' OR solved.scores = ''"""


def read_solved(connection: Connection, judge: str, variant: Variant) -> dict[PositionKey, Solved]:
    """Return the positions of a variant that a judge has solved.

    A row that was changed by hand, and that no game can have, is left out.
    """
    is_possible = _possibility_check(variant)
    rows = connection.execute(SELECT_SOLVED, (judge, _variant_key(variant)))
    values = ((position, _solved_of_row(*row)) for position, *row in rows)
    return {position: value for position, value in values if value and is_possible(value)}


def _solved_of_row(value: int, scores: str, best: str, reasons: str) -> Solved | None:
    """Return what a row says, or ``None`` if its scores or reasons are no JSON lists."""
    try:
        explained = decoded_json(reasons) if reasons else ()
        sentences = tuple(Reason(*map(visible, each)) for each in explained)
        return Solved(value, tuple(decoded_json(scores)) if scores else (), best, sentences)
    except (ValueError, TypeError, AttributeError):
        return None


def _possibility_check(variant: Variant) -> Callable[[Solved], bool]:
    """Return a function that says whether a position of the variant can have a result."""
    cells = () if variant.gravity else cells_of(variant.board)
    names = {"", *(cell_name(variant, cell) for cell in cells)}
    lengths = (0, variant.width) if variant.gravity else (0,)
    highest = win_score(variant, 0)

    def is_possible(result: Solved) -> bool:
        scores = [score for score in result.scores if score is not None]
        return (
            len(result.scores) in lengths
            and bool(scores) == bool(result.scores)
            and all(
                type(score) is int and abs(score) <= highest for score in (result.value, *scores)
            )
            and result.best in names
        )

    return is_possible


def read_solved_from_folder(
    folder: Path, judge: str, variant: Variant
) -> dict[PositionKey, Solved]:
    """Return the positions that a judge has solved, from a folder of ``--out``."""
    with Database(folder / DATABASE_FILE, read_only=True) as base, base.snapshot() as connection:
        return {} if base.is_empty else read_solved(connection, judge, variant)


def save_solved(
    folder: Path, judge: str, variant: Variant, solved: Mapping[PositionKey, Solved]
) -> None:
    """Store solved positions in a folder of ``--out``. Scores that it already has are kept.

    Raises ``ArenaError`` if the database cannot be written.
    """
    key = _variant_key(variant)
    with Database(folder / DATABASE_FILE) as base, base.transaction() as connection:
        for position, value in solved.items():
            scores, reasons = value.scores, [*map(list, value.reasons)]
            texts = _list_as_json(scores), value.best, _list_as_json(reasons)
            connection.execute(SAVE_SOLVED, (judge, key, position, value.value, *texts))


def _variant_key(variant: Variant) -> str:
    """Return the text that stands for a variant in the database."""
    fields = [variant.width, variant.height, variant.connect, variant.gravity, variant.directions]
    return orjson.dumps([*fields, "steal"] if variant.steal else fields).decode()


def _list_as_json(items: Sequence[object]) -> str:
    return orjson.dumps(items).decode() if items else ""
