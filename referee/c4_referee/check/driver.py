"""Talks to a bot as drivers do, and describes what happened if the bot fails.

Input: a trial (bot, game and time) and the questions of a rule. Output: the cells that the bot
plays, or ``Broken``. This exception says what was seen and what the bot's author can change, and it
has the end of the conversation as evidence.

A driver is the conversation of a game (``talk/conversation.py``) with other explanations: a game
only names a fault, but a driver has to find out what the bot's author should change.
"""

import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median

from c4_protocol.dialects import DEFAULT_DIALECT, RefereeEnd, referee_end
from c4_protocol.dialects.jsonl import json_object
from c4_protocol.program.errors import IllegalMove, LineTooLong, ProtocolError, UsageError
from c4_protocol.program.text import visible
from c4_protocol.records.codec import LineBuffer
from c4_protocol.records.messages import Clock, Reply, Time
from c4_protocol.rules.notation import WireMove
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_referee.bots.agents import agent_files
from c4_referee.bots.clock import GRACE_MS, TimeControl
from c4_referee.bots.contain import hidden
from c4_referee.bots.contain.faults import LAST_WORDS, Fault
from c4_referee.bots.contain.last_words import last_words, suggests_dialect
from c4_referee.bots.contain.process_tree import children_of
from c4_referee.bots.contain.usage import resident_bytes
from c4_referee.bots.languages import Lines, lines_for
from c4_referee.bots.placeholders import CommandValues, filled_in
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.channel import (
    MAX_LINE_BYTES,
    Channel,
    ChannelError,
    DeadlinePassed,
    InputClosed,
    InputFull,
    LimitExceeded,
)
from c4_referee.bots.talk.contestant import start_process
from c4_referee.bots.talk.conversation import Conversation, script_hint
from c4_referee.check import boards, broken
from c4_referee.check.broken import Broken
from c4_referee.check.evidence import Evidence, quoted, shell_line
from c4_referee.check.forms import Form, form_of
from c4_referee.check.model_bot import ModelBot

QUICK_MS = 50.0
"""Time for a move that most questions state, in milliseconds. It is short, because most rules do
not test how well the bot plays."""
MUCH_MEMORY_MB = 1024
"""A bot that does not answer and uses at least this much memory is told to use less, in MiB."""
QUICK_CLOCK = Clock(20 * QUICK_MS)
"""Clock that most questions state if the bot has a clock for the game."""
DYING_SECONDS = 0.5
"""Maximum time to wait for the end of a bot that has failed, in seconds."""
FLUSHING_SECONDS = 2.0
"""Maximum time to wait for what a silent bot writes at the end of its input, in seconds."""


@dataclass
class Times:
    """Times of answers in milliseconds: of first answers, with the start, and of full questions.

    A full question states the whole time for a move.
    """

    starts: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)

    @property
    def start_ms(self) -> float:
        """Median time of a first answer."""
        return round(median(self.starts or [0.0]), 1)

    @property
    def answer_ms(self) -> float:
        """Median time of an answer to a full question."""
        return round(median(self.answers or [0.0]), 1)


