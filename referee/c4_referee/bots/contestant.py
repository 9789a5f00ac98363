"""A bot in a game: a process and a channel that speak a dialect."""

import errno
import shlex
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from c4_protocol.dialects import RefereeEnd, referee_end
from c4_protocol.errors import IllegalMove, LineTooLong, ProtocolError
from c4_protocol.messages import Reply
from c4_protocol.notation import cell_of_wire
from c4_protocol.position import Position

from c4_referee.bots.channel import (
    CHUNK,
    WATCH_SECONDS,
    Channel,
    DeadlinePassed,
    InputClosed,
    OutputEnded,
    Overstepped,
    StderrFlood,
)
from c4_referee.bots.clock import GRACE_MS, PlayerClock
from c4_referee.bots.command_line import Seat
from c4_referee.bots.faults import Fault, Foul
from c4_referee.bots.last_words import suggests_arguments
from c4_referee.bots.process import CLOSING_SECONDS, BotProcess
from c4_referee.bots.spec import BotSpec

DYING_SECONDS = 0.2
"""How long to wait for the exit code of a bot that has closed a pipe."""
NO_ROOM = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}
"""Errors of a start that are the machine's and not the bot's."""
NO_INTERPRETER = ": it needs a first line such as #!/usr/bin/env python3, or python3 before it"
"""Added to what is wrong with a file that the system cannot start."""


class Answer(NamedTuple):
    """A legal move: its cell, the milliseconds it took, and the bot's processor time in them."""

    cell: int
    ms: float
    cpu_ms: float


