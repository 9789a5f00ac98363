"""Summary of a run of a class: a record for each student, for programs and for people."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from c4_referee.classroom.bots_file import BOTS_FILE
from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.students import Student

UNCHECKED = "not checked yet"


def records(room: Classroom) -> list[dict[str, Any]]:
    """Return a JSON object for each student, in the order of their names."""
    run = room.runs.last()
    rows = {row.name: row for row in run.rows} if run else {}
    return [
        {
            "name": student.name,
            "bot": student.alias,
            "status": student.status,
            **_start(student),
            "version": student.latest or None,
            "late": student.version is not None and student.version.late,
            "reason": reason(student),
            "points": row.points if (row := rows.get(student.alias)) else None,
            "rating": row.rating if row else None,
            "rank": row.rank if row else None,
        }
        for student in room.register.by_name
    ]


def _start(student: Student) -> dict[str, str | None]:
    version = student.version
    if version is None or version.start is None:
        return {"language": None, "command": None}
    command = student.table.get("command") or shlex.join(version.start.command)
    return {"language": version.start.language or None, "command": command}


def reason(student: Student) -> str:
    """Return what is wrong with a student's submission, and what plays in its place; or "".

    A file that names our own bot is among this, because no submission can start it.
    """
    version = student.version
    start = version.start if version and version.is_ready else None
    chosen = f"{start.because} plays: {start.note}" if start and start.note else ""
    ours = f"{version.ours} names our own bot: have a look" if version and version.ours else ""
    return "; ".join(filter(None, (_why_not_ready(student), chosen, ours)))


def _why_not_ready(student: Student) -> str:
    version = student.version
    plays = f"; version {student.playing} plays" if student.playing else ""
    if version is None:
        return "nothing was handed in"
    if not student.is_here:
        return f"not in this download{plays}"
    if version.mains and not version.is_ready:
        line = f'{student.alias} = "{version.mains[0]}"'  # what the instructor can write
        return f"{version.reason}: write {line} under [main] in {BOTS_FILE}{plays}"
    if version.is_ready and student.playing != student.latest:
        return f"late, so it is left out{plays}"
    if version.is_ready:
        return "late, but it plays" if version.late else ""
    return f"{version.reason or UNCHECKED}{plays}"


def print_students(console: Console, students: Sequence[Mapping[str, Any]]) -> None:
    """Print a line for each student whose submission is not ready, and why."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("student", "bot", "status", "reason"):
        table.add_column(title, overflow="fold")
    troubled = [each for each in students if each["reason"] not in {"", UNCHECKED}]
    for each in troubled:
        cells = (each[key] for key in ("name", "bot", "status", "reason"))
        table.add_row(*(Text(cell) for cell in cells))
    if troubled:
        console.print(table)
