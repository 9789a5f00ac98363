"""Games that bots play in this process."""

from collections.abc import Callable

from c4_protocol.records.events import GameEnded
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contain.process import BotProcess
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.channel import Channel
from c4_referee.bots.talk.contestant import Contestant
from c4_referee.contest.play.game import play
from c4_referee.contest.play.jobs import Job

PATIENT = TimeControl(60_000.0, startup_ms=60_000.0)
"""Times that no bot misses that answers at all, however busy the machine is."""


def played(
    first: BotSpec,
    second: BotSpec,
    control: TimeControl = PATIENT,
    variant: Variant = STANDARD,
    other: TimeControl | None = None,
    connect: Callable[[BotProcess], Channel] = Channel,
    opening: str = "",
) -> GameEnded:
    """Play one game, and return its record.

    ``other`` is the time control of the second bot, if it has another one than the first.
    ``connect`` makes the channel to the first bot. A bot that is late is not tried again.
    """
    job, controls = Job(1, 0, 1, opening, repeated=True), (control, other or control)
    with Contestant(first, connect) as one, Contestant(second) as two:
        *_, end = play(job, variant, (one, two), controls)
    assert isinstance(end, GameEnded)
    return end
