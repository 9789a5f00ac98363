"""Talks to a bot as drivers do, and says what it saw when the bot did not play along."""

import fcntl
import os
import sys
import termios
import time
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType

from c4_protocol.codec import LineBuffer
from c4_protocol.dialects.jsonl import RefereeEnd
from c4_protocol.errors import IllegalMove, LineTooLong, ProtocolError
from c4_protocol.notation import WireMove, cell_of_wire
from c4_protocol.position import Position
from c4_protocol.variant import Variant

from c4_referee.bots.channel import (
    CHUNK,
    LINE_LIMIT,
    Channel,
    DeadlinePassed,
    Excerpt,
    InputClosed,
    OutputEnded,
    Overstepped,
    StderrFlood,
)
from c4_referee.bots.clock import GRACE_MS, TimeControl
from c4_referee.bots.command_line import Seat
from c4_referee.bots.last_words import last_words
from c4_referee.bots.process import BotProcess
from c4_referee.bots.spec import BotSpec
from c4_referee.check import boards
from c4_referee.check.broken import (
    FORMAT,
    LEGAL,
    SLOW,
    TOO_MUCH,
    WHOLE,
    BadLine,
    Broken,
    Crashed,
    Hung,
    Illegal,
    Left,
    Unflushed,
    flush,
    format_fix,
    loop,
    read_lines,
)
from c4_referee.check.evidence import Evidence, quoted, shell_line
from c4_referee.check.languages import language_of

QUICK_MS = 50.0
"""Time for a move in milliseconds that most questions name: they are about manners, not play."""
DYING_SECONDS = 0.5
"""How long to wait for what a bot says or how it ends after it has done something wrong."""
CORRECT = "correct this error: {}"
FLOOD = "it floods its standard error"
UNREAD = "it does not read its input"


@dataclass(frozen=True)
class Trial:
    """What a rule is given: a bot to start, the game it is to play, and its time in milliseconds.

    ``startup_ms`` is added to every wait but those that measure.
    """

    spec: BotSpec
    variant: Variant
    time_ms: float = 1000.0
    startup_ms: float = TimeControl.startup_ms

    @property
    def patience(self) -> float:
        """Seconds to wait for an answer that is not timed."""
        return (self.time_ms + GRACE_MS + self.startup_ms) / 1000

    def start(
        self,
        *arguments: str,
        player: int = 1,
        variant: Variant | None = None,
        deaf: bool = False,
    ) -> "Driver":
        """Start the bot anew, with arguments behind its own; raise ``Broken`` if it cannot start.

        Placeholders in its command are filled in for the ``player`` that it is to be, and for the
        board of the ``variant``, if that is not the trial's.
        """
        seat = Seat(player, variant or self.variant, self.time_ms)
        return Driver(self, (*self.spec.command_for(seat), *arguments), deaf=deaf)


