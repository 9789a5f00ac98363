"""Downloads of an assignment in Moodle.

Each student has a folder ``Full Name_1234567_assignsubmission_file`` (it ends in ``_`` in older
versions), or files whose names begin with this and ``_``. The number is that of the participant in
this assignment. When marking is blind, the name is ``Participant``; for teams it is that of the
group. Underscores in names became spaces.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from c4_referee.classroom.submissions.handed import Download, Handed, Part, visible_names

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
    students, ignored = defaultdict[str, list[re.Match[str]]](list), []
    for name in visible_names(root):
        if match := PATTERN.fullmatch(name.rstrip("/")):
            students[match["number"]].append(match)
        else:
            ignored.append(f"{name} holds no files of a student")
    handed = (_handed(root, students[number]) for number in sorted(students))
    return Download("moodle", tuple(handed), tuple(ignored))


def _handed(root: Path, files: Sequence[re.Match[str]]) -> Handed:
    """Return the submission of a student from its folder or its files, sorted by name."""
    first, name = files[0], files[0]["name"].strip()
    shown = f"{name} {first['number']}" if name.lower() in NUMBERED_NAMES else name
    parts = tuple(Part(root / file[0], file["file"]) for file in files)
    columns = {"Identifier": f"Participant {first['number']}", "Full name": shown}
    returned = f"{first['start']}_" if first["file"] else first[0]
    return Handed(f"moodle:{first['number']}", shown, parts, columns=columns, returned=returned)
