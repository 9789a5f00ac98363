"""One run of a bot, in which each answer to a question becomes a legal move or a foul.

In: a position and the clocks of both players. Out: the cell that the bot plays with the line that
names it, or a ``Foul`` that says which fault the bot committed. A conversation uses a dialect,
which writes questions and reads answers, and a channel, which sends, waits and receives.

Guarantees:

- An answer is a legal move in the position that was asked about.
- Every failure of a bot raises a ``Foul``. If a closed pipe or a missing line has several possible
  causes, the exit code and the bot's last words decide which fault it is.

``check/driver.py`` derives a conversation from this one that explains failures to the bot's author.
"""

import shlex
from pathlib import Path

from c4_protocol.dialects import referee_end
from c4_protocol.program.errors import IllegalMove, LineTooLong, ProtocolError
from c4_protocol.records.codec import BYTE_ORDER_MARK
from c4_protocol.records.messages import Reply
from c4_protocol.rules.notation import WireMove, cell_of_wire
from c4_protocol.rules.position import Position

from c4_referee.bots.clock import GRACE_MS, PlayerClock
from c4_referee.bots.contain.faults import LAST_WORDS, Fault, Foul
from c4_referee.bots.contain.hidden import hint_without_looking
from c4_referee.bots.contain.last_words import suggests_arguments, suggests_dialect
from c4_referee.bots.contain.process import BotProcess
from c4_referee.bots.languages import SHELL
from c4_referee.bots.own import USAGE_ERROR_CODE
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.channel import (
    Channel,
    ChannelError,
    DeadlinePassed,
    InputClosed,
    LimitExceeded,
)
from c4_referee.system.safe_files import read_start

MAX_FIRST_LINE = 256
"""Number of bytes at the beginning of a script in which its first line is searched."""
MAX_DYING_SECONDS = 1.0
"""Maximum time in seconds to wait for the exit code of a bot that has closed a pipe. A bot that has
not ended by then counts as still running."""


def script_hint(spec: BotSpec) -> str:
    """Return why the first line of the script that a command starts cannot be read, or ""."""
    program, *words = spec.command
    path = words[0] if words and Path(program).name in SHELL.marks else program
    try:
        line = read_start(Path(spec.working_folder or "", path), MAX_FIRST_LINE).partition(b"\n")[0]
    except (OSError, ValueError):
        return ""
    if line.startswith(BYTE_ORDER_MARK + b"#!"):
        return f"{path} begins with a byte order mark before #!: save it as UTF-8 without the mark"
    if line.startswith(b"#!") and line.endswith(b"\r"):
        return f"the first line of {path} ends in CR LF: save the file with line ends LF"
    return ""


