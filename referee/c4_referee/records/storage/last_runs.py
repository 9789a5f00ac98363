"""Summary of a run of a contest, stored at its end: its report and its conditions."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING

import orjson
from c4_protocol.records.reports import MatchEnded, MatchReport, TournamentEnded, TournamentReport

from c4_referee.records.storage.database import DATABASE_FILE, Database
from c4_referee.records.storage.result_lines import decoded_json

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True)
class RunSummary:
    """The last run of a contest.

    ``ended`` is the time in UTC, such as ``2026-11-22 15:04:05``. ``report`` is the report that the
    run printed. ``conditions`` describe for people how it was played: texts by name, for example
    ``time``, ``openings`` and ``judge``.
    """

    ended: str
    report: MatchReport | TournamentReport
    conditions: dict[str, str]


def save_run(
    folder: Path, contest: int, ended: MatchEnded | TournamentEnded, conditions: Mapping[str, str]
) -> None:
    """Store the end of a run in a folder, in place of the last run of its contest.

    Raises ``ArenaError`` if the database cannot be written.
    """
    values = (contest, orjson.dumps(ended).decode(), orjson.dumps(conditions).decode())
    with Database(folder / DATABASE_FILE) as base, base.transaction() as connection:
        insert = "INSERT OR REPLACE INTO runs (event, report, conditions) VALUES (?, ?, ?)"
        connection.execute(insert, values)


def last_run(connection: Connection, contest: int) -> RunSummary | None:
    """Return the last run of a contest, or ``None`` if none has ended.

    The result is also ``None`` if the stored report was changed by hand and cannot be read.
    """
    query = "SELECT CAST(ended AS TEXT), report, conditions FROM runs WHERE event = ?"
    row = connection.execute(query, (contest,)).fetchone()
    if row is None:
        return None
    ended, report, conditions = row
    try:
        return RunSummary(
            ended,
            _ended_adapter().validate_json(report).report,
            {str(name): str(text) for name, text in decoded_json(conditions).items()},
        )
    except (ValueError, AttributeError, TypeError):
        return None


@cache
def _ended_adapter() -> "TypeAdapter[MatchEnded | TournamentEnded]":
    from pydantic import TypeAdapter  # noqa: PLC0415 - slow

    return TypeAdapter(MatchEnded | TournamentEnded)