class Contestant:
    """Asks a bot for moves; a context manager that leaves no process behind.

    ``listener`` and ``on_idle`` are handed to the channel: see there.
    """

    def __init__(
        self,
        spec: BotSpec,
        listener: int | None = None,
        on_idle: Callable[[], None] | None = None,
    ) -> None:
        self.spec = spec
        self.line = b""
        """The line of its last answer, which may tell more than the move."""
        self._listener = listener
        self._on_idle = on_idle
        self._process: BotProcess | None = None
        self._spare: BotProcess | None = None
        self._channel: Channel
        self._dialect: RefereeEnd
        self._has_answered = False
        self._watched = 0.0
        self._said = ""
        self._seat: Seat | None = None
        self._ply = 0

    def __enter__(self) -> "Contestant":
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.stop()
        finally:
            if self._spare is not None:
                self._spare.stop()

    def start(self, seat: Seat) -> None:
        """Start the bot in a seat if it does not run; raise ``Foul`` if it cannot be started."""
        self._seat = seat
        if self._process is not None:
            return
        self._process, self._spare = self._spare or self._launch(), None
        self._channel = Channel(self._process, self._listener, self._on_idle)
        self._dialect = referee_end(self.spec.dialect)
        self._has_answered = False

    def start_ahead(self) -> None:
        """Start the process for the next game, once that of the last one has ended.

        Not before: a bot may hold a lock or a port until it ends. And not a bot whose command names
        its player, because the next game may have it in the other seat.
        """
        if self.spec.restart == "never" or "player" in self.spec.placeholders:
            return
        if self._process is self._spare is None:
            with suppress(Foul):  # if it cannot start, the next game will find out
                self._spare = self._launch()

    def _launch(self) -> BotProcess:
        assert self._seat is not None
        spec, command = self.spec, self.spec.command_for(self._seat)
        try:
            return BotProcess(command, spec.place, spec.environment(), spec.limits, spec.sandbox)
        except OSError as error:
            fault = Fault.NO_ROOM if error.errno in NO_ROOM else Fault.FAILED_TO_START
            hint = NO_INTERPRETER if error.errno == errno.ENOEXEC else ""
            raise Foul(fault, f"{error}{hint}") from None

    def ask(self, position: Position, clock: PlayerClock, other: PlayerClock) -> Answer:
        """The bot's move, its time taken off the clock; the ``other`` clock is its opponent's.

        The first answer after a start may take longer, and is charged nothing on a game clock: the
        start-up that is part of it cannot be told apart. The bot runs: ``start`` was called. Raises
        ``Foul``; the bot is stopped then.
        """
        began, cpu = time.monotonic(), self._cpu_seconds()
        try:
            cell = self._ask(position, clock, other, began)
        except Foul as foul:
            foul.ms = (time.monotonic() - began) * 1000
            foul.cpu_ms = (self._cpu_seconds() - cpu) * 1000
            self.stop()
            raise
        ms = (time.monotonic() - began) * 1000
        self._freeze()
        clock.spend(ms if self._has_answered else 0)
        self._has_answered = True
        return Answer(cell, ms, (self._cpu_seconds() - cpu) * 1000)

    def say_end(self) -> None:
        """The game is over: a bot that does not live on is told so by the end of its input."""
        if self._process is not None and self.spec.restart == "game":
            self._thaw()
            self._process.close_input(self._dialect.farewell)

    def end_game(self) -> Foul | None:
        """Ends the bot unless it lives on; what it did wrong at the end."""
        if self._process is None or self.spec.restart == "never":
            return None
        if self.stop():
            return None
        return Foul(Fault.IGNORED_THE_END, "it went on after its input was closed")

    def take_stderr(self) -> str:
        """What the bot has said on standard error since this was last asked."""
        said, self._said = self._said, ""
        return said if self._process is None else said + self._channel.take_stderr()

    def stop(self) -> bool:
        """Stops the bot if it runs; whether the end of its input was enough."""
        if self._process is None:
            return True
        process, self._process = self._process, None
        try:
            process.resume()
            process.close_input(self._dialect.farewell)
            ended = self._channel.wait_for_exit(CLOSING_SECONDS) is not None
            self._said += self._channel.take_stderr()
        finally:
            process.stop()
        return ended

    def _freeze(self) -> None:
        """Stops a bot that is to think on its own time alone; ``_thaw`` lets it go on."""
        if self.spec.freeze and self._process is not None:
            self._process.pause()

    def _thaw(self) -> None:
        if self.spec.freeze and self._process is not None:
            self._process.resume()

    def _cpu_seconds(self) -> float:
        return 0.0 if self._process is None else self._process.cpu_seconds()

    def _ask(self, position: Position, clock: PlayerClock, other: PlayerClock, began: float) -> int:
        if clock.budget_ms <= 0:
            raise Foul(Fault.CLOCK_USED_UP, "its clock had nothing left")
        self._thaw()
        if (noise := self._channel.unasked()) and not self._dialect.may_say(noise):
            fault = Fault.MORE_LINES if self._has_answered else Fault.UNASKED
            raise Foul(fault, "there was output before the question", noise)
        return self._exchange(position, clock, other, began)

    def _exchange(
        self, position: Position, clock: PlayerClock, other: PlayerClock, began: float
    ) -> int:
        """One question, and the cell that answers it."""
        self._ply = position.ply
        allowed_ms = clock.budget_ms + GRACE_MS
        if not self._has_answered:
            allowed_ms += clock.control.startup_ms
        question = self._dialect.write_precept(position, clock.told, other.told)
        try:
            self._watch(began)
            return self._converse(position, question, began + allowed_ms / 1000)
        except DeadlinePassed:
            raise self._lateness(clock, allowed_ms) from None
        except LineTooLong as error:
            raise Foul(Fault.LINE_TOO_LONG, str(error), error.start) from None
        except StderrFlood:
            raise Foul(Fault.STDERR_FLOOD, "it wrote more than 16 MiB there") from None
        except Overstepped as error:
            raise Foul(Fault.TOO_MANY_PROCESSES, str(error)) from None
        except OutputEnded:
            raise self._departure(Fault.CLOSED_OUTPUT) from None
        except InputClosed:
            raise self._departure(Fault.CLOSED_INPUT) from None

    def _converse(self, position: Position, words: bytes, deadline: float) -> int:
        """Says all that the dialect wants said until a line names a cell."""
        overdue = 0
        while True:
            self._channel.send(words, deadline)
            line = self._channel.receive(deadline)
            found = self._judge(position, line)
            if isinstance(found, int):
                self.line = line
                return found
            words, now = found.text, time.monotonic()
            self._watch(now)
            if now > deadline:  # what had arrived by then counts; a chatterbox ends here
                overdue += len(line)
                if overdue > CHUNK:
                    raise DeadlinePassed

    def _watch(self, now: float) -> None:
        """Looks after a bot whose answers are too quick for the channel to do so."""
        if now - self._watched > WATCH_SECONDS:
            self._watched = now
            self._channel.watch()

    def _lateness(self, clock: PlayerClock, allowed_ms: float) -> Foul:
        """Why no line came in time: the bot has ended, or it still runs."""
        if self._channel.wait_for_exit(0) is not None:
            return self._departure(Fault.CLOSED_OUTPUT)
        so_far = self._channel.unasked() or None
        if not self._has_answered:
            detail = f"no whole line within {allowed_ms:.0f} ms, start-up and grace included"
            silent = "" if so_far else "; nothing came at all: does it flush its output?"
            return Foul(Fault.LATE_FIRST, f"{detail}{silent}", so_far)
        detail = f"no whole line within {allowed_ms:.0f} ms, grace included"
        return Foul(Fault.LATE if clock.left_ms is None else Fault.CLOCK_USED_UP, detail, so_far)

    def _judge(self, position: Position, line: bytes) -> int | Reply:
        """The cell that a line names, or what to say to one that names none."""
        try:
            move = self._dialect.read_move(line)
            return move if isinstance(move, Reply) else cell_of_wire(position, move)
        except IllegalMove as error:
            raise Foul(Fault.ILLEGAL_MOVE, str(error), line) from None
        except ProtocolError as error:
            raise Foul(Fault.BAD_LINE, str(error), line) from None

    def _departure(self, otherwise: Fault) -> Foul:
        """Why a pipe closed: the bot ended, was killed, or closed it while living on."""
        code = self._channel.wait_for_exit(DYING_SECONDS)
        last = self._channel.last_words()
        words = f"; its last words: {last}" if last else ""
        assert self._process is not None
        if reason := self._process.diagnose(code, self._channel.words()):
            return Foul(Fault(reason), f"exit code {code}{words}")
        if code is None:
            return Foul(otherwise, f"while still running{words}")
        if code < 0:
            return Foul(Fault.KILLED, f"signal {-code}{words}")
        return Foul(Fault.EXITED, f"with code {code}{words}{self._hint()}")

    def _hint(self) -> str:
        """Return what to try with a bot that may have ended for lack of arguments."""
        at_start = self._ply < 2  # a fuller board is more to stumble over
        if self._has_answered or not suggests_arguments(self._channel.words(), at_start=at_start):
            return ""
        command = shlex.quote(shlex.join(self.spec.command))
        return f"; does it need arguments? c4-referee check {command} finds out"
