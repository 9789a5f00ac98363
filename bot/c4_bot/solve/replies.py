"""The line that ``c4-solve`` writes for each line that it reads."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import MAX_SHOWN_LENGTH, visible
from c4_protocol.rules.variant import Variant

from c4_bot.solve.answers import Answerer, Question, SolverAnswer, question

if TYPE_CHECKING:
    from c4_bot.solve.line.answers import LineAnswerer


@dataclass(slots=True)
class Replier:
    """An answerer whose answers are lines of text, or of JSON if ``as_json`` is true.

    The answer to a JSON object is always one, too. If ``checked`` is true, each line has a score,
    which is compared with the answer. ``explain`` returns an object that explains the move that the
    line asks about. If ``explains`` is true and it asks about none, the best move is explained.
    """

    answerer: "Answerer | LineAnswerer"
    variant: Variant
    explain: Callable[[Question, SolverAnswer], object]
    as_json: bool = False
    checked: bool = False
    explains: bool = False

    def reply(self, line: bytes) -> tuple[bytes, str]:
        """Return the answer to a line of input, with its line ending, and a complaint for people.

        Either can be empty. If the answer is not fully proven, or not the expected one, neither is.
        """
        if isinstance(self.answerer, Answerer) and not (self.as_json or self.checked):
            quick = self.answerer.quick_answer(line)
            if quick is not None:
                return quick, ""
        text = b""
        try:
            asked = question(line, self.variant, checked=self.checked)
            answer = self.answerer.answer(asked)
            content: str | dict[str, object] = answer.text(asked)
            if self.as_json or asked.is_json:
                content = answer.fields(asked)
                if self.explains or asked.move is not None:
                    content["explanation"] = self.explain(asked, answer)
            text = self._as_line(content)
            if self.checked and not answer.shortfall:
                asked.check(answer.score, weak=self.answerer.weak)
        except ArenaError as error:
            return text, str(error)
        return text, answer.shortfall

    def refusal(self, line: bytes, reason: str) -> bytes:
        """Return the answer to a line that has no other answer, with the start of its moves."""
        words = line[: MAX_SHOWN_LENGTH + 1].decode(errors="replace").replace("\t", " ")
        moves = visible(words.partition(" ")[0])
        reason = visible(reason)
        if self.as_json or line.startswith(b"{"):
            return self._as_line({"moves": moves, "error": reason})
        return self._as_line(f"{moves} error {reason}")

    def _as_line(self, content: str | dict[str, object]) -> bytes:
        """Return a text or an object as a line."""
        if isinstance(content, str):
            return f"{content}\n".encode()
        import orjson  # noqa: PLC0415 - its import takes a tenth of the time to start

        return orjson.dumps(content, option=orjson.OPT_APPEND_NEWLINE)
