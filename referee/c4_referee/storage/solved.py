"""Exact values of positions, stored with the games in which they occur.

A value belongs to the judge that found it, because a judge may be any program, and to a variant.
Values of ``OUR_SOLVER`` come from this project's solver and are exact.
"""

from collections.abc import Mapping
from pathlib import Path
from sqlite3 import Connection

import orjson
from c4_protocol.variant import Variant

from c4_referee.stats.solved import PositionKey, Solved
from c4_referee.storage.database import DATABASE_FILE, Database

OUR_SOLVER = "c4-arena"
"""Judge whose values are those of this project's solver, whatever program was asked for them."""
SELECT = "SELECT position, value, scores, best FROM solved WHERE judge = ? AND variant = ?"
SAVE = """INSERT INTO solved VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET value = excluded.value, scores = excluded.scores,
          best = excluded.best WHERE excluded.scores != '' OR solved.scores = ''"""


def read_solved(connection: Connection, judge: str, variant: Variant) -> dict[PositionKey, Solved]:
    """Return the positions of a variant that a judge has solved."""
    rows = connection.execute(SELECT, (judge, _variant_key(variant)))
    return {
        position: Solved(value, tuple(orjson.loads(scores)) if scores else (), best)
        for position, value, scores, best in rows
    }


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
                (judge, _variant_key(variant), position, one.value, _scores(one), one.best)
                for position, one in solved.items()
            ),
        )


def _variant_key(variant: Variant) -> str:
    return orjson.dumps(
        [variant.width, variant.height, variant.connect, variant.gravity, variant.directions]
    ).decode()


def _scores(one: Solved) -> str:
    return orjson.dumps(one.scores).decode() if one.scores else ""
