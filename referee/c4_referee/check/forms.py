"""Forms of answers in each dialect, and advice for a bot whose lines have another form."""

import re
from dataclasses import dataclass

from c4_protocol.dialects import DEFAULT_DIALECT, referee_end
from c4_protocol.dialects.jsonl import TEXT_BEFORE
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_referee.bots.languages import Lines
from c4_referee.check.model_bot import first_answer


@dataclass(frozen=True)
class JsonForm:
    """Form of the answers in the dialect jsonl.

    ``noun`` is the word for a move, and ``sample`` is a move in JSON. ``bare`` is a pattern for a
    move without the rest of an answer. ``line`` is advice about the lines that a bot writes, and
    ``legal`` about the moves that it may choose.
    """

    noun: str
    sample: str
    bare: str
    line: str
    legal: str

    def fix(self, line: bytes, lines: Lines) -> str:
        """Return advice for a program that wrote this line, or several, which are not an answer."""
        if more := line.count(b"\n"):
            spread = f"the JSON of the answer is spread over {more + 1} lines"
            return f"{spread}: write it on one line: {lines.answer}"
        start, answer = line.strip(), f'{{"move":{self.sample}}}'
        if re.fullmatch(self.bare.encode(), start):
            return f"print the {self.noun} as JSON, {answer} and not {self.sample}: {lines.answer}"
        if not start.startswith(b"{"):
            instead = f"print text for people on standard error: {lines.text}"
            if lines.prompt and re.match(TEXT_BEFORE, start):
                instead = lines.prompt
            return f"standard output is for answers only; {instead}"
        if start.endswith(b"}") and b'"' in start:
            needed = f'the key "move" with a {self.noun} as its value'
            return f"the answer needs {needed}: {lines.answer}"
        return f"the answer is not JSON, which needs double quotes, {answer}: {lines.answer}"


COLUMNS = JsonForm(
    noun="column",
    sample="0",
    bare=r'[\["]?-?\d+(?:\.0)?[\]"]?|null|None',
    line='print one line such as {"move":3} for each line you read, and nothing else',
    legal='play a column whose first cell in "grid" is 0; column 1 is move 0',
)
CELLS = JsonForm(
    noun="cell",
    sample="[0,0]",
    bare=r"[\[(]?-?\d+(\s*[,\s]\s*-?\d+)?[\])]?",
    line='print one line such as {"move":[3,2]} for each line you read, and nothing else',
    legal='play a cell that is 0 in "grid", and write it as [column, row]: both count from 0, rows '
    "from the top",
)


class PlainForm:
    """Form of the answers in another dialect. The sample is an answer on the empty board."""

    def __init__(self, dialect: str, variant: Variant) -> None:
        referee, empty = referee_end(dialect), Position(variant)
        self._refuses_text = not referee.may_say(b"text\n")
        sample = f'"{first_answer(dialect, empty, empty.moves[0])}"'
        only = ", and nothing else" if self._refuses_text else ""
        self.line = f"answer each question for a move once, with a line such as {sample}{only}"
        first = referee.first_column
        self.legal = f"play a column that has room; column 1, the leftmost, is {first}"

    def fix(self, line: bytes, lines: Lines) -> str:
        """Return advice for a program that wrote this line, which is not an answer."""
        text = f"; print text for people on standard error: {lines.text}"
        return self.line + (text if self._refuses_text else "")


Form = JsonForm | PlainForm
"""Form of the answers in a game."""


def form_of(dialect: str, variant: Variant) -> Form:
    """Return the form of the answers in a dialect and a game."""
    if dialect != DEFAULT_DIALECT:
        return PlainForm(dialect, variant)
    return COLUMNS if variant.gravity else CELLS
