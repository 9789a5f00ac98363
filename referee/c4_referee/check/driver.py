"""Talks to a bot as drivers do, and says what it saw when the bot did not play along."""

import fcntl
import os
import sys
import termios
import time
from contextlib import suppress
from dataclasses import dataclass

from c4_protocol.codec import BYTE_ORDER_MARK, LineBuffer
from c4_protocol.dialects.jsonl import RefereeEnd
from c4_protocol.errors import IllegalMove, LineTooLong, ProtocolError
from c4_protocol.notation import cell_of_wire
from c4_protocol.position import Position
from c4_protocol.variant import Variant

from c4_referee.bots import BotSpec
from c4_referee.channel import (
    LINE_LIMIT,
    Channel,
    DeadlinePassed,
    InputClosed,
    OutputEnded,
    Overstepped,
    StderrFlood,
)
from c4_referee.clock import GRACE_MS, TimeControl
from c4_referee.process import BotProcess

QUICK_MS = 50.0
"""What most questions tell the bot it has: they are about its manners, not about its play."""
DYING_SECONDS = 0.5
"""How long to wait for what a bot says or how it ends after it has done something wrong."""
SHOWN = 100
"""Bytes of a bot's output that are shown."""

FORMAT = 'print one line like {"move":3} for each line you read, and all else to standard error'
FLUSH = (
    "flush after every answer (Python: print(..., flush=True); C++: std::endl; "
    "Java: System.out.flush()), and read line by line, not to the end of the input"
)
LEGAL = 'look at "grid": columns count from 0, and one is full when its first cell is not 0'
LOOP = "answer in a loop until the input ends, a line for a line; no answer ends the bot"
TOO_MUCH = "write little on standard error, and start few processes"
CRASH = "a driver has nobody to talk to then; the last words on standard error tell what happened"

FLOOD = "it floods its standard error"


class Broken(Exception):
    """A rule is broken: what was ``seen``, and in general words what its author can do."""

    def __init__(self, seen: str, fix: str) -> None:
        super().__init__(seen)
        self.seen = seen
        self.fix = fix


class Hung(Broken):
    """A rule is broken, and it took all the time that there was to find out."""


class Left(Broken):
    """A rule is broken, as the bot thought that one answer was all: whatever the rule is about."""


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

    def start(self, *arguments: str, deaf: bool = False) -> "Driver":
        """Starts the bot anew, with arguments behind its own; raises ``Broken``."""
        return Driver(self, arguments, deaf=deaf)


class Driver:
    """One run of a bot; a context manager that leaves no process behind.

    A ``deaf`` driver never reads the bot's standard error. All methods raise ``Broken``.
    """

    def __init__(self, trial: Trial, arguments: tuple[str, ...], *, deaf: bool) -> None:
        spec = trial.spec
        command = (*spec.command, *arguments)
        try:
            self._process = BotProcess(
                command,
                cwd=spec.place,
                env=spec.environment(),
                limits=spec.limits,
                sandbox=spec.sandbox,
            )
        except OSError as error:
            raise Broken(f"it cannot be started: {error}", "start it by hand first") from None
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

    def __exit__(self, *_: object) -> None:
        try:
            self._process.stop()
        finally:
            os.close(self._deafener)

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
        self.say(line)
        return self.hear(position)

    def say(self, data: bytes) -> None:
        """Writes to the bot."""
        try:
            self._channel.send(data, time.monotonic() + self._patience)
        except DeadlinePassed:
            raise Hung("it does not read its input", FLUSH) from None
        except InputClosed:
            raise self._departure("it closed its input") from None
        except StderrFlood:
            raise Broken(FLOOD, TOO_MUCH) from None

    def hear(self, position: Position) -> int:
        """The cell that the next line names."""
        line = self._line()
        try:
            cell = cell_of_wire(position, self._dialect.read_move(line))
        except IllegalMove as error:
            raise Broken(f"it answered {quoted(line)}: {error}", LEGAL) from None
        except ProtocolError as error:
            raise Broken(f"it answered {quoted(line)}: {error}", FORMAT) from None
        self._has_answered = True
        return cell

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
            raise Broken(f"{error}; it begins {quoted(error.start)}", FORMAT) from None
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
            return Hung(f"{quoted(part)} has no end of line {waited}", "end each answer with \\n")
        self._channel.raw.heard.clear()  # what came before is not late
        self.close_input()
        self.listen(DYING_SECONDS)
        if late := self.heard.strip():
            return Hung(f"{quoted(late)} came only when its input was closed", FLUSH)
        return Hung(
            f"no answer {waited}", "think less, and mind loops that never end; or: " + FLUSH
        )

    def _departure(self, otherwise: str) -> Broken:
        """Why a pipe closed: the bot ended, was killed, or closed it while living on."""
        code = self.wait_for_exit(DYING_SECONDS)
        words = self._channel.last_words()
        words = f"; its last words: {words[:SHOWN]}" if words else ""
        if code is None:
            return Broken(f"{otherwise}, and runs on{words}", CRASH)
        if code == 0 and self._has_answered:
            return Left(f"it ended with exit code 0 after an answer{words}", LOOP)
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return Broken(f"it {how}{words}", CRASH)


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


def quoted(data: bytes) -> str:
    """Bytes as a text that shows everything and does nothing to a terminal."""
    more = "..." if len(data) > SHOWN else ""
    text = data[:SHOWN].replace(BYTE_ORDER_MARK, b"\\ufeff").decode(errors="backslashreplace")
    signs = (sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    return f"'{''.join(signs)}'{more}"
