"""A bot in a game: a process and a channel that speak a dialect, started when first asked."""

import time
from types import TracebackType

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
    """Asks a bot for moves; a context manager that leaves no process behind."""

    def __init__(self, spec: BotSpec) -> None:
        self.spec = spec
        self._process: BotProcess | None = None
        self._channel: Channel
        self._dialect: Dialect

    def __enter__(self) -> "Contestant":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def ask(self, position: Position, clock: PlayerClock) -> tuple[int, float]:
        """The cell of the bot's move and the milliseconds it took.

        Raises ``Foul``; the bot is stopped then, and started anew when it is next asked.
        """
        try:
            return self._ask(position, clock)
        except Foul:
            self.stop()
            raise

    def end_game(self) -> None:
        """The game is over: the bot ends too, unless it is one to live on."""
        if self.spec.restart == "game":
            self.stop()

    def stop(self) -> None:
        """Stops the bot if it runs."""
        if self._process is not None:
            self._process.stop()
            self._process = None

    def _ask(self, position: Position, clock: PlayerClock) -> tuple[int, float]:
        allowed_ms = clock.budget_ms + GRACE_MS
        if self._process is None:
            self._start()
            allowed_ms += STARTUP_MS
        if noise := self._channel.unasked():
            raise Foul(Fault.UNASKED, "there was output before the question", noise)
        began = time.monotonic()
        line = self._exchange(position, clock, began + allowed_ms / 1000)
        ms = (time.monotonic() - began) * 1000
        return self._judge(position, line), ms

    def _start(self) -> None:
        try:
            self._process = BotProcess(self.spec.command, self.spec.cwd, self.spec.environment())
        except OSError as error:
            raise Foul(Fault.FAILED_TO_START, str(error)) from None
        self._channel = Channel(self._process)
        self._dialect = dialect(self.spec.dialect)

    def _exchange(self, position: Position, clock: PlayerClock, deadline: float) -> bytes:
        """One question and the line that answers it."""
        try:
            self._channel.send(self._dialect.write_precept(position, clock.told), deadline)
            return self._channel.receive(deadline)
        except DeadlinePassed:
            so_far = self._channel.unasked() or None
            detail = f"no whole line within {clock.budget_ms:g} ms"
            raise Foul(Fault.LATE, detail, so_far) from None
        except LineTooLong as error:
            raise Foul(Fault.LINE_TOO_LONG, str(error), error.start) from None
        except OutputEnded:
            raise self._departure(Fault.CLOSED_OUTPUT) from None
        except InputClosed:
            raise self._departure(Fault.CLOSED_INPUT) from None

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
        assert self._process is not None
        code = self._process.wait(DYING_SECONDS)
        words = self._channel.last_words()
        words = f"; its last words: {words}" if words else ""
        if code is None:
            return Foul(otherwise, f"while still running{words}")
        if code < 0:
            return Foul(Fault.KILLED, f"signal {-code}{words}")
        return Foul(Fault.EXITED, f"with code {code}{words}")
