"""Exact values of positions, stored with the games in which they occur.

A value belongs to the judge that found it, because a judge may be any program, and to a variant.
Values of ``OUR_SOLVER`` come from this project's solver and are exact.
"""

from collections.abc import Mapping
from pathlib import Path
from sqlite3 import Connection

import orjson
from c4_protocol.rules.notation import cell_name, win_score
from c4_protocol.rules.variant import Variant, cells_of

from c4_referee.stats.solved import PositionKey, Solved
from c4_referee.storage.database import DATABASE_FILE, Database
from c4_referee.storage.result_lines import decoded

OUR_SOLVER = "c4-arena"
"""Judge whose values are those of this project's solver, whatever program was asked for them."""
SELECT = "SELECT position, value, scores, best FROM solved WHERE judge = ? AND variant = ?"
SAVE = """INSERT INTO solved VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET value = excluded.value, scores = excluded.scores,
          best = excluded.best WHERE excluded.scores != '' OR solved.scores = ''"""


def read_solved(connection: Connection, judge: str, variant: Variant) -> dict[PositionKey, Solved]:
    """Return the positions of a variant that a judge has solved.

    A row that was changed by hand, and that no game can have, is left out.
    """
    is_possible = _Possible(variant)
    rows = connection.execute(SELECT, (judge, _variant_key(variant)))
    values = ((position, _solved(*row)) for position, *row in rows)
    return {position: value for position, value in values if value and is_possible(value)}


def _solved(value: int, scores: str, best: str) -> Solved | None:
    """Return what a row says, or ``None`` if its scores are no JSON list."""
    try:
        return Solved(value, tuple(decoded(scores)) if scores else (), best)
    except (ValueError, TypeError):
        return None


class _Possible:
    """Function that returns whether positions of a variant can have a result."""

    def __init__(self, variant: Variant) -> None:
        cells = () if variant.gravity else cells_of(variant.board)
        self._names = {"", *(cell_name(variant, cell) for cell in cells)}
        self._lengths = (0, variant.width) if variant.gravity else (0,)
        self._highest = win_score(variant, 0)

    def __call__(self, value: Solved) -> bool:
        """Return whether values and moves are on the board."""
        scores = [score for score in value.scores if score is not None]
        return (
            len(value.scores) in self._lengths
            and bool(scores) == bool(value.scores)
            and all(
                type(score) is int and abs(score) <= self._highest
                for score in (value.value, *scores)
            )
            and value.best in self._names
        )


def solved_by(folder: Path, judge: str, variant: Variant) -> dict[PositionKey, Solved]:
    """Return the positions that a judge has solved, from a folder of ``--out``."""
    with Database(folder / DATABASE_FILE, read_only=True) as base, base.snapshot() as connection:
        return read_solved(connection, judge, variant)


def save_solved(
    folder: Path, judge: str, variant: Variant, solved: Mapping[PositionKey, Solved]
) -> None:
    """Store solved positions in a folder of ``--out``. Scores that it already has are kept.

    Raises ``ArenaError`` if the database cannot be written.
    """
    with Database(folder / DATABASE_FILE) as base, base.transaction() as connection:
        connection.executemany(
            SAVE,
            (
                (judge, _variant_key(variant), position, value.value, _scores(value), value.best)
                for position, value in solved.items()
            ),
        )


def _variant_key(variant: Variant) -> str:
    """Return the text that stands for a variant in the database."""
    fields = [variant.width, variant.height, variant.connect, variant.gravity, variant.directions]
    return orjson.dumps([*fields, "steal"] if variant.steal else fields).decode()


def _scores(value: Solved) -> str:
    return orjson.dumps(value.scores).decode() if value.scores else ""
