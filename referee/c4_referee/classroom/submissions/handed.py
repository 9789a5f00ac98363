"""What the download of a course platform holds: submissions of students, not yet unpacked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, Field

from c4_referee.classroom.submissions.tree import LEFT_OUT

SYSTEM_FILES = frozenset({"thumbs.db", "desktop.ini"})
"""Names in small letters of files that operating systems put into folders."""
KINDS = {
    "folder": "folder identifier",
    "number": "number id sid idnumber studentid studentnumber orgdefinedid",
    "email": "email emailaddress mail",
    "user": "username user login loginid sisloginid",
    "name": "name fullname student studentname",
    "first": "firstname givenname",
    "last": "lastname surname familyname",
}
"""Headings of columns that say who somebody is, in small letters without blanks and signs."""


class Person(BaseModel):
    """A person of a class. Texts are "" if they are not known.

    ``key`` identifies the person on the platform. ``folder`` is what the list of the class calls
    the submission. ``columns`` are cells of the platform's file of grades. Each object is another
    person, also if all texts are the same.
    """

    __eq__, __hash__ = object.__eq__, object.__hash__

    key: str = ""
    folder: str = ""
    number: str = ""
    email: str = ""
    user: str = ""
    name: str = ""
    columns: dict[str, str] = Field(default_factory=dict)

    @property
    def shown(self) -> str:
        """The name, or else another text that identifies the person."""
        return self.name or self.email or self.number or self.user or self.folder

    @property
    def cells(self) -> dict[str, str]:
        """Cells that may identify the person in files of grades."""
        name, (first, _, last) = self.shown, self.name.rpartition(" ")
        names = {"Name": name, "Full name": name, "First Name": first, "Last Name": last}
        ids = {"Username": self.user, "Email address": self.email}
        ids |= dict.fromkeys(("OrgDefinedId", "ID number"), self.number)
        return {**names, **ids, **self.columns}


def person_of(columns: Mapping[str, str], key: str = "", name: str = "") -> Person:
    """Return the person whom cells describe, by the headings of their columns."""
    cells: dict[str, str] = {}
    for title, cell in columns.items():
        plain = re.sub(r"[\W_]", "", title).lower()
        for kind, titles in KINDS.items():
            if plain in titles.split():
                cells.setdefault(kind, cell.strip())
    both = f"{cells.pop('first', '')} {cells.pop('last', '')}".strip()
    cells["name"] = name or cells.get("name") or both
    return Person(key=key, **cells, columns=dict(columns) if key else {})


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
    name, or a file (``platforms``). It is "" if the platform takes none. ``time`` is the local time
    at which it was handed in, or "". ``members`` are the students of a group, if the platform names
    them.
    """

    key: str
    name: str
    parts: tuple[Part, ...]
    late: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)
    returned: str = ""
    time: str = ""
    members: tuple[Person, ...] = ()

    @property
    def people(self) -> tuple[Person, ...]:
        """The students who have handed it in."""
        return self.members or (person_of(self.columns, self.key, self.name),)


@dataclass(frozen=True)
class Download:
    """Submissions of a download, sorted by key, one for each student.

    ``platform`` is the name of a module in ``platforms``. ``ignored`` has a line for each thing in
    the download that is no submission, such as an online text. ``remark`` is for the instructor.
    """

    platform: str
    handed: tuple[Handed, ...]
    ignored: tuple[str, ...] = ()
    remark: str = ""


def visible_names(folder: Path) -> list[str]:
    """Return the names in a folder of a download, sorted. Names of folders end with a slash.

    Hidden names and those of operating systems are left out.
    """
    return sorted(
        f"{path.name}/" if path.is_dir() else path.name
        for path in folder.iterdir()
        if not is_hidden(path.name)
    )


def is_hidden(name: str) -> bool:
    """Return whether a name is hidden, or that of a file of an operating system or a tool."""
    return name in LEFT_OUT or name.lower() in SYSTEM_FILES or name.startswith(".")
