"""Downloads of an assignment in Canvas.

All files are in one folder: ``lastfirst_12345_678901_bot.py``, with the numbers of the student and
of the file, and ``_LATE`` before them if the submission was late. Names of files without the
students' names begin with ``anon``. ``..._text.html`` and ``..._link.html`` are no programs.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from c4_referee.submissions.handed import Download, Handed, Part
from c4_referee.submissions.platforms.listing import names_in

NAMED = re.compile(r"(?P<student>[^_]+)(?P<late>_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+[^/])")
ANONYMOUS = re.compile(
    r"(?P<student>anon(ymous)?)(?P<late>_LATE)?_(?P<id>[0-9A-Za-z]+)(_\d+)?_(?P<file>.+[^/])"
)
NO_PROGRAM = re.compile(r"[^_]+(_LATE)?_[0-9A-Za-z]+(_\d+)?_(text|link)\.html")
ADDED_NUMBER = re.compile(r"-\d{1,2}(?=\.[^.]+$)")
"""Number that Canvas puts before the ending if a student hands in the same name again."""

grades_header = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
"""Columns of the gradebook. The column of the assignment comes after them."""


def recognises(names: Sequence[str], _folder: str = "") -> bool:
    """Return whether at least half of the names are ones that Canvas gives."""
    return 0 < len(names) <= 2 * sum(_match(name) is not None for name in names)


def read(root: Path) -> Download:
    """Return the submissions in a folder. All files of a student are one submission."""
    students, ignored = defaultdict[str, list[re.Match[str]]](list), []
    for name in names_in(root):
        match = _match(name)
        if match is None:
            ignored.append(f"{name} is no file of a student")
        elif NO_PROGRAM.fullmatch(name):
            ignored.append(f"{name} is a text or a link, and no program")
        else:
            students[match["id"]].append(match)
    handed = tuple(_handed(root, students[number]) for number in sorted(students))
    return Download("canvas", handed, tuple(ignored))


def _match(name: str) -> re.Match[str] | None:
    return NAMED.fullmatch(name) or ANONYMOUS.fullmatch(name) or NO_PROGRAM.fullmatch(name)


def _handed(root: Path, files: Sequence[re.Match[str]]) -> Handed:
    """Return the submission of a student from its files, sorted by name."""
    first = files[0]
    plain = [ADDED_NUMBER.sub("", file["file"]) for file in files]
    counts = Counter(plain)
    parts = tuple(
        Part(root / file[0], name if counts[name] == 1 else file["file"])
        for file, name in zip(files, plain, strict=True)
    )
    name = first["student"]
    if ANONYMOUS.fullmatch(first[0]):
        name += f" {first['id']}"
    return Handed(
        f"canvas:{first['id']}",
        name,
        parts,
        late=any(file["late"] for file in files),
        columns={"Student": name, "ID": first["id"]},
        returned=first[0],
    )
