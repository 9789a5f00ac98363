"""Games that bots play in this process."""

from c4_protocol.records.events import GameEnded
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.play.game import play
from c4_referee.play.jobs import Job
from c4_referee.talk.contestant import Contestant


def played(
    first: BotSpec, second: BotSpec, control: TimeControl, variant: Variant = STANDARD
) -> GameEnded:
    """Play one game, and return its record."""
    with Contestant(first) as one, Contestant(second) as two:
        *_, end = play(Job(1, 0, 1), variant, (one, two), (control, control))
    assert isinstance(end, GameEnded)
    return end
