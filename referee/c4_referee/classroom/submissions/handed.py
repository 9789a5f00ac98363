"""What the download of a course platform holds: submissions of students, not yet unpacked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from c4_referee.classroom.submissions.tree import LEFT_OUT

SYSTEM_FILES = frozenset({"thumbs.db", "desktop.ini"})
"""Names in small letters of files that operating systems put into folders."""


@dataclass(frozen=True)
class Part:
    """A file, an archive or a folder of a submission.

    ``source`` is where it is. ``name`` is its path in the submission: the name that the student
    gave it, without what the platform has added. It is "" for a folder that is the submission.
    """

    source: Path
    name: str = ""


@dataclass(frozen=True)
class Handed:
    """A submission as a platform hands it out.

    ``key`` identifies the student in all downloads of a class. ``name`` is the student's name, or a
    user name, a group or a number if the platform says no more. ``columns`` has the cells by which
    the platform's file of grades identifies the student, by the names of its columns. ``returned``
    is the name under which the platform takes feedback back: a folder, the beginning of a file
    name, or a file (``platforms``). It is "" if the platform takes none.
    """

    key: str
    name: str
    parts: tuple[Part, ...]
    late: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)
    returned: str = ""


@dataclass(frozen=True)
class Download:
    """Submissions of a download, sorted by key, one for each student.

    ``platform`` is the name of a module in ``platforms``. ``ignored`` has a line for each thing in
    the download that is no submission, such as an online text.
    """

    platform: str
    handed: tuple[Handed, ...]
    ignored: tuple[str, ...] = ()


def visible_names(folder: Path) -> list[str]:
    """Return the names in a folder of a download, sorted. Names of folders end with a slash.

    Hidden names and those of operating systems are left out.
    """
    return sorted(
        f"{path.name}/" if path.is_dir() else path.name
        for path in folder.iterdir()
        if path.name not in LEFT_OUT
        and path.name.lower() not in SYSTEM_FILES
        and not path.name.startswith(".")
    )
