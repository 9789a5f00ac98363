"""Downloads of an assignment in Moodle.

Each student has a folder ``Full Name_1234567_assignsubmission_file`` (it ends in ``_`` in older
versions), or files whose names begin with this and ``_``. The number is that of the participant in
this assignment. When marking is blind, the name is ``Participant``; for teams it is that of the
group. Underscores in names became spaces.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from c4_referee.submissions.handed import Download, Handed, Part
from c4_referee.submissions.platforms.listing import names_in

PATTERN = re.compile(
    r"(?P<start>(?P<name>[^_]+)_(?P<number>\d+)_assignsubmission_file)_?(?P<file>.*)"
)
OTHER_KIND = re.compile(r"[^_]+_\d+_assignsubmission_.*")
NUMBERED_NAMES = frozenset({"participant", "group"})
"""Names that are the same for all students of a download."""

WORKSHEET = """Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,\
Last modified (submission),Last modified (grade),Feedback comments"""
grades_header = tuple(WORKSHEET.split(","))
"""Columns of the grading worksheet."""


def recognises(names: Sequence[str], _folder: str = "") -> bool:
    """Return whether any name is one that Moodle gives."""
    return any(OTHER_KIND.fullmatch(name) for name in names)


def read(root: Path) -> Download:
    """Return the submissions in a folder."""
    students: dict[str, Handed] = {}
    ignored = []
    for name in names_in(root):
        match = PATTERN.fullmatch(name.rstrip("/"))
        if match is None:
            ignored.append(f"{name} holds no files of a student")
            continue
        key = f"moodle:{match['number']}"
        student = students.get(key) or _student(key, match, name)
        part = Part(root / name, match["file"])
        students[key] = replace(student, parts=(*student.parts, part))
    return Download("moodle", tuple(students[key] for key in sorted(students)), tuple(ignored))


def _student(key: str, match: re.Match[str], name: str) -> Handed:
    """Return a student without parts. ``name`` is the first name of the student's entries."""
    person, number = match["name"].strip(), match["number"]
    shown = f"{person} {number}" if person.lower() in NUMBERED_NAMES else person
    columns = {"Identifier": f"Participant {number}", "Full name": shown}
    returned = f"{match['start']}_" if match["file"] else name.rstrip("/")
    return Handed(key, shown, (), columns=columns, returned=returned)
