"""Students of a class and the versions of their submissions, kept in ``submissions``.

``submissions/students.json`` is replaced after each step of each student, so a run that was killed
goes on where it was. A version has a folder, ``submissions/ALIAS/DIGEST``, with the submission as
it was handed in (``files``), the copy in which it is compiled and plays (``build``) and the report
of its check (``check.json``).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, Self

import orjson
from c4_protocol.program.errors import UsageError
from pydantic import BaseModel, Field, ValidationError, model_validator

from c4_referee.classroom.grading.points import Grade
from c4_referee.classroom.submissions.compiling import Compiled
from c4_referee.classroom.submissions.handed import Person
from c4_referee.classroom.submissions.start import Start, failure_text
from c4_referee.classroom.submissions.tree import is_fault_of_this_machine
from c4_referee.system.safe_files import read_regular, replace_file

SUBMISSIONS = "submissions"
STUDENTS_FILE = "students.json"
Status = Literal["ready", "not ready", "unclear", "missing"]


class Version(BaseModel):
    """A version of a submission, and what the steps have found out about it.

    ``digest`` is that of its content. ``handed_in`` is the local time at which it was handed in,
    or taken in first if the platform does not say it. It is ``refused`` if it could not be
    unpacked. ``start`` says how it starts, and ``reason`` why it is not ready. ``mains`` are the
    programs that could be the main one, and ``main`` is the one that ``bots.toml`` named, or "".
    ``needs`` has the keys of the bot's table that the check has found. ``checked`` and ``graded``
    identify the conditions under which this was done. ``start_ms`` and ``answer_ms`` are times of
    the check (``check.checker.CheckReport``). ``ours`` is a file that names our own bot, or "".
    """

    digest: str
    handed_in: str
    late: bool = False
    refused: bool = False
    main: str = ""
    start: Start | None = None
    mains: tuple[str, ...] = ()
    compiled: Compiled | None = None
    ours: str = ""
    reason: str = ""
    needs: dict[str, str] = Field(default_factory=dict)
    checked: str = ""
    is_ready: bool = False
    start_ms: float = 0.0
    answer_ms: float = 0.0
    graded: str = ""
    grade: Grade | None = None


@contextmanager
def failure_noted(version: Version) -> Iterator[None]:
    """Note any exception in a step of a version as its reason, so that the class goes on.

    The next run tries again. A ``UsageError`` is passed on, because it is a mistake in a file of
    the instructor, and so is a full disk.
    """
    try:
        yield
        version.model_dump_json()  # what cannot be stored must not end the class later
    except UsageError:
        raise
    except Exception as error:
        if is_fault_of_this_machine(error):
            raise UsageError(f"cannot store {version.digest}: {error.strerror}") from None
        version.start, version.mains, version.compiled, version.needs = None, (), None, {}
        version.checked, version.is_ready, version.reason = "", False, failure_text(error)


class Student(BaseModel):
    """The bot of a student or of a group: its people, alias, and versions in the order they came.

    ``latest``, ``playing`` and ``told`` are numbers of versions from 1, or 0 for none: the one that
    was handed in last, the one that plays, and the one that the last feedback was about.
    ``told_in`` is the run in which that feedback was first given. ``is_here`` is true if the last
    download has a submission. ``table`` is the bot's table as it was last written to ``bots.toml``.
    ``key`` and ``returned`` are those of the last submission (``submissions.handed.Handed``).
    """

    key: str
    name: str
    alias: str
    people: list[Person] = Field(default_factory=list)
    returned: str = ""
    is_here: bool = False
    latest: int = 0
    playing: int = 0
    told: int = 0
    told_in: str = ""
    versions: list[Version] = Field(default_factory=list)
    table: dict[str, Any] = Field(default_factory=dict)

    @property
    def version(self) -> Version | None:
        """The version that was handed in last."""
        return self.versions[self.latest - 1] if self.latest else None

    @model_validator(mode="after")
    def _check_numbers(self) -> Self:
        if not {self.latest, self.playing} <= {*range(len(self.versions) + 1)}:
            raise ValueError("there is no such version")
        return self

    @property
    def playing_version(self) -> Version | None:
        """The version that plays."""
        return self.versions[self.playing - 1] if self.playing else None

    @property
    def status(self) -> Status:
        """Status of the version that was handed in last, if the last download has it."""
        if self.version is None or not self.is_here:
            return "missing"
        unready: Status = "unclear" if self.version.mains else "not ready"
        return "ready" if self.version.is_ready else unready


class Students(BaseModel):
    """All students, and the platform of the last download.

    ``retired`` are the aliases of bots that belong to nobody now.
    """

    platform: str = "plain"
    students: dict[str, Student] = Field(default_factory=dict)
    retired: list[str] = Field(default_factory=list)


class Register:
    """The students of a class, and the folders of their versions."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / SUBMISSIONS
        self.folder.mkdir(parents=True, exist_ok=True)
        self._path = self.folder / STUDENTS_FILE
        self.class_of = self._read()

    def _read(self) -> Students:
        try:
            return Students.model_validate_json(read_regular(self._path))
        except FileNotFoundError:
            return Students()
        except (OSError, ValidationError):
            raise UsageError(f"cannot read {self._path}: put back a copy of the file") from None

    def save(self) -> None:
        """Write the file of students. Raises ``UsageError`` if this is not possible."""
        try:
            replace_file(self._path, self.class_of.model_dump_json(indent=1).encode())
        except OSError as error:
            raise UsageError(f"cannot write {self._path}: {error.strerror}") from None

    @property
    def students(self) -> list[Student]:
        """Students in the order of their aliases.

        Games, pages and ties follow this order. Aliases are drawn at random, once, so nothing that
        others see depends on names.
        """
        return sorted(self.class_of.students.values(), key=lambda each: each.alias)

    @property
    def by_name(self) -> list[Student]:
        """Students in the order of their names, for the instructor."""
        return sorted(self.students, key=lambda each: each.name.casefold())

    def place(self, student: Student, version: Version) -> Path:
        """Return the folder of a version."""
        return self.folder / student.alias / version.digest

    def save_check(self, student: Student, version: Version, report: Mapping[str, Any]) -> None:
        """Store the report of a check, a ``CheckReport`` as JSON."""
        replace_file(self.place(student, version) / "check.json", orjson.dumps(report))

    def check_of(self, student: Student, version: Version) -> dict[str, Any] | None:
        """Return the report of the check of a version, or ``None`` if there is none."""
        path = self.place(student, version) / "check.json"
        try:
            report: dict[str, Any] = orjson.loads(read_regular(path))
        except (OSError, ValueError):
            return None
        return report
