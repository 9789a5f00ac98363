"""A bot in a game: a process and a channel that speak a dialect, started when first asked."""

import time

from protocol.dialects import Dialect, dialect
from protocol.errors import IllegalMove, LineTooLong, ProtocolError
from protocol.notation import cell_of_wire
from protocol.position import Position
from referee.bots import BotSpec
from referee.channel import Channel, DeadlinePassed, InputClosed, OutputEnded
from referee.clock import GRACE_MS, STARTUP_MS, PlayerClock
from referee.faults import Fault, Foul
from referee.process import BotProcess

DYING_SECONDS = 0.2
"""How long to wait for the exit code of a bot that has closed a pipe."""


class Contestant:
    """Asks a bot for moves; a context manager that leaves no process behind.

    ``listener`` is handed to the channel: see there.
    """

    def __init__(self, spec: BotSpec, listener: int | None = None) -> None:
        self.spec = spec
        self._listener = listener
        self._process: BotProcess | None = None
        self._channel: Channel
        self._dialect: Dialect
        self._has_answered = False

    def __enter__(self) -> "Contestant":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Starts the bot if it does not run; raises ``Foul``."""
        if self._process is not None:
            return
        try:
            self._process = BotProcess(self.spec.command, self.spec.cwd, self.spec.environment())
        except OSError as error:
            raise Foul(Fault.FAILED_TO_START, str(error)) from None
        self._channel = Channel(self._process, self._listener)
        self._dialect = dialect(self.spec.dialect)
        self._has_answered = False

    def ask(self, position: Position, clock: PlayerClock) -> tuple[int, float]:
        """The cell of the bot's move and the milliseconds to charge for it.

        The first answer after a start may take longer, and is charged nothing on a game clock: the
        start-up that is part of it cannot be told apart. Raises ``Foul``; the bot is stopped then,
        and started anew when it is next asked.
        """
        began = time.monotonic()
        try:
            cell = self._ask(position, clock, began)
        except Foul as foul:
            foul.ms = (time.monotonic() - began) * 1000
            self.stop()
            raise
        ms = (time.monotonic() - began) * 1000
        clock.spend(ms if self._has_answered else 0)
        self._has_answered = True
        return cell, ms

    def end_game(self) -> None:
        """The game is over: the bot ends too, unless it is one to live on."""
        if self.spec.restart == "game":
            self.stop()

    def stop(self) -> None:
        """Stops the bot if it runs."""
        if self._process is not None:
            self._process.stop()
            self._process = None

    def _ask(self, position: Position, clock: PlayerClock, began: float) -> int:
        if clock.budget_ms <= 0:
            raise Foul(Fault.LATE, "its clock is used up")
        self.start()
        if noise := self._channel.unasked():
            raise Foul(Fault.UNASKED, "there was output before the question", noise)
        allowed_ms = clock.budget_ms + GRACE_MS
        if not self._has_answered:
            allowed_ms += STARTUP_MS
        return self._judge(position, self._exchange(position, clock, began, allowed_ms))

    def _exchange(
        self, position: Position, clock: PlayerClock, began: float, allowed_ms: float
    ) -> bytes:
        """One question and the line that answers it."""
        deadline = began + allowed_ms / 1000
        try:
            self._channel.send(self._dialect.write_precept(position, clock.told), deadline)
            return self._channel.receive(deadline)
        except DeadlinePassed:
            raise self._lateness(allowed_ms) from None
        except LineTooLong as error:
            raise Foul(Fault.LINE_TOO_LONG, str(error), error.start) from None
        except OutputEnded:
            raise self._departure(Fault.CLOSED_OUTPUT) from None
        except InputClosed:
            raise self._departure(Fault.CLOSED_INPUT) from None

    def _lateness(self, allowed_ms: float) -> Foul:
        """Why no line came in time: the bot has ended, or it still runs."""
        if self._channel.wait_for_exit(0) is not None:
            return self._departure(Fault.CLOSED_OUTPUT)
        allowance = "grace" if self._has_answered else "start-up and grace"
        detail = f"no whole line within {allowed_ms:.0f} ms, {allowance} included"
        return Foul(Fault.LATE, detail, self._channel.unasked() or None)

    def _judge(self, position: Position, line: bytes) -> int:
        """The cell that a line names."""
        try:
            return cell_of_wire(position, self._dialect.read_move(line))
        except IllegalMove as error:
            raise Foul(Fault.ILLEGAL_MOVE, str(error), line) from None
        except ProtocolError as error:
            raise Foul(Fault.BAD_LINE, str(error), line) from None

    def _departure(self, otherwise: Fault) -> Foul:
        """Why a pipe closed: the bot ended, was killed, or closed it while living on."""
        code = self._channel.wait_for_exit(DYING_SECONDS)
        words = self._channel.last_words()
        words = f"; its last words: {words}" if words else ""
        if code is None:
            return Foul(otherwise, f"while still running{words}")
        if code < 0:
            return Foul(Fault.KILLED, f"signal {-code}{words}")
        return Foul(Fault.EXITED, f"with code {code}{words}")
