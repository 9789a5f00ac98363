"""Talks to a bot as drivers do, and describes what happened if the bot fails.

Input: a trial (bot, game and time) and the questions of a rule. Output: the cells that the bot
plays, or ``Broken``. This exception says what was seen and what the bot's author can change, and it
has the end of the conversation as evidence.

The driver uses the referee's ``Channel``, but not its ``Contestant``. A contestant only names a
fault, but a driver has to find out what the bot's author should change.
"""

import fcntl
import sys
import termios
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

from c4_protocol.codec import LineBuffer
from c4_protocol.dialects import DEFAULT, RefereeEnd, referee_end
from c4_protocol.dialects.jsonl import json_object
from c4_protocol.errors import IllegalMove, LineTooLong, ProtocolError, UsageError
from c4_protocol.messages import Reply
from c4_protocol.notation import WireMove, cell_of_wire
from c4_protocol.position import Position
from c4_protocol.text import visible
from c4_protocol.variant import Variant

from c4_referee.bots.agents import agent_files
from c4_referee.bots.channel import (
    LINE_LIMIT,
    Channel,
    DeadlinePassed,
    InputClosed,
    LimitExceeded,
    OutputEnded,
    StderrFlood,
)
from c4_referee.bots.clock import GRACE_MS, TimeControl
from c4_referee.bots.command_line import CommandValues
from c4_referee.bots.contestant import start_process
from c4_referee.bots.hidden import advice, hidden_path, refused_line
from c4_referee.bots.last_words import suggests_dialect
from c4_referee.bots.own import MISTAKE_CODE
from c4_referee.bots.process import BotProcess
from c4_referee.bots.spec import BotSpec
from c4_referee.check import boards, broken
from c4_referee.check.broken import Broken
from c4_referee.check.evidence import Evidence, quoted, shell_line
from c4_referee.check.forms import Form, form_of
from c4_referee.check.languages import Language, language_of
from c4_referee.check.twin import Twin

QUICK_MS = 50.0
"""Time for a move that most questions state, in milliseconds. It is short, because most rules do
not test how well the bot plays."""
DYING_SECONDS = 0.5
"""Maximum time to wait for the output and the end of a bot that has failed, in seconds."""
FLOOD = "it floods its standard error"
UNREAD = "it does not read its input"


@dataclass(frozen=True)
class Trial:
    """Input of a rule: a bot to start, the game that it plays, and its time in milliseconds.

    ``startup_ms`` is added to every wait for an answer whose time is not measured.
    """

    spec: BotSpec
    variant: Variant
    time_ms: float = 1000.0
    startup_ms: float = TimeControl.startup_ms

    @property
    def is_json(self) -> bool:
        """True if the bot speaks the dialect jsonl."""
        return self.spec.dialect == DEFAULT

    @cached_property
    def referee(self) -> RefereeEnd:
        """Referee's end of the bot's dialect. It describes the dialect, and talks to no bot."""
        return referee_end(self.spec.dialect)

    @cached_property
    def form(self) -> Form:
        """Form of the bot's answers."""
        return form_of(self.spec.dialect, self.variant)

    @property
    def language(self) -> Language:
        """Language of the bot, with lines of code for answers in its dialect."""
        return language_of(
            self.spec.command, gravity=self.variant.gravity, dialect=self.spec.dialect
        )

    @property
    def position(self) -> Position:
        """Position for a single question: the empty board, or in jsonl one with some stones."""
        return boards.middle(self.variant) if self.is_json else Position(self.variant)

    @property
    def patience(self) -> float:
        """Maximum time to wait for an answer whose time is not measured, in seconds."""
        return (self.time_ms + GRACE_MS + self.startup_ms) / 1000

    def start(
        self,
        *arguments: str,
        player: int = 1,
        variant: Variant | None = None,
        deaf: bool = False,
        line_end: bytes = b"\n",
    ) -> "Driver":
        """Start the bot with ``arguments`` appended; raise ``Broken`` if it cannot start.

        Placeholders in its command get the values for ``player`` and ``variant``. The default is
        the variant of the trial. All lines that the bot is sent end in ``line_end``.
        """
        values = CommandValues(player, variant or self.variant, self.time_ms)
        command = (*self.spec.command_for(values), *arguments)
        return Driver(self, command, deaf=deaf, line_end=line_end)


