"""A game of a person against a bot, which a worker process of its own plays.

In: the moves of the person. Out: the events of the game, as a contest writes them. The bot has the
clock, the limits and the sandbox of contests, and its faults have the same consequences. The person
has none of them. A move is taken back by ending the game and beginning another one, with the
earlier moves as its opening.

Guarantee: when the game has ended or this process ends, the worker and the bot end.
"""

import math
import socket
from contextlib import suppress
from typing import Any

import orjson
from c4_protocol.rules.notation import WireMove
from c4_protocol.rules.position import Seat
from c4_protocol.rules.variant import Variant

from c4_referee.bots.bot_files import states_of
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.play.jobs import BotIndex, Job, WorkerSettings
from c4_referee.contest.play.local_runner import WorkerSlot, ignoring_interrupts
from c4_referee.records.storage.kept import person_spec


class PersonGame:
    """Game of a person in ``seat`` against a bot, which begins now.

    ``control`` is the time of the bot. The moves of ``opening`` are on the board already, and they
    must not end the game. ``person`` is the name of the person, which differs from the bot's.
    """

    def __init__(
        self,
        bot: BotSpec,
        variant: Variant,
        seat: Seat,
        control: TimeControl,
        opening: str = "",
        person: str = "guest",
    ) -> None:
        bots = (person_spec(person), bot)[:: 1 if seat == 1 else -1]
        files = tuple(map(states_of, bots))
        settings = WorkerSettings(variant, bots, (control, control), files=files, person=seat - 1)
        self._slot = WorkerSlot(settings)
        self._slot.give(Job(1, BotIndex(0), BotIndex(1), opening))
        self._slot.deadline = math.inf  # the person may think for any time
        self.socket: socket.socket = self._slot.socket
        """Socket that can be read when events have arrived."""

    def read(self) -> list[tuple[dict[str, Any], bytes]] | None:
        """Return the events that have arrived, each decoded and as a line of JSON.

        Return ``None`` if the worker has ended. Waits if nothing has arrived.
        """
        return self._slot.read()

    def play(self, move: WireMove) -> None:
        """Make the person's move. It must be the person's turn, and the move must be legal."""
        with suppress(OSError):  # an ended worker is noticed by ``read``
            self.socket.sendall(orjson.dumps({"move": move}, option=orjson.OPT_APPEND_NEWLINE))

    def end(self) -> None:
        """Stop the bot and the worker. This may be called again."""
        with ignoring_interrupts():
            self._slot.end()
