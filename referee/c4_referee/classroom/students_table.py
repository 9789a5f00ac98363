"""Summary of a run of a class: a record for each student, for programs and for people."""

import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from rich.cells import set_cell_size
from rich.console import Console
from rich.text import Text

from c4_referee.bots.contain.faults import LAST_WORDS
from c4_referee.check.broken import MODULE, NO_MODULE
from c4_referee.classroom.bots_file import BOTS_FILE
from c4_referee.classroom.check_versions import TO_FIX
from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.settings import SETTINGS_FILE
from c4_referee.classroom.students import Student, Version
from c4_referee.classroom.submissions.compiling import NOT_COMPILED
from c4_referee.classroom.submissions.no_program import NO_PROGRAM

UNCHECKED = "not checked yet"
PACKAGE = f"a module is missing: add it to packages in {SETTINGS_FILE}, or have its files handed in"
NAME_WIDTH, ALIAS_WIDTH = 24, 16
"""Widths of the first two columns of the table, in characters. Longer names are cut."""


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
    found = [": ".join(filter(None, trouble)) for trouble in _troubles(student)]
    return "; ".join((*found, f"version {student.playing} plays") if _plays_on(student) else found)


def _plays_on(student: Student) -> bool:
    """Return whether a version plays although the last submission does not, or is missing."""
    is_latest = student.is_here and student.playing == student.latest
    return bool(student.playing) and not is_latest


def _troubles(student: Student) -> Iterator[tuple[str, str]]:
    """Generate what is wrong: a cause that others can share, and what only this student has."""
    version = student.version
    if version is None:
        yield "nothing was handed in", ""
    elif not student.is_here:
        yield "not in this download", ""
    elif version.is_ready and student.playing != student.latest:
        yield "late, so it is left out", ""
    elif version.is_ready and version.late:
        yield "late, but it plays", ""
    elif version.mains and not version.is_ready:
        line = f'{student.alias} = "{version.mains[0]}"'  # what the instructor can write
        others = f"  # or {', '.join(version.mains[1:])}" if version.mains[1:] else ""
        cause = f"several programs could be the main one: choose under [main] in {BOTS_FILE}"
        yield cause, line + others
    elif not version.is_ready:
        yield _failure(version.reason, starts=version.start is not None)
    if version:
        yield from _remarks(version)


def _remarks(version: Version) -> Iterator[tuple[str, str]]:
    """Generate what the instructor may look at, although it stops no version."""
    if version.is_ready and version.start and version.start.note:
        cause = f"one of several programs was chosen: name another one under [main] in {BOTS_FILE}"
        yield cause, f"{version.start.because}: {version.start.note}"
    if version.ours:
        yield "a file names our own bot: have a look", version.ours


def _failure(reason: str, *, starts: bool) -> tuple[str, str]:
    """Return the cause why a version is not ready, and what only this version has."""
    if reason.startswith(NOT_COMPILED):
        return NOT_COMPILED.removesuffix(": "), reason.removeprefix(NOT_COMPILED)
    seen, _, fix = reason.rpartition(TO_FIX)
    if fix == NO_MODULE and (module := MODULE.search(seen)) and module[1]:
        return PACKAGE, module[1]
    if not starts and reason:
        return "there is no program that starts", reason.removeprefix(NO_PROGRAM)
    return fix or UNCHECKED, seen.rpartition(LAST_WORDS)[2]


def print_students(console: Console, students: Iterable[Student]) -> None:
    """Print a line for each student whose submission is not ready, below the cause."""
    groups = defaultdict[str, list[tuple[str, str, str]]](list)
    for student in students:
        for cause, detail in _troubles(student):
            plays = f"version {student.playing} plays" if _plays_on(student) else ""
            details = "; ".join(filter(None, (plays, detail)))
            groups[cause].append((student.name, student.alias, details))
    groups.pop(UNCHECKED, None)
    for cause, group in sorted(groups.items(), key=lambda each: -len(each[1])):
        number = f" ({len(group)} students)" if len(group) > 1 else ""
        title = f"{cause[0].upper()}{cause[1:]}{number}".replace("`", "")  # not on a terminal
        console.print(Text(f"\n{title}", "bold"))
        for name, alias, details in group:
            cells = set_cell_size(name, NAME_WIDTH), set_cell_size(alias, ALIAS_WIDTH), details
            console.print(Text("  ".join(cells)), no_wrap=True, overflow="ellipsis")
    if groups:
        console.print(Text("\nWhat each author reads is in feedback/.", "dim"))
