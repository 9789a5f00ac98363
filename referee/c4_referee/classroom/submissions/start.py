"""How a submission starts, and errors for submissions that do not say it."""

import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from c4_protocol.program.errors import ArenaError

from c4_referee.bots.languages import Language, program_here
from c4_referee.bots.placeholders import Arguments


@dataclass(frozen=True)
class Start:
    """How a submission is compiled and started.

    ``language`` is the name of a row of ``bots.languages``, or "" if the submission's own program
    decides. ``command`` has the words that start the bot, and ``compiles`` the command lines that
    compile it first, one after another. All of them run in ``folder``, a path in the submission,
    and relative paths in them start there. ``because`` says in a few words what decided, such as
    "run.sh" or "main program player.py". ``main`` is the path of that program in the submission, or
    "". ``note`` is about other files that could be started, or "". The other fields are keys of the
    bot's table.
    """

    language: str
    command: tuple[str, ...]
    because: str
    compiles: tuple[tuple[str, ...], ...] = ()
    folder: str = "."
    dialect: str = "jsonl"
    arguments: Arguments | None = None
    restart: Literal["never", "game"] = "game"
    main: str = ""
    note: str = ""


class NoStart(ArenaError):
    """A submission in which nothing can be started; the text is for its author."""


class Unclear(NoStart):
    """A submission with several main programs that all fail the check: ``mains``, as paths."""

    def __init__(self, reason: str, mains: Sequence[str]) -> None:
        super().__init__(reason)
        self.mains = tuple(mains)


def failure_text(error: Exception) -> str:
    """Return why a step of a submission failed, in a sentence for its author and the instructor.

    The sentence names the type and the place of an exception that nobody foresaw, or its text if
    it was not raised in this process.
    """
    if isinstance(error, ArenaError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "c4_referee" in Path(frame.filename).parts] or frames
    place = f" in {Path(own[-1].filename).name}, line {own[-1].lineno}" if own else f": {error}"
    kind = type(error).__name__
    return f"c4-referee cannot use it ({kind}{place}): please report this as a fault"


def check_programs(language: Language, by: str) -> None:
    """Raise ``NoStart`` if this machine lacks a program of a language. ``by`` is what needs it."""
    for names in language.programs:
        if not program_here(names):
            name = names.split("|")[0]
            raise NoStart(
                f"this machine has no {name}, but {by} needs it: install {language.install}"
            )