class SharedRun:
    """Context manager for a run of a bot that several rules use one after the other.

    ``driver`` is the run, or ``None`` if the next rule has to start the bot.
    """

    driver: "Driver | None" = None

    def __enter__(self) -> "SharedRun":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop the bot if it runs."""
        if self.driver is not None:
            self.driver.process.stop()
        self.driver = None


@dataclass(frozen=True)
class Trial:
    """Input of a rule: a bot to start, the game that it plays, and its time in milliseconds.

    With ``increment_ms``, ``time_ms`` is not the time for a move, but a clock for the whole game.
    ``startup_ms`` is added to every wait for an answer whose time is not measured. ``answers`` is
    true if the bot has answered a plain question in an earlier run. ``times`` are those of all
    runs. With ``shared``, a bot that runs already with the right command is not started again.
    """

    spec: BotSpec
    variant: Variant
    time_ms: float = 1000.0
    startup_ms: float = TimeControl.startup_ms
    increment_ms: float | None = None
    answers: bool = False
    times: Times = field(default_factory=Times, compare=False)
    shared: SharedRun | None = field(default=None, compare=False)

    @property
    def control(self) -> TimeControl:
        """Time control of the bot."""
        if self.increment_ms is None:
            return TimeControl(self.time_ms)
        return TimeControl(0, self.time_ms, self.increment_ms)

    @property
    def is_json(self) -> bool:
        """True if the bot speaks the dialect jsonl."""
        return self.spec.dialect == DEFAULT_DIALECT

    @cached_property
    def referee(self) -> RefereeEnd:
        """Referee's end of the bot's dialect. It describes the dialect, and talks to no bot."""
        return referee_end(self.spec.dialect)

    @cached_property
    def form(self) -> Form:
        """Form of the bot's answers."""
        return form_of(self.spec.dialect, self.variant)

    @property
    def lines(self) -> Lines:
        """Lines of code in the bot's language, for answers in its dialect."""
        return lines_for(self.spec.command, gravity=self.variant.gravity, dialect=self.spec.dialect)

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

        Placeholders in its command and in ``arguments`` get the values for ``player`` and
        ``variant``. The default is the variant of the trial. All lines that the bot is sent end in
        ``line_end``.
        """
        values = CommandValues(player, variant or self.variant, self.time_ms)
        command = filled_in((*self.spec.template, *arguments), values)
        running = self.shared and self.shared.driver
        if running and running.command == command and running.is_deaf >= deaf:
            running.continue_for(self, line_end)
            return running
        if self.shared:
            self.shared.stop()
        driver = Driver(self, command, deaf=deaf, line_end=line_end)
        if self.shared:
            self.shared.driver = driver
        return driver


class Driver(Conversation):
    """Context manager for one run of a bot. It leaves no process behind.

    A ``deaf`` driver does not read the bot's standard error while the bot runs. Methods raise
    ``Broken`` if the bot fails.
    """

    def __init__(
        self, trial: Trial, command: tuple[str, ...], *, deaf: bool, line_end: bytes
    ) -> None:
        self._buffer = RecordingBuffer()
        self.earlier_children = children_of(os.getpid())
        """Children of this process before the start of the bot."""
        try:
            process = start_process(trial.spec, command, trial.spec.sandbox_settings())
        except OSError as error:
            seen = f"it cannot be started: {error}"
            fix = script_hint(trial.spec) or "start it by hand first"
            raise broken.Crashed(seen, fix) from None
        super().__init__(trial.spec, process, Channel(process, buffer=self._buffer, deaf=deaf))
        self.command = command
        self.is_deaf = deaf
        self.continue_for(trial, line_end)
        self._model = None if trial.is_json else ModelBot(trial.spec.dialect, trial.variant)
        self._asked: Position | None = None
        self._heard_before = 0
        self._move: WireMove | None = None  # in the last answer, legal or not
        self.answers = 0
        """Number of the bot's answers in this run."""
        self.line = b""
        """The line of the last answer."""
        self.answer = b""
        """The last answer: its line, or in jsonl everything after the question."""

    def continue_for(self, trial: Trial, line_end: bytes) -> None:
        """Begin the part of a run that belongs to one rule."""
        self._trial = trial
        self._line_end = line_end
        self._said = bytearray()

    def __enter__(self) -> "Driver":
        return self

    def __exit__(self, kind: object, error: BaseException | None, *_: object) -> None:
        if isinstance(error, Broken) and error.evidence is None:
            error.evidence = self.evidence(error)
        if (shared := self._trial.shared) is None:
            self.process.stop()
        elif error is not None and (type(error) is not Broken or error.fix):  # it may not go on
            shared.stop()

    def evidence(self, error: Broken | None = None) -> Evidence:
        """Return the last question with its answer, or with the ``error`` if none came."""
        said = bytes(self._said)
        lines = said.splitlines() or [b""]
        asked = self._asked if self._model is None or self._model.is_asked else None
        answered = quoted(self.answered)
        if not self.answered:
            answered = f"nothing: {error.seen}" if error else "nothing"
        elif asked and self._move is not None:
            answered += f": {self._dialect.move_in_words(asked.variant, self._move)}"
        stays_open = isinstance(error, broken.Hung)
        shell = shell_line(self._trial.spec, self.command, said, stays_open=stays_open)
        return Evidence(
            sent=lines[-1].decode(errors="backslashreplace"),
            answered=answered,
            shell=visible(shell, keep="\n\t"),
            board=boards.board_text(asked, self._dialect.first_column) if asked else "",
        )

    @property
    def answered(self) -> bytes:
        """Bytes that the bot has written since the last question, without white space around."""
        return self.heard[self._heard_before :].strip()

    @property
    def heard(self) -> bytes:
        """The first bytes that the bot has written, at most ``MAX_LINE_BYTES``."""
        return bytes(self._buffer.recorded)

    def question(self, position: Position, time_ms: float | None = QUICK_MS) -> bytes:
        """Return a question for a move.

        It states ``time_ms`` milliseconds if the dialect can, or no time if it is ``None``. If the
        bot has a clock, it has ``time_ms`` left, or ``QUICK_CLOCK`` instead of ``QUICK_MS``.
        """
        time: Time | None = time_ms
        increment_ms = self._trial.increment_ms
        if time_ms is not None and increment_ms is not None:
            time = QUICK_CLOCK if time_ms == QUICK_MS else Clock(time_ms, increment_ms)
        return self._dialect.write_precept(position, time)

    def ask(self, position: Position, time_ms: float | None = QUICK_MS) -> int:
        """Ask about a position as ``question`` does, and return the cell that the bot plays."""
        self.refuse_noise()
        began, is_first = time.monotonic(), not self.has_answered
        cell = self.ask_line(position, self.question(position, time_ms))
        ms = (time.monotonic() - began) * 1000
        if is_first:
            self._trial.times.starts.append(ms)
        elif time_ms == self._trial.time_ms:
            self._trial.times.answers.append(ms)
        return cell

    def ask_line(self, position: Position, line: bytes) -> int:
        """Ask about a position with this line, and return the cell that the bot plays."""
        self._asked = position
        self.say(line)
        return self.answer_to(position)

    def refuse_noise(self) -> None:
        """Raise ``BadLine`` if the bot has written what it may not write before a question.

        In jsonl, a rule of its own tests this.
        """
        if not self._trial.is_json and (noise := self.early_output()):
            seen = f"it wrote {quoted(noise)} before it was asked"
            raise broken.BadLine(seen, self._trial.form.line)

    def column(self, position: Position) -> int | None:
        """Ask about a position; return the column of the answer, even if the move is illegal.

        Return ``None`` if the answer is a cell, and raise ``Broken`` if it is not a move.
        """
        self._asked = position
        self.say(self.question(position))
        move, _ = self.next_move(self._deadline)
        return move if isinstance(move, int) else None

    def say(self, data: bytes) -> None:
        """Write to the bot."""
        self.send(data, self._deadline)

    def send(self, words: bytes, deadline: float) -> None:
        """Write to the bot, and record this."""
        words = words.replace(b"\n", self._line_end)
        self._said += words
        self._heard_before = len(self._buffer.recorded)
        self._move = None
        if self._model:
            self._model.hear(words)
        super().send(words, deadline)

    def answer_to(self, position: Position) -> int:
        """Return the cell that the bot plays. Lines before its answer get the dialect's replies."""
        cell, self.line = self.read_cell(position, self._deadline)
        self.has_answered = True
        self.answers += 1
        self.answer = self.answered
        if self._model:
            self.answer = self.line
            self._model.play(position, cell)
        return cell

    def listen(self, seconds: float) -> None:
        """Add to ``heard`` what the bot writes within ``seconds``, up to the end of a line."""
        with suppress(ChannelError, LineTooLong):
            self.channel.receive(time.monotonic() + seconds)

    def close_input(self) -> None:
        """Send the line that ends a conversation in the dialect, if any, and close the input."""
        self._said += self._dialect.farewell
        super().close_input()

    def read_move(self, line: bytes) -> WireMove | Reply:
        """Return the move of a line, which may be outside the board, or the dialect's reply.

        A line that a referee would refuse once is wrong here.
        """
        try:
            move = super().read_move(line)
            if self._dialect.refused:
                raise self._dialect.refused
        except IllegalMove as error:
            if not self._trial.is_json:
                raise
            what, _, fix = str(error).partition(": ")  # a string, fraction or list
            raise broken.BadLine(f"it answered {quoted(line)}: {what}", fix) from None
        self._move = None if isinstance(move, Reply) else move
        return move

    def explain_line(self, line: bytes, error: IllegalMove | ProtocolError) -> Broken:
        """Return the failure of a bot whose line names no legal move."""
        form = self._trial.form
        if isinstance(error, IllegalMove):
            fix = str(error).partition("stones fall, so ")[2] or form.legal  # it names a row
            return broken.Illegal(f"it answered {quoted(line)}: {error}", fix)
        reason = str(error).split(":")[0]  # the rest does not help the bot's author
        if self._trial.is_json and len(lines := self._lines_of_object(line)) > 1:
            line, reason = b"\n".join(lines), f"JSON on {len(lines)} lines"
        elif (
            self._is_starting
            and re.match(rb"[^-\d{\[(]", line)
            and (code := self.channel.wait_for_exit(DYING_SECONDS))
        ):  # the line is an error message
            return self._explain_code(code)
        fix = form.fix(line, self._trial.lines)
        return broken.BadLine(f"it answered {quoted(line)}: {reason}", fix)

    def explain(self, failure: ChannelError | LineTooLong) -> Broken:
        """Return the failure of a bot that has sent no line, or has not read one."""
        match failure:
            case LineTooLong():
                seen = f"{failure}; it begins {quoted(failure.start)}"
                return broken.BadLine(seen, self._trial.form.line)
            case InputFull():
                seen = "it does not read its input"
                return broken.Hung(seen, broken.read_lines(self._trial.lines))
            case DeadlinePassed():
                return self._explain_silence()
            case LimitExceeded(fault=Fault.STDERR_FLOOD):
                return Broken("it floods its standard error", broken.TOO_MUCH)
            case LimitExceeded(fault=fault):
                is_memory = fault is Fault.OUT_OF_MEMORY
                return Broken(str(failure), broken.LESS_MEMORY if is_memory else broken.TOO_MUCH)
        pipe = "input" if isinstance(failure, InputClosed) else "output"
        return self._explain_end(f"it closed its {pipe}")

    @property
    def _deadline(self) -> float:
        return time.monotonic() + self._trial.patience

    def _lines_of_object(self, line: bytes) -> list[bytes]:
        """Return the lines of a JSON object that begins with ``line``, or no lines if none does."""
        lines, until = [line], time.monotonic() + DYING_SECONDS
        with suppress(ChannelError, ProtocolError):
            while (text := b"".join(lines)).count(b"{") > text.count(b"}"):
                lines.append(self.channel.receive(until))
        with suppress(ProtocolError):
            json_object(b"\n".join(lines))
            return lines
        return []

    def _explain_silence(self) -> Broken:
        """Return the failure of a bot that wrote no whole line in time.

        There are three possible causes: the bot wrote a line without a line ending, its line is in
        a buffer, or it wrote nothing. To find out which, this closes the bot's input, because many
        programs write what is in their buffers when they end.
        """
        waited = f"within {self._trial.patience:.1f} s, start-up included"
        if part := self.channel.pending_output():
            seen = f"{quoted(part)} has no end of line {waited}"
            return broken.Unflushed(seen, "end each answer with \\n")
        before = len(self.heard)
        self.process.close_input()
        self.listen(FLUSHING_SECONDS)
        late = self.heard[before:].strip()
        if any(self._is_answer(line) for line in late.splitlines()):
            seen = f"it answered {quoted(late)} only after its input ended; in a game it stays open"
            return broken.Unflushed(seen, broken.flush(self._trial.lines))
        return self._explain_missing_line(waited)

    def _is_answer(self, line: bytes) -> bool:
        """Return whether a line is meant as an answer: the dialect does not ignore it."""
        try:
            return self._dialect.read_move(line) != Reply()
        except (IllegalMove, ProtocolError):
            return True

    def _explain_missing_line(self, waited: str) -> Broken:
        """Return the failure of a bot that has not written the line that its dialect requires."""
        if self._model is None or self._asked is None:
            seen = f"no answer {waited}{self.last_words()}"
            used_mb = resident_bytes(self.process.find_and_measure(is_waiting=False)[0]) >> 20
            if used_mb >= MUCH_MEMORY_MB:
                return broken.Hung(f"{seen}; it uses {used_mb} MiB of memory", broken.LESS_MEMORY)
            return broken.Hung(seen, self._or_hidden(broken.SLOW, self.channel.stderr_text()))
        wanted, sent = self._model.expected_line(self._asked), self._said.split(b"\n")[-2]
        if not self._model.is_asked:
            fix = f'answer "{sent.split()[0].decode()}" with "{wanted}"'
            return broken.Hung(f'no line "{wanted}" {waited}', fix)
        seen = f'no line such as "{wanted}" {waited}'
        return broken.Hung(seen, self._trial.form.line if self.answered else broken.SLOW)

    def _explain_end(self, otherwise: str) -> Broken:
        """Return the failure of a bot that closed a pipe.

        ``otherwise`` describes the failure if the bot still runs.
        """
        code = self.channel.wait_for_exit(DYING_SECONDS)
        self.channel.read_stderr()  # a deaf driver has not read it
        words = self.last_words()
        if self.has_usage_error(code):
            raise UsageError(f"bot '{self._spec.name}': {self.channel.last_words()}")
        if code is None:
            seen = f"{otherwise} and still runs{words}"
            return broken.Crashed(seen, "keep standard input and output open")
        if code == 0 and self.has_answered:
            seen = f"it answered one line and then ended; the next line got no answer{words}"
            return broken.Left(seen, broken.loop(self._trial.lines))
        return self._explain_code(code)

    def _explain_code(self, code: int) -> Broken:
        """Return the failure of a bot that has ended. Its last output may be an error message."""
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        said = self.answered.decode(errors="replace") if self._is_starting else ""
        text = visible(said, keep="\n") + "\n" + self.channel.stderr_text()
        last = last_words(text)
        words = f"{LAST_WORDS}{last}" if last else ""
        is_memory = self.process.diagnose(code, text) is Fault.OUT_OF_MEMORY
        fix = broken.LESS_MEMORY if is_memory else self._explain_crash(text, last, how)
        return broken.Crashed(f"it {how}{words}", fix)

    def _explain_crash(self, text: str, last: str, how: str) -> str:
        """Return what to do about a bot that ended with this text and these last words."""
        view = self.process.view
        if self._is_starting and (hint := script_hint(self._spec)):
            return hint
        if view and (path := hidden.hidden_path(text, view)):
            fix = hidden.advice(view, hidden.visible_line(path))
            return f"{broken.HIDDEN}{path}: {fix}, or say --no-sandbox if you trust it"
        if view and (line := hidden.refused_line(text, view)):
            return f"{broken.NAMED_HIDDEN}set {line} in the bot's table"
        if not self.has_answered and suggests_dialect(last):
            read = f"{broken.NO_PROMPT}{self._trial.lines.read}"
            return read if self.answered else f"{broken.OTHER_DIALECT}--dialect codingame"
        if "ModuleNotFoundError" in last and agent_files(self._spec.command):
            return broken.OTHER_PYTHON
        fix = f"{broken.CORRECT}{last}" if last else f"{broken.FIND_OUT}{how}"
        return self._or_hidden(fix, text)

    @property
    def _is_starting(self) -> bool:
        """True if the bot has answered no question, also not in earlier runs."""
        return not (self.has_answered or self._trial.answers)

    def _or_hidden(self, fix: str, text: str) -> str:
        """Add to an advice that the sandbox may hide a file, if a bot's text says it lacks one."""
        view = self.process.view
        if not (view and hidden.hint_without_looking(text, view)):
            return fix
        how = hidden.advice(view)
        return f"{fix}{broken.OR_HIDDEN}show it the file that the sandbox hides: {how}"


class RecordingBuffer(LineBuffer):
    """Line buffer that stores the first ``MAX_LINE_BYTES`` bytes in ``recorded``.

    The record also has the blank lines, which ``next_line`` leaves out.
    """

    def __init__(self) -> None:
        super().__init__(MAX_LINE_BYTES)
        self.recorded = bytearray()

    def feed(self, data: bytes) -> None:
        """Take bytes, and record them."""
        self.recorded += data[: max(MAX_LINE_BYTES - len(self.recorded), 0)]
        super().feed(data)
