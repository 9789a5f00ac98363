"""Downloads of an assignment in Canvas.

All files are in one folder: ``lastfirst_12345_678901_bot.py``, with the numbers of the student and
of the file, and ``_LATE`` before them if the submission was late. Names of files without the
students' names begin with ``anon``. ``..._text.html`` and ``..._link.html`` are no programs.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from c4_referee.classroom.submissions.handed import Download, Handed, Part, visible_names

NAMED = re.compile(
    r"(?=anon|[^_]+(?:_LATE)?_\d+_(?:\d+_|text|link))"
    r"(?P<student>[^_]+)(?P<late>_LATE)?_(?P<id>[0-9A-Za-z]+)_(?:\d+_)?(?P<file>.+[^/])"
)
NO_PROGRAMS = frozenset({"text.html", "link.html"})
ADDED_NUMBER = re.compile(r"-\d{1,2}(?=\.[^.]+$)")
"""Number that Canvas puts before the ending if a student hands in the same name again."""

grades_header = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Grade")
"""Columns of the gradebook. The last one is that of the assignment."""


def recognises(names: Sequence[str], _folder: str = "") -> bool:
    """Return whether at least half of the names are ones that Canvas gives."""
    return 0 < len(names) <= 2 * sum(NAMED.fullmatch(name) is not None for name in names)


def read(root: Path) -> Download:
    """Return the submissions in a folder. All files of a student are one submission."""
    students, ignored = defaultdict[str, list[re.Match[str]]](list), []
    for name in visible_names(root):
        match = NAMED.fullmatch(name)
        if match and match["file"] not in NO_PROGRAMS:
            students[match["id"]].append(match)
        else:
            ignored.append(f"{name} is no file of a student, or no program")
    handed = tuple(_handed(root, students[number]) for number in sorted(students))
    return Download("canvas", handed, tuple(ignored))


def _handed(root: Path, files: Sequence[re.Match[str]]) -> Handed:
    """Return the submission of a student from its files, sorted by name."""
    name, number = files[0]["student"], files[0]["id"]
    if name.startswith("anon"):
        name += f" {number}"
    plain = [ADDED_NUMBER.sub("", file["file"]) for file in files]
    counts = Counter(plain)
    parts = tuple(
        Part(root / file[0], name if counts[name] == 1 else file["file"])
        for file, name in zip(files, plain, strict=True)
    )
    late = any(file["late"] for file in files)
    columns = {"Student": name, "ID": number}
    return Handed(f"canvas:{number}", name, parts, late, columns, files[0][0])