class Driver:
    """Context manager for one run of a bot. It leaves no process behind.

    A ``deaf`` driver does not read the bot's standard error while the bot runs. Methods raise
    ``Broken`` if the bot fails.
    """

    def __init__(
        self, trial: Trial, command: tuple[str, ...], *, deaf: bool, line_end: bytes
    ) -> None:
        self._trial = trial
        self._command = command
        self._line_end = line_end
        self._dialect = referee_end(trial.spec.dialect)
        self._twin = None if trial.is_json else Twin(trial.spec.dialect, trial.variant)
        self._said = bytearray()
        self._asked: Position | None = None
        self._heard_before = 0
        self._has_answered = False
        self.answer = b""
        """The last answer: its line, or in jsonl everything after the question."""
        self._process = _start(trial.spec, command)
        self._buffer = RecordingBuffer()
        self._channel = Channel(self._process, buffer=self._buffer, deaf=deaf)

    def __enter__(self) -> "Driver":
        return self

    def __exit__(self, kind: object, error: BaseException | None, *_: object) -> None:
        if isinstance(error, Broken) and error.evidence is None:
            error.evidence = self.evidence(error)
        self._process.stop()

    def evidence(self, error: Broken | None = None) -> Evidence:
        """Return the last question with its answer, or with the ``error`` if none came."""
        said = bytes(self._said)
        lines = said.splitlines() or [b""]
        nothing = f"nothing: {error.seen}" if error else "nothing"
        stays_open = isinstance(error, broken.Hung)
        shell = shell_line(self._trial.spec, self._command, said, stays_open=stays_open)
        return Evidence(
            sent=lines[-1].decode(errors="backslashreplace"),
            answered=quoted(self.answered) if self.answered else nothing,
            shell=visible(shell, keep="\n\t"),
            board=self._shown_board(),
        )

    @property
    def answered(self) -> bytes:
        """Bytes that the bot has written since the last question, without white space around."""
        return self.heard[self._heard_before :].strip()

    @property
    def heard(self) -> bytes:
        """The first bytes that the bot has written, at most ``LINE_LIMIT``."""
        return bytes(self._buffer.recorded)

    @property
    def unread(self) -> int:
        """Number of unread bytes in the pipe of standard error."""
        count = bytearray(4)
        fcntl.ioctl(self._process.stderr, termios.FIONREAD, count)
        return int.from_bytes(count, sys.byteorder)

    def question(self, position: Position, time_ms: float | None = QUICK_MS) -> bytes:
        """Return a question for a move.

        It states ``time_ms`` milliseconds if the dialect can, or no time if it is ``None``.
        """
        return self._dialect.write_precept(position, time_ms)

    def ask(self, position: Position, time_ms: float | None = QUICK_MS) -> int:
        """Ask about a position as ``question`` does, and return the cell that the bot plays."""
        self.refuse_noise()
        return self.ask_line(position, self.question(position, time_ms))

    def ask_line(self, position: Position, line: bytes) -> int:
        """Ask about a position with this line, and return the cell that the bot plays."""
        self._asked = position
        self.say(line)
        return self.hear(position)

    def refuse_noise(self) -> None:
        """Raise ``BadLine`` if the bot has written what it may not write before a question.

        In jsonl, a rule of its own tests this.
        """
        if self._trial.is_json:
            return
        noise = self._channel.pending_output()
        if noise and not self._dialect.may_say(noise):
            seen = f"it wrote {quoted(noise)} before it was asked"
            raise broken.BadLine(seen, self._trial.form.line)

    def column(self, position: Position) -> int | None:
        """Ask about a position; return the column of the answer, even if the move is illegal.

        Return ``None`` if the answer is not a column.
        """
        self._asked = position
        self.say(self.question(position))
        until = time.monotonic() + self._trial.patience
        line = self._next_line(until)
        with suppress(IllegalMove, ProtocolError):
            while isinstance(move := self._dialect.read_move(line), Reply):
                line = self._continue(move, until)
            return move if isinstance(move, int) else None
        return None

    def say(self, data: bytes) -> None:
        """Write to the bot."""
        data = data.replace(b"\n", self._line_end)
        self._said += data
        self._heard_before = len(self._buffer.recorded)
        if self._twin:
            self._twin.hear(data)
        try:
            self._channel.send(data, time.monotonic() + self._trial.patience)
        except DeadlinePassed:
            raise broken.Hung(UNREAD, broken.read_lines(self._trial.language)) from None
        except InputClosed:
            raise self._explain_closed_pipe("it closed its input") from None
        except StderrFlood:
            raise Broken(FLOOD, broken.TOO_MUCH) from None

    def hear(self, position: Position) -> int:
        """Return the cell that the bot plays. Lines before its answer get the dialect's replies."""
        until = time.monotonic() + self._trial.patience
        line = self._next_line(until)
        while isinstance(found := self._read_line(position, line), Reply):
            line = self._continue(found, until)
        self._has_answered = True
        self.answer = self.answered
        if self._twin:
            self.answer = line
            self._twin.play(position, found)
        return found

    def listen(self, seconds: float) -> None:
        """Add to ``heard`` what the bot writes within ``seconds``, up to the end of a line."""
        with suppress(DeadlinePassed, OutputEnded, LineTooLong, StderrFlood, LimitExceeded):
            self._channel.receive(time.monotonic() + seconds)

    def close_input(self) -> None:
        """Send the line that ends a conversation in the dialect, if any, and close the input."""
        self._said += self._dialect.farewell
        self._process.close_input(self._dialect.farewell)

    def wait_for_exit(self, seconds: float) -> int | None:
        """Return the exit code; ``None`` if the bot still runs after ``seconds``."""
        return self._channel.wait_for_exit(seconds)

    def _shown_board(self) -> str:
        """Return a picture of the position that the bot was asked about last, if any."""
        if self._asked is None or (self._twin and not self._twin.is_asked):
            return ""
        return boards.board_text(self._asked, self._dialect.first_column)

    def _read_line(self, position: Position, line: bytes) -> int | Reply:
        """Return the cell that a line names, or the dialect's reply to a line without a move."""
        form = self._trial.form
        try:
            move = self._read_move(line)
            return move if isinstance(move, Reply) else cell_of_wire(position, move)
        except IllegalMove as error:
            seen = f"it answered {quoted(line)}: {error}"
            raise broken.Illegal(seen, form.legal) from None
        except ProtocolError as error:
            reason = str(error).split(":")[0]  # the rest does not help the bot's author
            if self._trial.is_json and (lines := self._lines_of_object(line)):
                line, reason = b"\n".join(lines), f"JSON on {len(lines)} lines"
            fix = form.fix(line, self._trial.language)
            raise broken.BadLine(f"it answered {quoted(line)}: {reason}", fix) from None

    def _lines_of_object(self, line: bytes) -> list[bytes]:
        """Return the lines of a JSON object that begins with ``line``, or no lines if none does."""
        lines, until = [line], time.monotonic() + DYING_SECONDS
        with suppress(DeadlinePassed, OutputEnded, LineTooLong, StderrFlood, LimitExceeded):
            while _has_open_brace(lines):
                lines.append(self._channel.receive(until))
        with suppress(ProtocolError):
            json_object(b"\n".join(lines))
            return lines
        return []

    def _read_move(self, line: bytes) -> WireMove | Reply:
        """Return the move of a line, which may be outside the board; raise ``BadLine`` if none."""
        try:
            found = self._dialect.read_move(line)
            if self._dialect.refused:  # a referee would ask again
                raise self._dialect.refused
        except IllegalMove as error:
            if not self._trial.is_json:
                raise
            seen = f"it answered {quoted(line)}: {error}"  # a string, fraction or list
            raise broken.BadLine(seen, self._trial.form.whole) from None
        return found

    def _continue(self, reply: Reply, until: float) -> bytes:
        """Send the dialect's reply to a line without a move, and return the next line."""
        if reply.text:
            self.say(reply.text)
        if time.monotonic() > until:
            raise self._explain_silence()
        return self._next_line(until)

    def _next_line(self, until: float) -> bytes:
        """Return the next line that the bot writes. It must be complete before ``until``."""
        try:
            return self._channel.receive(until)
        except DeadlinePassed:
            raise self._explain_silence() from None
        except LineTooLong as error:
            raise broken.BadLine(
                f"{error}; it begins {quoted(error.start)}", self._trial.form.line
            ) from None
        except OutputEnded:
            raise self._explain_closed_pipe("it closed its output") from None
        except StderrFlood:
            raise Broken(FLOOD, broken.TOO_MUCH) from None
        except LimitExceeded as error:
            raise Broken(str(error), broken.TOO_MUCH) from None

    def _explain_silence(self) -> Broken:
        """Return the failure of a bot that wrote no whole line in time.

        There are three possible causes: the bot wrote a line without a line ending, its line is in
        a buffer, or it wrote nothing. To find out which, this closes the bot's input, because many
        programs write what is in their buffers when they end.
        """
        waited = f"within {self._trial.patience:.1f} s, start-up included"
        if part := self._channel.pending_output():
            seen = f"{quoted(part)} has no end of line {waited}"
            return broken.Unflushed(seen, "end each answer with \\n")
        before = len(self.heard)
        self._process.close_input()
        self.listen(DYING_SECONDS)
        late = self.heard[before:].strip()
        if any(self._is_answer(line) for line in late.splitlines()):
            seen = f"it answered {quoted(late)} only after its input ended; in a game it stays open"
            return broken.Unflushed(seen, broken.flush(self._trial.language))
        return self._explain_missing_line(waited)

    def _is_answer(self, line: bytes) -> bool:
        """Return whether a line is meant as an answer: the dialect does not ignore it."""
        try:
            return self._dialect.read_move(line) != Reply()
        except (IllegalMove, ProtocolError):
            return True

    def _explain_missing_line(self, waited: str) -> Broken:
        """Return the failure of a bot that has not written the line that its dialect requires."""
        if self._twin is None or self._asked is None:
            return broken.Hung(f"no answer {waited}", broken.SLOW)
        wanted, sent = self._twin.expected_line(self._asked), self._said.split(b"\n")[-2]
        if not self._twin.is_asked:
            fix = f'answer "{sent.split()[0].decode()}" with "{wanted}"'
            return broken.Hung(f'no line "{wanted}" {waited}', fix)
        seen = f'no line such as "{wanted}" {waited}'
        return broken.Hung(seen, self._trial.form.line if self.answered else broken.SLOW)

    def _explain_closed_pipe(self, otherwise: str) -> Broken:
        """Return the failure of a bot that closed a pipe.

        ``otherwise`` describes the failure if the bot still runs.
        """
        code = self.wait_for_exit(DYING_SECONDS)
        self._channel.read_stderr()  # a deaf driver has not read it
        last = self._channel.last_words()
        words = f"; its last words: {last}" if last else ""
        spec = self._trial.spec
        if code == MISTAKE_CODE and not self._has_answered and spec.is_own_command:
            raise UsageError(f"bot '{spec.name}': {last}")
        if code is None:
            seen = f"{otherwise} and still runs{words}"
            return broken.Crashed(seen, "keep standard input and output open")
        if code == 0 and self._has_answered:
            seen = f"it answered one line and then ended; the next line got no answer{words}"
            return broken.Left(seen, broken.loop(self._trial.language))
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return broken.Crashed(f"it {how}{words}", self._explain_crash(last, how))

    def _explain_crash(self, last: str, how: str) -> str:
        """Return what to do about a bot that ended with these last words."""
        view, text = self._process.view, self._channel.stderr_text()
        if view and (hidden := hidden_path(text, view)):
            fix = advice(hidden, view)
            return f"the sandbox hides {hidden}: {fix}, or say --no-sandbox if you trust it"
        if view and (line := refused_line(text, view)):
            return f"a file of the bot names what the sandbox hides: set {line} in the bot's table"
        if not self._has_answered and suggests_dialect(last):
            return "it cannot read JSON: name its dialect, for example with --dialect codingame"
        if "ModuleNotFoundError" in last and agent_files(self._trial.spec.command):
            return "name a Python that has this module, as in 'venv/bin/python kaggle:agent.py'"
        return f"correct this error: {last}" if last else f"find out why it {how}"


def _start(spec: BotSpec, command: tuple[str, ...]) -> BotProcess:
    """Start a bot with this command line; raise ``Crashed`` if it cannot be started."""
    try:
        return start_process(spec, command, spec.sandbox_settings())
    except OSError as error:
        raise broken.Crashed(f"it cannot be started: {error}", "start it by hand first") from None


def _has_open_brace(lines: Sequence[bytes]) -> bool:
    """Return whether lines can be the beginning of a JSON object."""
    text = b"".join(lines)
    return text.count(b"{") > text.count(b"}")


class RecordingBuffer(LineBuffer):
    """Line buffer that stores the first ``LINE_LIMIT`` bytes in ``recorded``.

    The record also has the blank lines, which ``next_line`` leaves out.
    """

    def __init__(self) -> None:
        super().__init__(LINE_LIMIT)
        self.recorded = bytearray()

    def feed(self, data: bytes) -> None:
        """Take bytes, and record them."""
        self.recorded += data[: max(LINE_LIMIT - len(self.recorded), 0)]
        super().feed(data)