class Conversation:
    """Running bot, to which lines are sent until it is stopped.

    ``channel`` is the connection to ``process``. A subclass may raise other exceptions than
    ``Foul``, which ``explain`` and ``explain_line`` return.
    """

    def __init__(self, spec: BotSpec, process: BotProcess, channel: Channel) -> None:
        self.process = process
        self.channel = channel
        self.has_answered = False
        self._spec = spec
        self._dialect = referee_end(spec.dialect)
        self._line: bytes | None = None  # the last one without a move after the question
        self._position = Position()  # that of the last question
        self._allowed_ms = 0.0  # time for the answer
        self._late = Fault.LATE  # fault if it takes longer

    def ask_in_game(
        self, position: Position, clock: PlayerClock, other: PlayerClock, began: float
    ) -> tuple[int, bytes]:
        """Return the cell that the bot plays and its line.

        ``other`` is the clock of the opponent, and ``began`` the time at which the time of the move
        begins. For the first answer, the bot has the start-up time in addition.
        """
        if clock.budget_ms <= 0:
            raise Foul(Fault.CLOCK_USED_UP, "its clock had nothing left")
        if early_output := self.early_output():
            fault = Fault.MORE_LINES if self.has_answered else Fault.UNASKED
            raise Foul(fault, "there was output before the question", early_output)
        self._position, self._line = position, None
        self._late = Fault.LATE if clock.left_ms is None else Fault.CLOCK_USED_UP
        self._allowed_ms = clock.budget_ms + GRACE_MS
        if not self.has_answered:
            self._allowed_ms += clock.control.startup_ms
        question = self._dialect.write_precept(position, clock.question_time, other.question_time)
        deadline = began + self._allowed_ms / 1000
        self.send(question, deadline)
        return self.read_cell(position, deadline)

    def early_output(self) -> bytes:
        """Return what the bot has written before it was asked, unless its dialect permits it."""
        early_output = self.channel.pending_output()
        return b"" if not early_output or self._dialect.may_say(early_output) else early_output

    def send(self, words: bytes, deadline: float) -> None:
        """Send bytes to the bot."""
        try:
            self.channel.send(words, deadline)
        except ChannelError as error:
            raise self.explain(error) from None

    def read_cell(self, position: Position, deadline: float) -> tuple[int, bytes]:
        """Return the cell that the bot plays, and the line that names it."""
        move, line = self.next_move(deadline)
        try:
            return cell_of_wire(position, move), line
        except IllegalMove as error:
            raise self.explain_line(line, error) from None

    def next_move(self, deadline: float) -> tuple[WireMove, bytes]:
        """Return the move that the bot names, legal or not, and the line that names it.

        Lines that the dialect has before a move get their replies.
        """
        line = b""
        try:
            while isinstance(move := self.read_move(line := self.channel.receive(deadline)), Reply):
                self._line = line
                if move.text:
                    self.send(move.text, deadline)
                self.channel.check_if_due()
        except (ChannelError, LineTooLong) as failure:
            raise self.explain(failure) from None
        except (IllegalMove, ProtocolError) as error:
            raise self.explain_line(line, error) from None
        return move, line

    def read_move(self, line: bytes) -> WireMove | Reply:
        """Return the move of a line, or the dialect's reply to a line without a move."""
        return self._dialect.read_move(line)

    def close_input(self) -> None:
        """Close the bot's input, so that the bot knows that no more questions follow."""
        self.process.resume()
        self.process.close_input(self._dialect.farewell)

    def explain(self, failure: ChannelError | LineTooLong) -> Exception:
        """Return the foul of a bot that has sent no line, or has not read one."""
        match failure:
            case LineTooLong():
                return Foul(Fault.LINE_TOO_LONG, str(failure), failure.start)
            case DeadlinePassed():
                return self._explain_lateness()
            case LimitExceeded():
                return Foul(failure.fault, str(failure))
        is_input = isinstance(failure, InputClosed)
        return self._explain_closed_pipe(Fault.CLOSED_INPUT if is_input else Fault.CLOSED_OUTPUT)

    def explain_line(self, line: bytes, error: IllegalMove | ProtocolError) -> Exception:
        """Return the foul of a bot whose line names no legal move."""
        is_illegal = isinstance(error, IllegalMove)
        return Foul(Fault.ILLEGAL_MOVE if is_illegal else Fault.BAD_LINE, str(error), line)

    def last_words(self) -> str:
        """Return what the bot wrote last on standard error, for the end of a sentence, or ""."""
        last = self.channel.last_words()
        return f"{LAST_WORDS}{last}" if last else ""

    def has_usage_error(self, code: int | None) -> bool:
        """Return whether the bot is our own command and has refused its command line."""
        return code == USAGE_ERROR_CODE and not self.has_answered and self._spec.is_own_command

    def _explain_lateness(self) -> Foul:
        """Return the foul of a bot that wrote no move in time, because it has ended or is late."""
        if self.channel.wait_for_exit(0) is not None:
            return self._explain_closed_pipe(Fault.CLOSED_OUTPUT)
        so_far = self.channel.pending_output() or self._line
        missing = "whole line" if self._line is None else "move"
        detail = f"no {missing} within {self._allowed_ms:.0f} ms"
        refused = f"; it had to answer again: {error}" if (error := self._dialect.refused) else ""
        if self.has_answered:
            return Foul(self._late, f"{detail}, grace included{refused}", so_far)
        silent = "; nothing came at all: does it flush its output, and speak "
        hint = "" if so_far else f"{silent}{self._spec.dialect}?"
        detail = f"{detail}, start-up and grace included{refused}{hint}{self.last_words()}"
        return Foul(Fault.LATE_FIRST, detail, so_far)

    def _explain_closed_pipe(self, otherwise: Fault) -> Foul:
        """Return the foul of a bot that closed a pipe, usually because it ended or was killed.

        If the bot still runs, its fault is ``otherwise``.
        """
        code = self.channel.wait_for_exit(MAX_DYING_SECONDS)
        text, view = self.channel.stderr_text(), self.process.view
        hint = "" if self.has_answered else script_hint(self._spec)
        if view and not hint and not self._spec.python:  # no student has heard of a sandbox
            hint = hint_without_looking(text, view)
        words = self.last_words() + (f"; {hint}" if hint else "")
        if fault := self.process.diagnose(code, text):
            return Foul(fault, f"exit code {code}{words}")
        if code is None:
            return Foul(otherwise, f"while still running{words}")
        if self.has_usage_error(code):
            return Foul(Fault.MISUSED, self.channel.last_words() or f"exit code {code}")
        if code < 0:
            return Foul(Fault.KILLED, f"signal {-code}{words}")
        return Foul(Fault.EXITED, f"with code {code}{words}{self._hint_about_start(text)}")

    def _hint_about_start(self, text: str) -> str:
        """Return a hint if the bot may have lacked arguments, or read JSON in vain, or ""."""
        if self.has_answered:
            return ""
        if suggests_dialect(self.channel.last_words()):
            advice = "name another with --dialect, or with dialect in its table"
            return f"; it does not seem to speak {self._spec.dialect}: {advice}"
        at_start = self._position.ply < 2  # later, an index error has other causes, too
        if not suggests_arguments(text, at_start=at_start):
            return ""
        command = shlex.quote(shlex.join(self._spec.command))
        return f"; does it need arguments? c4-referee check {command} finds out"
