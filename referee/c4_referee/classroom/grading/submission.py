"""Prepares a submission for grading: unpacks it, finds its start, and compiles it."""

from pathlib import Path

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import visible

from c4_referee.bots.spec import BotSpec
from c4_referee.classroom.choice import chosen_start, fault_of
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.submissions.compiling import (
    Compiled,
    compile_start,
    spec_of,
    working_copy,
)
from c4_referee.classroom.submissions.handed import Part
from c4_referee.classroom.submissions.start import Start
from c4_referee.classroom.submissions.start_rules import find_starts
from c4_referee.classroom.submissions.unpacking import gather


class NotCompiled(ArenaError):
    """A submission that does not compile. The text has the messages of the compiler, in lines."""

    def __str__(self) -> str:
        return visible(Exception.__str__(self), keep="\n")


def is_submission(text: str) -> bool:
    """Return whether a text is the path of a submission: a folder, or a file that cannot run."""
    path = Path(text)
    return path.is_dir() or (path.is_file() and not path.stat().st_mode & 0o111)


def prepared(path: Path, name: str, folder: Path, python: str, *, sandboxed: bool) -> BotSpec:
    """Return the bot of a submission, compiled in ``folder / "build"``, which must not exist yet.

    ``python`` is the environment of the class. Raises ``ArenaError`` with the reason for its author
    if it cannot be started.
    """
    files, build = folder / "files", folder / "build"
    gather([Part(path, "" if path.is_dir() else path.name)], files)
    working_copy(files, build)

    def compiled(start: Start) -> Compiled:
        working_copy(files, build)
        return compile_start(start, build, python, sandboxed=sandboxed)

    def fault(start: Start) -> str:
        spec = spec_of(start, name, build, python, sandboxed=sandboxed)
        return fault_of(spec, ClassSettings())

    start, done = chosen_start(find_starts(build), compiled, fault)
    if not done.passed:
        raise NotCompiled(f"It does not compile:\n{done.messages}")
    return spec_of(start, name, build, python, sandboxed=sandboxed)
