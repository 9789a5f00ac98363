"""Folders of clones of repositories, as Classroom 50 and GitHub Classroom make them.

Each clone is a folder ``ASSIGNMENT-USER``. Classroom 50 puts them into a folder
``CLASSROOM-ASSIGNMENT_submissions_STAMP``, and their names begin with ``CLASSROOM-ASSIGNMENT-``. If
the folder does not say the name of the assignment, it is what all names have in common, up to a
hyphen. This depends on who takes part, so keys of students have the whole name of a clone.
"""

import re
from collections.abc import Sequence
from os.path import commonprefix
from pathlib import Path

from c4_referee.classroom.submissions.handed import Download, Handed, Part, visible_names

NAMED_FOLDER = re.compile(r"(?P<assignment>.+?)[-_]submissions?([-_].*)?")

grades_header = ("Name", "User", "Grade", "Feedback comments")


def recognises(names: Sequence[str], folder: str = "") -> bool:
    """Return whether all names are clones of one assignment. ``folder`` is where they are."""
    return bool(_prefix(names, folder))


def read(root: Path) -> Download:
    """Return the submissions in a folder."""
    names = visible_names(root)
    prefix = _prefix(names, root.name)
    clones = [name for name in names if name.startswith(prefix) and name.endswith("/")]
    handed = []
    for name in (name.rstrip("/") for name in clones):
        user, parts = name.removeprefix(prefix), (Part(root / name),)
        handed.append(Handed(f"folder:{name}", user, parts, columns={"User": user}, returned=name))
    ignored = (f"{name} is no clone of the assignment" for name in names if name not in clones)
    return Download("repositories", tuple(handed), tuple(ignored))


def _prefix(names: Sequence[str], folder: str) -> str:
    """Return what is before the user in the names of clones, or "" if they are no clones."""
    match = NAMED_FOLDER.fullmatch(folder)
    if match and any(name.startswith(f"{match['assignment']}-") for name in names):
        return f"{match['assignment']}-"
    if len(names) < 2 or not all(name.endswith("/") for name in names):
        return ""
    assignment, hyphen, _ = commonprefix(names).rpartition("-")  # noqa: RUF071 - these are no paths
    return assignment + hyphen
