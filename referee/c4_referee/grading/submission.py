"""Prepares a submission for grading: unpacks it, finds its start, and compiles it."""

from pathlib import Path

from c4_protocol.program.errors import ArenaError

from c4_referee.bots.spec import BotSpec
from c4_referee.submissions.handed import Part


class NotCompiled(ArenaError):
    """A submission that does not compile. ``messages`` are those of the compiler, in lines."""

    def __init__(self, messages: str) -> None:
        super().__init__("it does not compile")
        self.messages = messages


def is_submission(text: str) -> bool:
    """Return whether a text is the path of a submission: a folder, or a file that cannot run."""
    path = Path(text)
    return path.is_dir() or (path.is_file() and not path.stat().st_mode & 0o111)


def prepared(path: Path, folder: Path, *, sandboxed: bool) -> BotSpec:
    """Return the bot of a submission, compiled in ``folder``, which must be empty.

    Raises ``ArenaError``, with a text for the author, if the submission cannot be started.
    """
    from c4_referee.submissions.compiling import (  # type: ignore[import-not-found] # noqa: PLC0415 - only submissions need it
        compile_start,
        spec_of,
        working_copy,
    )
    from c4_referee.submissions.starts import (  # type: ignore[import-not-found] # noqa: PLC0415 - as above
        find_start,
    )
    from c4_referee.submissions.unpacking import (  # type: ignore[import-not-found] # noqa: PLC0415 - as above
        gather,
    )

    files, build = folder / "files", folder / "build"
    gather([Part(path, "" if path.is_dir() else path.name)], files)
    start = find_start(files)
    working_copy(files, build)
    compiled = compile_start(start, build, sandboxed=sandboxed)
    if not compiled.passed:
        raise NotCompiled(compiled.messages)
    spec: BotSpec = spec_of(start, name_of(path), build, sandboxed=sandboxed)
    return spec


def name_of(path: Path) -> str:
    """Return the name of the bot of a submission."""
    return path.resolve().name or "submission"
