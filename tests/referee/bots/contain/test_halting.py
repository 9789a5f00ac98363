"""A bot that uses a processor in its opponent's turns is halted there, and does no harm."""

from dataclasses import replace
from typing import Any, NamedTuple

import orjson
import pytest
from c4_protocol.rules.variant import Variant
from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.contain.halting import MAX_IDLE_MS, Halting
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest, Outcome
from played import PATIENT
from views import needs_sandbox

pytestmark = pytest.mark.slow


class Played(NamedTuple):
    """A match and the records of its games."""

    outcome: Outcome
    records: list[dict[str, Any]]

    def child_seconds(self) -> list[float]:
        """Return the processor time of the children of the first bot in each game."""
        texts = [record["stderr"]["ponders_in_children"] for record in self.records]
        return [float(text) for text in texts]


def played(first: BotSpec, second: BotSpec) -> Played:
    """Play a match of two short games in a worker."""
    events: list[dict[str, Any]] = []
    match = Contest.match(first, second, 2, variant=Variant.parse("4x4"), control=PATIENT)
    outcome = match.play([lambda line: events.append(orjson.loads(line))])
    return Played(outcome, [event for event in events if event["event"] == "game_ended"])


@pytest.mark.linux
@pytest.mark.alone
@pytest.mark.parametrize("sandbox", [False, pytest.param(True, marks=needs_sandbox)])
def test_bot_that_uses_a_processor_outside_of_its_turns_is_halted_there(bot, sandbox):
    """Its children are halted with it, in later games from the beginning, and reports say so."""
    pondering, slow = bot("ponders_in_children", sandbox=sandbox), bot("thinks_slowly")
    free = played(replace(pondering, freeze=False), slow)
    halted = played(pondering, slow)
    assert halted.child_seconds()[1] < free.child_seconds()[1] / 2
    notes = [note["fault"] for record in halted.records for note in record["notes"]]
    assert notes == [Fault.PONDERED.value]
    assert [*halted.outcome.incidents.pondered] == ["ponders_in_children"]
    assert free.outcome.incidents.pondered == {}
    assert all(record["fault"] is None for record in free.records + halted.records)


def test_bot_that_only_waits_is_not_halted(bot):
    """Bots that do not compute outside of their turns are not halted."""
    match = played(bot("good"), bot("thinks_slowly"))
    assert match.outcome.incidents.pondered == {}


@pytest.mark.parametrize(
    ("freeze", "states"), [(None, (False, True)), (True, (True, True)), (False, (False, False))]
)
def test_little_time_is_allowed(freeze, states):
    """A few milliseconds are allowed, and ``true`` and ``false`` mean always and never."""
    halting, allowed = Halting(freeze), MAX_IDLE_MS / 1000
    halting.note_idle_time(allowed)
    assert halting.is_on == states[0]
    halting.note_idle_time(1.1 * allowed)
    assert halting.is_on == states[1]
    foul = halting.take_foul()
    assert (foul is not None) == (states == (False, True))
    assert halting.take_foul() is None


@pytest.mark.linux
def test_game_is_played_again_once_if_the_opponent_may_have_made_a_bot_late(bot):
    """A bot that is late without a processor gets a second try, and the report says so."""
    pondering = replace(bot("ponders"), freeze=False, time_ms=60_000)
    sleeper = bot("falls_asleep", time_ms=300)
    match = played(pondering, sleeper)
    assert [record["fault"]["fault"] for record in match.records] == [Fault.LATE.value] * 2
    starved = match.outcome.incidents.starved
    assert len(starved) == 2
    assert starved[0].startswith("falls_asleep in game 1: it had a processor for ")
    alone = played(bot("good"), sleeper)
    assert alone.outcome.incidents.starved == ()
