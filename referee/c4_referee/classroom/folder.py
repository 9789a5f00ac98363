"""The folder of a class, which one command at a time may use."""

import fcntl
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import visible

from c4_referee.classroom.bots_file import BotsFile
from c4_referee.classroom.runs import Runs
from c4_referee.classroom.settings import ClassSettings, read_settings
from c4_referee.classroom.students import Register
from c4_referee.system.safe_files import open_regular

LOCK_FILE = ".lock"
FILES_OF_FEEDBACK = GRADES_FILE, ZIP_FILE = "grades.csv", "feedback.zip"
"""Names of the files beside the folders of feedback."""


@dataclass(frozen=True)
class Classroom:
    """A class: its folder, settings, students and runs.

    Bots run in the sandbox if ``sandboxed``. With ``real_names``, the site shows the names of the
    students instead of aliases.
    """

    folder: Path
    settings: ClassSettings
    register: Register
    runs: Runs
    sandboxed: bool = True
    real_names: bool = False

    @cached_property
    def bots(self) -> BotsFile:
        """File that says how the submissions start."""
        return BotsFile(self.folder)

    @property
    def folder_names(self) -> dict[str, str]:
        """Name of each student's folder of feedback, by alias.

        A name that could be taken for another one has the alias, too: those of namesakes, of the
        staff's bots and of files beside the folders, and those with the alias of a student.
        """
        names = {each.alias: _as_file_name(each.name) for each in self.register.students}
        count = Counter(name.casefold() for name in names.values())
        count.update({*(name.casefold() for name in self.settings.staff), *FILES_OF_FEEDBACK})
        return {
            alias: f"{name} ({alias})"
            if count[name.casefold()] > 1 or any(other in name for other in names)
            else name
            for alias, name in names.items()
        }

    @property
    def shown_names(self) -> dict[str, str]:
        """Names that the site shows instead of aliases, by alias."""
        return self.folder_names if self.real_names else {}


@contextmanager
def opened(
    folder: Path, *, sandboxed: bool = True, real_names: bool = False
) -> Iterator[Classroom]:
    """Yield the class in a folder, which is made if it does not exist.

    Raises ``UsageError`` if another command uses the folder, or if a file in it is wrong.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = open_regular(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise UsageError(f"cannot use {folder}: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(
            f"{folder} is in use by another run: wait until it has ended, or stop it with Ctrl-C"
        ) from None
    else:
        settings = read_settings(folder)
        yield Classroom(folder, settings, Register(folder), Runs(folder), sandboxed, real_names)
    finally:
        os.close(lock)


def _as_file_name(name: str) -> str:
    """Return a name as that of a file: without slashes, and not hidden."""
    return visible(name.replace("/", "-").replace("\\", "-")).strip(". ")[:100] or "student"
