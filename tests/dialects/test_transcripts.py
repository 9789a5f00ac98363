"""Both ends of each dialect, and ``c4-bot``, speak as in the transcripts, byte for byte."""

from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar

import pytest
from c4_protocol import dialects
from c4_protocol.program.errors import ArenaError
from c4_protocol.records.messages import MoveRequest, Reply
from c4_protocol.rules.notation import WireMove
from c4_protocol.rules.variant import STEAL
from effort import sampled
from transcripts import INFO, Question, Transcript, each, replay


def move_of(text: str) -> WireMove:
    """Return the move of a line with ``!``."""
    word, *_ = text.split()
    column, _, row = word.partition(",")
    return STEAL if word == "STEAL" else (int(column), int(row)) if row else int(column)


def caught(function: Callable[..., object], *arguments: object) -> object:
    """Return what a function returns, or the error of this project that it raises."""
    try:
        return function(*arguments)
    except ArenaError as error:
        return error


def speak(end: object, lines: Iterable[tuple[str, object]], signs: dict[str, str]) -> None:
    """Call the method of an end for each line. ``signs`` maps signs to names of methods."""
    for sign, text in lines:
        getattr(end, signs[sign])(text)


class Bot:
    """A bot's end in a transcript."""

    SIGNS: ClassVar = {">": "read", "<": "write", "?": "be_asked", "!": "move", "x": "refuse",
             ".": "end"}  # fmt: skip

    def __init__(self, transcript: Transcript) -> None:
        self.end_of_dialect = dialects.bot_end(transcript.dialect)
        self.end_of_dialect.game = transcript.variant
        self.written, self.request = b"", None

    def read(self, line: str) -> None:
        """Read a line of the referee."""
        assert self.request is None, f"before {line}"
        found = caught(self.end_of_dialect.read_line, line.encode())
        if isinstance(found, Reply):
            self.written += found.text
        else:
            self.request = found

    def write(self, line: str) -> None:
        """Check that the next line of the bot is this one."""
        first, _, self.written = self.written.partition(b"\n")
        assert first.decode() == line

    def be_asked(self, question: Question) -> None:
        """Check that the last line was this question."""
        assert isinstance(self.request, MoveRequest)
        precept, self.request = self.request.precept, None
        assert precept.position() == question.position
        assert (precept.clock or precept.time_ms) == question.read

    def move(self, text: str) -> None:
        """Write a move, with a score or with information."""
        _, *more = text.split()
        score = float(more[1]) if more[:1] == ["score"] else INFO.score if more else 0
        info = INFO if more == ["info"] else None
        self.written += self.end_of_dialect.write_move(move_of(text), info, score)

    def refuse(self, reason: str) -> None:
        """Check why the last line was refused: at once, or because its position is impossible."""
        if isinstance(self.request, MoveRequest):
            self.request = caught(self.request.precept.position)
        assert isinstance(self.request, ArenaError)
        assert str(self.request).startswith(reason), str(self.request)
        self.request = None

    def end(self, _: str) -> None:
        """Check that the conversation is over."""
        assert self.end_of_dialect.is_over


@each("bot")
def test_bot_end_speaks_as_in_the_transcript(transcript: Transcript) -> None:
    """The bot's end answers each line, or reads the question, or refuses the line."""
    bot = Bot(transcript)
    speak(bot, transcript.lines, bot.SIGNS)
    assert (bot.written, bot.request) == (b"", None)
    assert bot.end_of_dialect.is_over == (transcript.lines[-1][0] == ".")


class Referee:
    """A referee's end in a transcript."""

    SIGNS: ClassVar = {">": "write", "<": "read", "?": "ask", "!": "expect", "x": "refuse",
             "~": "allow", "-": "forbid", ".": "end"}  # fmt: skip

    def __init__(self, transcript: Transcript) -> None:
        self.end_of_dialect = dialects.referee_end(transcript.dialect)
        self.written, self.move, self.error = b"", None, None

    def ask(self, question: Question | None) -> None:
        """Ask a question, or say farewell."""
        assert (self.written, self.move, self.error) == (b"", None, None)
        if question is None:
            self.written = self.end_of_dialect.farewell
        else:
            words = (question.position, question.own, question.other)
            self.written = self.end_of_dialect.write_precept(*words)

    def write(self, line: str) -> None:
        """Check that the next line of the referee is this one."""
        first, _, self.written = self.written.partition(b"\n")
        assert first.decode() == line

    def expect(self, text: str) -> None:
        """Remember the move that the bot will write."""
        self.move = move_of(text)

    def read(self, line: str) -> None:
        """Read a line of the bot."""
        assert (self.written, self.error) == (b"", None)
        found = caught(self.end_of_dialect.read_move, line.encode())
        if isinstance(found, ArenaError):
            self.error = found
        elif isinstance(found, Reply):
            self.written = found.text
        else:
            assert found == self.move
            self.move = None

    def refuse(self, reason: str) -> None:
        """Check why the last line was refused."""
        assert str(self.error).startswith(reason), str(self.error)
        self.error = None

    def allow(self, text: str) -> None:
        """Check that a bot may write this between questions."""
        assert self.end_of_dialect.may_say(text.replace("\\n", "\n").encode())

    def forbid(self, text: str) -> None:
        """Check that a bot may not write this between questions."""
        assert not self.end_of_dialect.may_say(text.replace("\\n", "\n").encode())

    def end(self, _: str) -> None:
        """Do nothing, because the referee's end does not know that a conversation is over."""


def with_questions_first(transcript: Transcript) -> Iterator[tuple[str, str | Question | None]]:
    """Yield the lines, with each question before the lines of the referee that ask it.

    The question is ``None`` before the lines after the last one.
    """
    lines = [*transcript.lines]
    is_asked = False
    for number, (sign, text) in enumerate(lines):
        if sign == ">" and not is_asked:
            is_asked = True
            yield next((pair for pair in lines[number:] if pair[0] == "?"), ("?", None))
        elif sign == "!":
            is_asked = False
        if sign != "?":
            yield sign, text


@each("referee")
def test_referee_end_speaks_as_in_the_transcript(transcript: Transcript) -> None:
    """The referee's end asks, replies to each line, and reads the move, or refuses the line."""
    referee = Referee(transcript)
    speak(referee, with_questions_first(transcript), referee.SIGNS)
    assert (referee.move, referee.error) == (None, None)


@pytest.mark.parametrize("end", sampled(["\n", "\r\n"], ["\n"]), ids=["LF", "CRLF"])
@each("c4-bot")
def test_our_bot_speaks_as_in_the_transcript(transcript: Transcript, end: str) -> None:
    """``c4-bot`` finds the dialect by the first line, and answers as in the transcript."""
    replay(transcript, end)
