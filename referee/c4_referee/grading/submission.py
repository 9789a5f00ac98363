"""Prepares a submission for grading: unpacks it, finds its start, and compiles it."""

from pathlib import Path

from c4_protocol.program.errors import ArenaError

from c4_referee.bots.spec import BotSpec
from c4_referee.submissions.handed import Part


def is_submission(text: str) -> bool:
    """Return whether a text is the path of a submission: a folder, or a file that cannot run."""
    path = Path(text)
    return path.is_dir() or (path.is_file() and not path.stat().st_mode & 0o111)


def prepared(path: Path, folder: Path, *, sandboxed: bool) -> BotSpec | str:
    """Return the bot of a submission, compiled in ``folder``, which must be empty.

    If it cannot be started, return the reason for its author, with the messages of the compiler.
    """
    # fmt: off
    from c4_referee.submissions import compiling, starts, unpacking  # noqa: PLC0415 - only submissions need them
    # fmt: on

    files, build = folder / "files", folder / "build"
    try:
        unpacking.gather([Part(path, "" if path.is_dir() else path.name)], files)
        compiling.working_copy(files, build)
        start = starts.find_start(build)
        compiled = compiling.compile_start(start, build, sandboxed=sandboxed)
        if not compiled.passed:
            return f"It does not compile:\n{compiled.messages}"
        spec: BotSpec = compiling.spec_of(start, name_of(path), build, sandboxed=sandboxed)
    except ArenaError as error:
        return str(error)
    return spec


def name_of(path: Path) -> str:
    """Return the name of the bot of a submission."""
    return path.resolve().name or "submission"
