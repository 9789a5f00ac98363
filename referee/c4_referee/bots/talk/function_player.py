"""A function of the referee's process in a game, which takes the place of a bot.

In: positions. Out: a ``BotAnswer`` or a ``Foul`` for each, as from a ``Contestant``. A function has
the clock of a bot, but no process, no limits and no sandbox.
"""

from collections.abc import Callable
from dataclasses import replace

from c4_protocol.dialects.jsonl import RefereeEnd
from c4_protocol.program.errors import IllegalMove, ProtocolError
from c4_protocol.rules.notation import cell_of_wire
from c4_protocol.rules.position import Position

from c4_referee.bots.clock import GRACE_MS, PlayerClock
from c4_referee.bots.contain.excerpt import TextExcerpt
from c4_referee.bots.contain.faults import LAST_WORDS, Fault, Foul
from c4_referee.bots.contain.last_words import last_words
from c4_referee.bots.functions import Called
from c4_referee.bots.placeholders import CommandValues
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.contestant import BotAnswer, Contestant

DIALECT = RefereeEnd()


class FunctionPlayer(Contestant):
    """Contestant without a process, whose moves a function makes.

    ``call`` asks the function, which has a number of milliseconds. It raises ``Foul`` if the
    opponent exceeds a limit meanwhile.
    """

    def __init__(self, spec: BotSpec, call: Callable[[Position, float], Called]) -> None:
        super().__init__(spec)
        self._call = call
        self._was_called = False

    def start(self, values: CommandValues) -> None:
        """Do nothing, because there is no process."""

    def ask(self, position: Position, clock: PlayerClock, other: PlayerClock) -> BotAnswer:
        """Return the function's move. Raises ``Foul`` if it is late, raises or returns no move.

        For the first call, a function has the start-up time of a bot, and its clock does not run,
        because it may load a model then.
        """
        if clock.budget_ms <= 0:
            raise Foul(Fault.CLOCK_USED_UP, "its clock had nothing left")
        is_first, self._was_called = not self._was_called, True
        allowed_ms = clock.budget_ms + GRACE_MS + is_first * clock.control.startup_ms
        called = self._call(position, allowed_ms)
        try:
            cell = self._cell_of_answer(called, position, allowed_ms)
        except Foul as foul:
            if foul.fault == Fault.LATE and is_first:
                foul.fault = Fault.LATE_FIRST
            elif foul.fault == Fault.LATE and clock.left_ms is not None:
                foul.fault = Fault.CLOCK_USED_UP
            raise replace(foul, ms=called.ms, cpu_ms=called.cpu_ms) from None
        clock.spend(0 if is_first else called.ms)
        return BotAnswer(cell, called.ms, called.cpu_ms, called.line.encode())

    def _cell_of_answer(self, called: Called, position: Position, allowed_ms: float) -> int:
        """Return the cell that the function plays, or raise ``Foul``."""
        if called.error:
            stderr = TextExcerpt()
            stderr.add(called.error.encode(errors="backslashreplace"))
            self._unread_stderr += stderr.text()
        is_running = not called.line and not called.error
        if is_running or called.ms > allowed_ms:
            took = "it has not returned after" if is_running else "it took"
            had = f"and had {allowed_ms:.0f} ms, grace included"
            raise Foul(Fault.LATE, f"{took} {called.ms:.0f} ms, {had}")
        if called.error:
            words = last_words(self._unread_stderr)
            raise Foul(Fault.EXITED, f"with an exception{LAST_WORDS}{words}")
        line = called.line.encode()
        try:
            return cell_of_wire(position, DIALECT.read_move(line))
        except IllegalMove as error:
            raise Foul(Fault.ILLEGAL_MOVE, str(error), line) from None
        except ProtocolError as error:
            raise Foul(Fault.BAD_LINE, str(error), line) from None