class Driver:
    """One run of a bot; a context manager that leaves no process behind.

    A ``deaf`` driver never reads the bot's standard error. All methods raise ``Broken``.
    """

    def __init__(self, trial: Trial, command: tuple[str, ...], *, deaf: bool) -> None:
        self._spec = spec = trial.spec
        self._command = command
        self._language = language_of(spec.command)
        self._said = bytearray()
        self._asked: Position | None = None
        self._heard_before = 0
        try:
            self._process = BotProcess(
                command,
                cwd=spec.place,
                env=spec.environment(),
                limits=spec.limits,
                sandbox=spec.sandbox,
            )
        except OSError as error:
            raise Crashed(f"it cannot be started: {error}", "start it by hand first") from None
        self._patience = trial.patience
        self._has_answered = False
        self._dialect = RefereeEnd()
        self._stderr = self._process.stderr
        self._deafener = os.open(os.devnull, os.O_RDONLY)
        if deaf:  # the channel finds an end of file there, and the pipe fills
            self._process.stderr = self._deafener
        self._channel = _Ear(self._process)

    def __enter__(self) -> "Driver":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if isinstance(error, Broken) and error.evidence is None:
            error.evidence = self.evidence(error)
        try:
            self._process.stop()
        finally:
            os.close(self._deafener)

    def evidence(self, error: Broken | None = None) -> Evidence:
        """Return the end of the conversation so far, and the fault that ended it, if one did."""
        lines = bytes(self._said).splitlines() or [b""]
        answered = self.heard[self._heard_before :].strip()
        nothing = f"nothing: {error.seen}" if error else "nothing"
        return Evidence(
            sent=lines[-1].decode(errors="backslashreplace"),
            answered=quoted(answered) if answered else nothing,
            shell=shell_line(
                self._command,
                bytes(self._said),
                place=self._spec.place,
                env=self._spec.env,
                stays_open=isinstance(error, Hung),
            ),
            board=boards.drawn(self._asked) if self._asked else "",
        )

    @property
    def heard(self) -> bytes:
        """All that the bot has written so far, up to a limit."""
        return bytes(self._channel.raw.heard)

    @property
    def unread(self) -> int:
        """Bytes that wait in the pipe of standard error."""
        count = bytearray(4)
        fcntl.ioctl(self._stderr, termios.FIONREAD, count)
        return int.from_bytes(count, sys.byteorder)

    def ask(self, position: Position, told_ms: float | None = QUICK_MS) -> int:
        """The cell that the bot plays in a position; it is told how many milliseconds it has."""
        return self.ask_line(position, self._dialect.write_precept(position, told_ms))

    def ask_line(self, position: Position, line: bytes) -> int:
        """The same with a question of the caller's own wording."""
        self._asked = position
        self.say(line)
        return self.hear(position)

    def column(self, position: Position) -> int | None:
        """Ask about a position; return the column answered, legal or not, or ``None``."""
        self._asked = position
        self.say(self._dialect.write_precept(position, QUICK_MS))
        with suppress(IllegalMove, ProtocolError):
            move = self._dialect.read_move(self._line())
            return move if isinstance(move, int) else None
        return None

    def say(self, data: bytes) -> None:
        """Writes to the bot."""
        self._said += data
        self._heard_before = len(self._channel.raw.heard)
        try:
            self._channel.send(data, time.monotonic() + self._patience)
        except DeadlinePassed:
            raise Hung(UNREAD, read_lines(self._language)) from None
        except InputClosed:
            raise self._departure("it closed its input") from None
        except StderrFlood:
            raise Broken(FLOOD, TOO_MUCH) from None

    def hear(self, position: Position) -> int:
        """The cell that the next line names."""
        line = self._line()
        try:
            cell = cell_of_wire(position, self._move(line))
        except IllegalMove as error:
            raise Illegal(f"it answered {quoted(line)}: {error}", LEGAL) from None
        except ProtocolError as error:
            reason = str(error).split(":")[0]  # the parser's own words say little to its author
            raise BadLine(f"it answered {quoted(line)}: {reason}", self._format_fix(line)) from None
        self._has_answered = True
        return cell

    def _move(self, line: bytes) -> WireMove:
        """Return the move that a line holds, on the board or not; raise ``BadLine`` for no move."""
        try:
            return self._dialect.read_move(line)
        except IllegalMove as error:  # a text, a fraction, a list: no choice of a column is wrong
            raise BadLine(f"it answered {quoted(line)}: {error}", WHOLE) from None

    def listen(self, seconds: float) -> None:
        """Takes what comes within that time into ``heard``."""
        with suppress(DeadlinePassed, OutputEnded, LineTooLong, StderrFlood, Overstepped):
            self._channel.receive(time.monotonic() + seconds)

    def close_input(self) -> None:
        """Says that no more lines will come."""
        self._process.close_input()

    def wait_for_exit(self, seconds: float) -> int | None:
        """The exit code, ``None`` if the bot still runs after that time."""
        return self._channel.wait_for_exit(seconds)

    def _line(self) -> bytes:
        try:
            return self._channel.receive(time.monotonic() + self._patience)
        except DeadlinePassed:
            raise self._silence() from None
        except LineTooLong as error:
            raise BadLine(f"{error}; it begins {quoted(error.start)}", FORMAT) from None
        except OutputEnded:
            raise self._departure("it closed its output") from None
        except StderrFlood:
            raise Broken(FLOOD, TOO_MUCH) from None
        except Overstepped as error:
            raise Broken(str(error), TOO_MUCH) from None

    def _silence(self) -> Broken:
        """Why there was no line: it lacks its end, waits in a buffer, or was never written."""
        waited = f"within {self._patience:.1f} s, start-up included"
        if part := self._channel.unasked():
            return Unflushed(
                f"{quoted(part)} has no end of line {waited}", "end each answer with \\n"
            )
        before = len(self.heard)
        self.close_input()
        self.listen(DYING_SECONDS)
        if late := self.heard[before:].strip():
            seen = f"it answered {quoted(late)} only after its input ended; in a game it stays open"
            return Unflushed(seen, flush(self._language))
        return Hung(f"no answer {waited}", SLOW)

    def _format_fix(self, line: bytes) -> str:
        return format_fix(line, self._language)

    def _departure(self, otherwise: str) -> Broken:
        """Return why a pipe closed: the bot ended, was killed, or closed it and runs on."""
        code = self.wait_for_exit(DYING_SECONDS)
        last = self._last_words()
        words = f"; its last words: {last}" if last else ""
        if code is None:
            return Crashed(
                f"{otherwise}, and runs on{words}", "keep standard input and output open"
            )
        if code == 0 and self._has_answered:
            seen = f"it answered one line and then ended; the next line got no answer{words}"
            return Left(seen, loop(self._language))
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return Crashed(
            f"it {how}{words}", CORRECT.format(last) if last else f"find out why it {how}"
        )

    def _last_words(self) -> str:
        """Return why the bot ended, also if nobody has read its standard error."""
        if self._process.stderr == self._stderr or not self.unread:
            return self._channel.last_words()
        said = Excerpt()
        said.add(os.read(self._stderr, CHUNK))
        return last_words(said.text())


class _Raw(LineBuffer):
    """Lines, and beside them the bytes as they came: a channel passes over blank lines."""

    def __init__(self) -> None:
        super().__init__(LINE_LIMIT)
        self.heard = bytearray()

    def feed(self, data: bytes) -> None:
        self.heard += data[: max(LINE_LIMIT - len(self.heard), 0)]
        super().feed(data)


class _Ear(Channel):
    """A channel that keeps what it heard."""

    def __init__(self, process: BotProcess) -> None:
        super().__init__(process)
        self._buffer = self.raw = _Raw()
