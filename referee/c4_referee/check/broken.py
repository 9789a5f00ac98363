"""Exceptions for failures of a bot, one for each kind.

Each exception says what was seen, and has advice for the bot's author. This advice does not depend
on the rule that was tried. A rule has advice of its own. The checker decides which advice is given.
"""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from c4_referee.bots.languages import Lines
    from c4_referee.check.evidence import Evidence


TOO_MUCH = "write little on standard error and to files, and start few processes"
LESS_MEMORY = "use less memory than its limit, by default 4096 MiB for all its processes together"
NO_PROMPT = "write no prompt, and read each line as JSON, which holds the board: "
SLOW = (
    "look for a loop that never ends, and for input that the program waits for; otherwise let it "
    "think for less time"
)


OR_HIDDEN = "; or, if it works with --no-sandbox (only for a bot that you trust), "
"""Beginning of the part of an advice that only somebody who runs the check can follow."""
HIDDEN = "the sandbox hides "
NAMED_HIDDEN = "a file of the bot names what the sandbox hides: "
CORRECT, FIND_OUT = "correct this error: ", "find out why it "
"""Beginnings of the advice for a crash. The first two depend on which files a machine has."""
OTHER_PYTHON = "name a Python that has this module, as in 'venv/bin/python kaggle:agent.py'"
OTHER_DIALECT = "it cannot read JSON: name its dialect, for example with "
MODULE = re.compile(r"No module named '?(?!c4_)([\w.]{1,100})|Cannot find module '([^'\n]{1,100})'")
"""Pattern of errors of Python and Node.js about a module that is not there, and is not ours."""
FILE = re.compile(r"(?i)no such file|ClassNotFound|NoClassDef|can(?:not|'t) open|find or load")
"""Pattern of errors about a file that is not there."""
NO_MODULE = "a module is missing: hand in its files, or ask the instructor for the package"
NO_FILE = "hand in the file that it does not find, and open it by its path in what you hand in"
NOT_A_LOOP = "let it read lines from standard input in a loop, and answer each line"
FOR_AUTHOR = "correct the error that it ended with"
"""Advice for a crash that says nothing about the files of a machine."""


def for_author(seen: str, fix: str) -> str:
    """Return the advice for a failure to the author of a bot, who does not run the check.

    It must not say which files the machine has that checks the bot. For a crash, it therefore
    depends only on what was ``seen``.
    """
    if fix.startswith(OTHER_DIALECT):
        return f'{OTHER_DIALECT}the line `dialect = "codingame"` in `bot.toml`'
    if not fix.startswith((HIDDEN, NAMED_HIDDEN, CORRECT, FIND_OUT, OTHER_PYTHON)):
        return fix.partition(OR_HIDDEN)[0]
    if MODULE.search(seen):
        return NO_MODULE
    if FILE.search(seen):
        return NO_FILE
    return NOT_A_LOOP if seen.endswith("ended with exit code 0") else FOR_AUTHOR


class Broken(Exception):
    """Failure to follow a rule.

    ``seen`` says what the bot did, and ``fix`` is advice for its author. If ``fix`` is empty, the
    advice of the rule is given. With ``is_general``, the failure has nothing to do with the rule,
    so its own advice is given.
    """

    is_general = False

    def __init__(self, seen: str, fix: str = "") -> None:
        super().__init__(seen)
        self.seen = seen
        self.fix = fix
        self.evidence: Evidence | None = None


class Illegal(Broken):
    """Answer with a move that the rules of the game do not allow."""


class BadLine(Broken):
    """Answer that is not a line of the protocol."""


class Crashed(Broken):
    """Failure of a program that cannot start, or that ends or closes a pipe without an answer."""


class Left(Broken):
    """End of a program after an answer, without reading the next line."""


class Hung(Broken):
    """Failure to react within the time that the driver waits."""


class Unflushed(Hung):
    """Answer that came only when the input was closed, or that has no end of line."""


def flush(lines: "Lines") -> str:
    """Return advice for a program whose answers stay in a buffer."""
    return f"send each answer immediately (flush it): {lines.answer}"


def read_lines(lines: "Lines") -> str:
    """Return advice for a program that reads all of its input before it answers."""
    each = f"answer each line as soon as you have read it: {lines.read}"
    return f"{each} and in it {lines.answer}"


def loop(lines: "Lines") -> str:
    """Return advice for a program that ends after an answer."""
    return f"do not end after an answer, read the next line: {lines.read}"
