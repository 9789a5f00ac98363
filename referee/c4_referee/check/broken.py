"""Exceptions for failures of a bot, one for each kind.

Each exception says what was seen, and has advice for the bot's author. This advice does not depend
on the rule that was tried. A rule has advice of its own. The checker decides which advice is given.
"""

import re
from typing import TYPE_CHECKING, NamedTuple

from c4_protocol.variant import Variant

if TYPE_CHECKING:
    from c4_referee.check.evidence import Evidence
    from c4_referee.check.languages import Language


class MoveForm(NamedTuple):
    """Form of the moves in a game, and advice about this form.

    ``noun`` is the word for a move, and ``sample`` is a move in JSON. ``bare`` is a pattern for a
    move without the rest of an answer. ``line`` is advice about the lines that a bot writes,
    ``whole`` about the type of its moves, and ``legal`` about the moves that it may choose.
    """

    noun: str
    sample: str
    bare: str
    line: str
    whole: str
    legal: str


COLUMNS = MoveForm(
    noun="column",
    sample="0",
    bare=r"-?\d+",
    line='print one line such as {"move":3} for each line you read, and nothing else',
    whole='write the column as a whole number, as in {"move":3}: not "3", 3.0 or [3] (Python: '
    "int(...), JavaScript: Number(...))",
    legal='play a column whose first cell in "grid" is 0; columns count from 0',
)
CELLS = MoveForm(
    noun="cell",
    sample="[0,0]",
    bare=r"[\[(]?-?\d+(\s*[,\s]\s*-?\d+)?[\])]?",
    line='print one line such as {"move":[3,2]} for each line you read, and nothing else',
    whole='write the cell as a list of two whole numbers, as in {"move":[3,2]}: not "d3", [3] or '
    "[3.0,2.0]",
    legal='play a cell that is 0 in "grid", and write it as [column, row]: both count from 0, rows '
    "from the top",
)
TOO_MUCH = "write little on standard error, and start few processes"
SLOW = (
    "look for a loop that never ends, and for input that the program waits for; otherwise let it "
    "think for less time"
)


def move_form(variant: Variant) -> MoveForm:
    """Return the form of the moves: cells if stones may go to any cell, otherwise columns."""
    return COLUMNS if variant.gravity else CELLS


class Broken(Exception):
    """Failure to follow a rule.

    ``seen`` says what the bot did, and ``fix`` is advice for its author. If ``fix`` is empty, the
    advice of the rule is given.
    """

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


def flush(language: "Language") -> str:
    """Return advice for a program whose answers stay in a buffer."""
    return f"send each answer immediately (flush it): {language.answer}"


def read_lines(language: "Language") -> str:
    """Return advice for a program that reads all of its input before it answers."""
    each = f"answer each line as soon as you have read it: {language.read}"
    return f"{each} and in it {language.answer}"


def loop(language: "Language") -> str:
    """Return advice for a program that ends after an answer."""
    return f"do not end after an answer, read the next line: {language.read}"


def format_fix(line: bytes, language: "Language", form: MoveForm = COLUMNS) -> str:
    """Return advice for a program that wrote this line, which is not an answer."""
    start, answer = line.strip(), f'{{"move":{form.sample}}}'
    if re.fullmatch(form.bare.encode(), start):
        return f"print the {form.noun} as JSON, {answer} and not {form.sample}: {language.answer}"
    if not start.startswith(b"{"):
        return (
            "standard output is for answers only; print text for people on standard error: "
            + language.text
        )
    if start.endswith(b"}") and b'"' in start:
        needed = f'the key "move" with a {form.noun} as its value'
        return f"the answer needs {needed}: {language.answer}"
    return f"the answer is not JSON, which needs double quotes, {answer}: {language.answer}"
