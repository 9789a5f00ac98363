"""Prepares a submission for grading: unpacks it, finds its start, and compiles it."""

from pathlib import Path

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import visible

from c4_referee.bots.spec import BotSpec
from c4_referee.classroom.choice import chosen_start
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.submissions.compiling import spec_of
from c4_referee.classroom.submissions.handed import Part
from c4_referee.classroom.submissions.unpacking import gather


class NotCompiled(ArenaError):
    """A submission that does not compile. The text has the messages of the compiler, in lines."""

    def __str__(self) -> str:
        return visible(Exception.__str__(self), keep="\n")


def is_submission(text: str) -> bool:
    """Return whether a text is the path of a submission: a folder, or a file that cannot run."""
    path = Path(text)
    return path.is_dir() or (path.is_file() and not path.stat().st_mode & 0o111)


def prepared(
    path: Path, name: str, folder: Path, python: str, settings: ClassSettings, *, sandboxed: bool
) -> BotSpec:
    """Return the bot of a submission, compiled in ``folder / "build"``, which must not exist yet.

    ``python`` is the environment of the class, and ``settings`` are its settings. Raises
    ``ArenaError`` with the reason for its author if it cannot be started.
    """
    gather([Part(path, "" if path.is_dir() else path.name)], folder / "files")
    start, done = chosen_start(folder, python, settings, sandboxed=sandboxed)
    if not done.passed:
        raise NotCompiled(f"It does not compile:\n{done.messages}")
    return spec_of(start, name, folder / "build", python, sandboxed=sandboxed)
