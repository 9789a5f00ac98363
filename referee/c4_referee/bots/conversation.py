"""One run of a bot, in which each answer to a question becomes a legal move or a foul.

In: a position and the clocks of both players. Out: a ``BotAnswer``, or a ``Foul`` that says which
fault the bot committed. A conversation uses a dialect, which writes questions and reads answers,
and a channel, which sends, waits and receives.

Guarantees:

- An answer is a legal move in the position that was asked about.
- Every failure of a bot raises a ``Foul``. If a closed pipe or a missing line has several possible
  causes, the exit code and the bot's last words decide which fault it is.
- The time that the bot used for an answer is subtracted from its clock, except for its first
  answer.
"""

import shlex
import time
from typing import NamedTuple

from c4_protocol.dialects import referee_end
from c4_protocol.errors import IllegalMove, LineTooLong, ProtocolError
from c4_protocol.messages import Reply
from c4_protocol.notation import cell_of_wire
from c4_protocol.position import Position

from c4_referee.bots.channel import (
    Channel,
    DeadlinePassed,
    InputClosed,
    LimitExceeded,
    OutputEnded,
    StderrFlood,
)
from c4_referee.bots.clock import GRACE_MS, PlayerClock
from c4_referee.bots.faults import Fault, Foul
from c4_referee.bots.halting import Halting
from c4_referee.bots.hidden import hint_without_looking
from c4_referee.bots.last_words import suggests_arguments, suggests_dialect
from c4_referee.bots.own import MISTAKE_CODE
from c4_referee.bots.process import CLOSING_SECONDS, BotProcess
from c4_referee.bots.spec import BotSpec

DYING_SECONDS = 0.2
"""Maximum time in seconds to wait for the exit code of a bot that has closed a pipe. A bot that has
not ended by then counts as still running."""


class BotAnswer(NamedTuple):
    """Legal move, with its cell, the time that it took, and the line that the bot wrote.

    ``ms`` is the time from question to answer. ``cpu_ms`` is the processor time that the bot used
    in this time, with the processes that it has started. ``absent_ms`` is the time in which this
    process did not run; ``ms`` does not include it, up to ``PATIENCE_MS`` in a game. All are in
    milliseconds. ``line`` may hold more than the move.
    """

    cell: int
    ms: float
    cpu_ms: float
    line: bytes
    absent_ms: float = 0.0


