"""A folder with one folder, archive or file for each student.

A student is identified by the name of the folder, or by that of the file without its ending.
``anna.py`` and ``anna.toml`` are of the same student.
"""

from collections import defaultdict
from pathlib import Path

from c4_referee.classroom.submissions.handed import Download, Handed, Part, visible_names
from c4_referee.classroom.submissions.unpacking import stem_of

grades_header = (
    "Name", "ID number", "Username", "Email address", "Folder", "Grade", "Feedback comments",
)  # fmt: skip


def read(root: Path) -> Download:
    """Return the submissions in a folder."""
    students = defaultdict[str, list[Part]](list)
    for path in sorted(root / name for name in visible_names(root)):
        if path.is_dir():
            students[path.name].append(Part(path))
        else:
            students[stem_of(path.name)].append(Part(path, path.name))
    handed = (
        Handed(f"folder:{name}", name, tuple(parts), columns={"Folder": name}, returned=name)
        for name, parts in sorted(students.items())
    )
    return Download("plain", tuple(handed))
