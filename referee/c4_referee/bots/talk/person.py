"""A person in a game, who takes the place of a bot.

In: the lines with the person's moves, as bots write them in the dialect ``jsonl``. Out: a
``BotAnswer`` or a ``Foul`` for each question, as from a ``Contestant``. A person has no process, no
clock and no limits.
"""

import time
from collections.abc import Callable

from c4_protocol.dialects.jsonl import RefereeEnd
from c4_protocol.program.errors import IllegalMove, ProtocolError
from c4_protocol.rules.notation import cell_of_wire
from c4_protocol.rules.position import Position

from c4_referee.bots.clock import PlayerClock
from c4_referee.bots.contain.faults import Fault, Foul
from c4_referee.bots.placeholders import CommandValues
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.contestant import BotAnswer, Contestant


class Person(Contestant):
    """Contestant without a process, whose moves are lines from ``next_line``.

    ``next_line`` waits as long as the person thinks. It raises ``HungUp`` if no more lines follow,
    and ``Foul`` if the bot exceeds a limit meanwhile.
    """

    must_show_start = False

    def __init__(self, spec: BotSpec, next_line: Callable[[], bytes]) -> None:
        super().__init__(spec)
        self._next_line = next_line

    def start(self, values: CommandValues) -> None:
        """Do nothing, because there is no process."""

    def ask(self, position: Position, clock: PlayerClock, other: PlayerClock) -> BotAnswer:
        """Return the person's move. Raises ``Foul`` for a line that names no legal move."""
        began = time.monotonic()
        line = self._next_line()
        try:
            cell = cell_of_wire(position, RefereeEnd().read_move(line))
        except IllegalMove as error:
            raise Foul(Fault.ILLEGAL_MOVE, str(error), line) from None
        except ProtocolError as error:
            raise Foul(Fault.BAD_LINE, str(error), line) from None
        return BotAnswer(cell, (time.monotonic() - began) * 1000, 0.0, line)