class Conversation:
    """Running bot, which is asked for moves until it is stopped.

    ``channel`` is the connection to ``process``. ``halting`` says whether the bot is halted outside
    of its turns.
    """

    def __init__(
        self, spec: BotSpec, process: BotProcess, channel: Channel, halting: Halting
    ) -> None:
        self._spec = spec
        self._process = process
        self._channel = channel
        self._halting = halting
        self._is_asked = False
        self._seconds = 0.0  # processor time of the bot at its last answer
        self._dialect = referee_end(spec.dialect)
        self._has_answered = False
        self._last_line: bytes | None = None  # the last one without a move after the question
        self._position = Position()  # that of the last question

    def ask(self, position: Position, clock: PlayerClock, other: PlayerClock) -> BotAnswer:
        """Return the bot's move, and subtract its time from ``clock``.

        ``other`` is the clock of the opponent. For the first answer, the bot has the start-up time
        in addition. The time of the first answer is not subtracted from a game clock, because
        start-up and thinking cannot be separated. Raises ``Foul`` if the bot commits a fault.
        """
        began, seconds = time.monotonic(), self._process.cpu_seconds()
        if self._has_answered:
            self._halting.note(seconds - self._seconds)
        self._is_asked, self._channel.patience = True, clock.patience_ms / 1000
        try:
            cell, line = self._ask(position, clock, other, began)
        except Foul as foul:
            ms, foul.absent_ms = self._spend(began, clock)
            if not foul.by_opponent:
                foul.ms, foul.cpu_ms = ms, (self._process.cpu_seconds() - seconds) * 1000
            raise
        ms, absent_ms = self._spend(began, clock)
        self._is_asked, self._seconds = False, self._process.cpu_seconds()
        if self._halting.is_on:
            self._process.pause()
        clock.spend(ms if self._has_answered else 0)
        self._has_answered = True
        return BotAnswer(cell, ms, (self._seconds - seconds) * 1000, line, absent_ms)

    def _spend(self, began: float, clock: PlayerClock) -> tuple[float, float]:
        """Return the bot's time since ``began``, and the time in which this process did not run.

        Both are in milliseconds. Of the second time, the clock's patience is not charged.
        """
        ms = (time.monotonic() - began) * 1000
        absent, lent = self._channel.take_absence()
        forgiven = min(absent * 1000, clock.patience_ms) if absent else 0.0
        clock.patience_ms -= forgiven
        return max(0.0, ms - forgiven - lent * 1000), absent * 1000

    def check_waiting(self) -> None:
        """Check the limits of a bot that is not asked now, and halt it if it uses a processor.

        Raises ``Foul`` if the bot exceeds a limit.
        """
        if self._is_asked:
            return
        if excess := self._process.excess(is_waiting=True):
            raise Foul(*excess)
        if self._has_answered:
            self._halting.note(self._process.seconds_at_check - self._seconds)
            if self._halting.is_on:
                self._process.pause()

    def idle_ms(self) -> float:
        """Return the processor time that the bot has used since its last answer, in milliseconds.

        Before the first answer, this is the time since its start.
        """
        return (self._process.cpu_seconds() - self._seconds) * 1000

    def close_input(self) -> None:
        """Close the bot's input, so that the bot knows that no more questions follow."""
        self._process.resume()
        self._process.close_input(self._dialect.farewell)

    def take_stderr(self) -> str:
        """Return the text of standard error since the last call. A long text lacks its middle."""
        return self._channel.take_stderr()

    def stop(self) -> tuple[bool, str]:
        """Stop the bot.

        Return whether the bot ended after its input was closed, and the text of standard error
        since the last ``take_stderr``.
        """
        try:
            self.close_input()
            ended = self._channel.wait_for_exit(CLOSING_SECONDS) is not None
            return ended, self._channel.take_stderr()
        finally:
            self._process.stop()

    def _ask(
        self, position: Position, clock: PlayerClock, other: PlayerClock, began: float
    ) -> tuple[int, bytes]:
        """Return the cell that the bot plays and its line, or raise ``Foul``."""
        if clock.budget_ms <= 0:
            raise Foul(Fault.CLOCK_USED_UP, "its clock had nothing left")
        if self._halting.is_on:
            self._process.resume()
        if (noise := self._channel.pending_output()) and not self._dialect.may_say(noise):
            fault = Fault.MORE_LINES if self._has_answered else Fault.UNASKED
            raise Foul(fault, "there was output before the question", noise)
        return self._exchange(position, clock, other, began)

    def _exchange(
        self, position: Position, clock: PlayerClock, other: PlayerClock, began: float
    ) -> tuple[int, bytes]:
        """Ask one question. Return the cell and the line of the answer, or raise ``Foul``."""
        self._position = position
        allowed_ms = clock.budget_ms + GRACE_MS
        if not self._has_answered:
            allowed_ms += clock.control.startup_ms
        question = self._dialect.write_precept(position, clock.question_time, other.question_time)
        try:
            return self._converse(position, question, began + allowed_ms / 1000)
        except DeadlinePassed:
            raise self._explain_lateness(clock, allowed_ms) from None
        except LineTooLong as error:
            raise Foul(Fault.LINE_TOO_LONG, str(error), error.start) from None
        except StderrFlood:
            raise Foul(Fault.STDERR_FLOOD, "it wrote more than 16 MiB there") from None
        except LimitExceeded as error:
            raise Foul(error.fault, str(error)) from None
        except OutputEnded:
            raise self._explain_closed_pipe(Fault.CLOSED_OUTPUT) from None
        except InputClosed:
            raise self._explain_closed_pipe(Fault.CLOSED_INPUT) from None

    def _converse(self, position: Position, words: bytes, deadline: float) -> tuple[int, bytes]:
        """Send ``words`` and further lines of the dialect until the bot names a cell.

        Return the cell and the bot's line that names it.
        """
        self._last_line = None
        while True:
            self._channel.send(words, deadline)
            line = self._channel.receive(deadline)
            found = self._read_line(position, line)
            if isinstance(found, int):
                return found, line
            self._last_line = line
            words = found.text
            self._channel.check_if_due()

    def _read_line(self, position: Position, line: bytes) -> int | Reply:
        """Return the cell that a line names, or the dialect's reply to a line without a move."""
        try:
            move = self._dialect.read_move(line)
            return move if isinstance(move, Reply) else cell_of_wire(position, move)
        except IllegalMove as error:
            raise Foul(Fault.ILLEGAL_MOVE, str(error), line) from None
        except ProtocolError as error:
            raise Foul(Fault.BAD_LINE, str(error), line) from None

    def _explain_lateness(self, clock: PlayerClock, allowed_ms: float) -> Foul:
        """Return the foul of a bot that wrote no move in time, because it has ended or is late."""
        if self._channel.wait_for_exit(0) is not None:
            return self._explain_closed_pipe(Fault.CLOSED_OUTPUT)
        so_far = self._channel.pending_output() or self._last_line
        missing = "whole line" if self._last_line is None else "move"
        detail = f"no {missing} within {allowed_ms:.0f} ms"
        refused = f"; it had to answer again: {error}" if (error := self._dialect.refused) else ""
        if not self._has_answered:
            silent = "" if so_far else self._explain_silence()
            detail = f"{detail}, start-up and grace included{refused}{silent}{self._last_words()}"
            return Foul(Fault.LATE_FIRST, detail, so_far)
        late = Fault.LATE if clock.left_ms is None else Fault.CLOCK_USED_UP
        return Foul(late, f"{detail}, grace included{refused}", so_far)

    def _explain_silence(self) -> str:
        """Return what a bot may do wrong that has written nothing."""
        dialect = self._spec.dialect
        return f"; nothing came at all: does it flush its output, and speak {dialect}?"

    def _explain_closed_pipe(self, otherwise: Fault) -> Foul:
        """Return the foul of a bot that closed a pipe, usually because it ended or was killed.

        If the bot still runs, its fault is ``otherwise``.
        """
        code = self._channel.wait_for_exit(DYING_SECONDS)
        text = self._channel.stderr_text()
        words = self._last_words() + self._suggest_visible(text)
        if fault := self._process.diagnose(code, text):
            return Foul(fault, f"exit code {code}{words}")
        if code is None:
            return Foul(otherwise, f"while still running{words}")
        if self._is_misused(code):
            return Foul(Fault.MISUSED, self._channel.last_words() or f"exit code {code}")
        if code < 0:
            return Foul(Fault.KILLED, f"signal {-code}{words}")
        return Foul(Fault.EXITED, f"with code {code}{words}{self._suggest_start()}")

    def _last_words(self) -> str:
        """Return what the bot wrote last on standard error, for the end of a detail, or ""."""
        last = self._channel.last_words()
        return f"; its last words: {last}" if last else ""

    def _is_misused(self, code: int) -> bool:
        """Return whether the bot is our own command and has refused its command line."""
        return code == MISTAKE_CODE and not self._has_answered and self._spec.is_own_command

    def _suggest_visible(self, text: str) -> str:
        """Return a hint if the bot may need a file that the sandbox hides, otherwise ""."""
        view = self._process.view
        hint = hint_without_looking(text, view) if view else ""
        return f"; {hint}" if hint else ""

    def _suggest_start(self) -> str:
        """Return a hint if the bot may have lacked arguments, or read JSON in vain, or ""."""
        text = self._channel.stderr_text()
        at_start = self._position.ply < 2  # later, an index error has other causes, too
        if self._has_answered:
            return ""
        if suggests_dialect(self._channel.last_words()):
            advice = "name another with --dialect, or with dialect in its table"
            return f"; it does not seem to speak {self._spec.dialect}: {advice}"
        if not suggests_arguments(text, at_start=at_start):
            return ""
        command = shlex.quote(shlex.join(self._spec.command))
        return f"; does it need arguments? c4-referee check {command} finds out"
