"""Folders of clones of repositories, as Classroom 50 and GitHub Classroom make them.

Each clone is a folder ``ASSIGNMENT-USER``. Classroom 50 puts them into a folder
``CLASSROOM-ASSIGNMENT_submissions_STAMP``, and their names begin with ``CLASSROOM-ASSIGNMENT-``. If
the folder does not say the name of the assignment, it is what all names have in common, up to a
hyphen. This depends on who takes part, so keys of students have the whole name of a clone.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from c4_referee.submissions.handed import Download, Handed, Part
from c4_referee.submissions.platforms.listing import folders_of, names_in

NAMED_FOLDER = re.compile(r"(?P<assignment>.+?)[-_]submissions?([-_].*)?")

grades_header = ("Name", "User", "Grade", "Feedback comments")


def recognises(names: Sequence[str], folder: str = "") -> bool:
    """Return whether all names are clones of one assignment. ``folder`` is where they are."""
    return bool(_prefix(names, folder))


def read(root: Path) -> Download:
    """Return the submissions in a folder."""
    names = names_in(root)
    prefix = _prefix(names, root.name)
    clones = [name for name in folders_of(names) if name.startswith(prefix)]
    ignored = sorted({name.rstrip("/") for name in names} - {*clones})
    return Download(
        "repositories",
        tuple(_handed(root / name, name[len(prefix) :]) for name in clones),
        tuple(f"{name} is no clone of the assignment" for name in ignored),
    )


def _handed(clone: Path, user: str) -> Handed:
    key = f"folder:{clone.name}"
    return Handed(key, user, (Part(clone),), columns={"User": user}, returned=clone.name)


def _prefix(names: Sequence[str], folder: str) -> str:
    """Return what is before the user in the names of clones, or "" if they are no clones."""
    clones = folders_of(names)
    match = NAMED_FOLDER.fullmatch(folder)
    if match and any(clone.startswith(f"{match['assignment']}-") for clone in clones):
        return f"{match['assignment']}-"
    if len(clones) < 2 or len(clones) < len(names):
        return ""
    first, last = min(clones), max(clones)
    hyphens = [place for place, sign in enumerate(first[:-1], 1) if sign == "-"]
    return first[: max((end for end in hyphens if last.startswith(first[:end])), default=0)]
