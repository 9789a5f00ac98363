"""A bot that uses a processor in its opponent's turns is halted there, and does no harm."""

import re
from dataclasses import replace
from typing import Any, NamedTuple

import orjson
import pytest
from c4_protocol.rules.variant import Variant
from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.contain.halting import (
    MAX_IDLE_MS,
    WATCH_STEP_SECONDS,
    Halting,
    found_thinking,
)
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
@pytest.mark.parametrize(
    "sandbox",
    [pytest.param(False, marks=pytest.mark.weekly), pytest.param(True, marks=needs_sandbox)],
)
def test_bot_that_thinks_in_its_opponents_turns_is_halted_there_and_reported(bot, sandbox):
    """It is watched in the first game. Its children are halted with it in the second."""
    match = played(bot("ponders_in_children", sandbox=sandbox), bot("thinks_slowly"))
    watched, halted = match.child_seconds()
    assert halted < watched / 2
    notes = [note for record in match.records for note in record["notes"]]
    assert [note["fault"] for note in notes] == [Fault.PONDERED.value]
    assert re.fullmatch(r"it used \d+ % of a processor in 5 of them; .*", notes[0]["detail"])
    assert [*match.outcome.incidents.pondered] == ["ponders_in_children"]
    assert all(record["fault"] is None for record in match.records)


def test_bot_that_tidies_up_after_its_answers_is_not_reported(bot):
    """Work of a language after an answer is no thinking, even if the bot is halted for it."""
    match = played(bot("tidies_up"), bot("thinks_slowly"))
    assert match.outcome.incidents.pondered == {}


@pytest.mark.parametrize(
    ("freeze", "states"), [(None, (False, True)), (True, (True, True)), (False, (False, False))]
)
def test_little_time_is_allowed(freeze, states):
    """A few milliseconds are allowed, and ``true`` and ``false`` mean always and never."""
    halting, allowed = Halting(freeze), MAX_IDLE_MS / 1000
    halting.note_idle_time(allowed)
    assert (halting.is_on, halting.is_watching) == (states[0], False)
    halting.note_idle_time(1.1 * allowed)
    assert halting.is_on == states[1]
    assert halting.is_watching == (states == (False, True))


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        ([0.2, 0.2, 0.2], True),  # it thinks
        ([0.014] * 15, True),  # it thinks on a busy machine
        ([0.19, 0.001], False),  # a collector
        ([0.8, 0.8, 0.0], False),  # a thread pool
        ([0.01] * 15, False),
    ],
)
def test_bot_that_rests_before_it_has_used_much_time_is_not_thinking(steps, found):
    """Only a bot that uses much time without a rest is thinking."""
    used, results = 0.0, []
    for number, seconds in enumerate(steps, 1):
        used += seconds
        results.append(found_thinking(number * WATCH_STEP_SECONDS + 0.001, used, seconds))
    assert results == [None] * (len(steps) - 1) + [found]


@pytest.mark.parametrize(
    ("watches", "detail"),
    [("-++-+++", "it used 41 % of a processor in 5 of them"), ("+--+++-", "")],
)
def test_bot_that_thinks_in_most_of_its_watches_is_reported_once(watches, detail):
    """Five watches with thinking before three without it are a foul, and end the watches."""
    halting = Halting(None)
    halting.note_idle_time(1.0)
    for result in watches:
        assert halting.is_watching
        assert halting.take_foul() is None
        halting.note_watch(0.41, 1.0, is_thinking=result == "+")
    assert not halting.is_watching
    foul = halting.take_foul()
    assert (foul.detail if foul else "") == (detail and f"{detail}; it is halted there")
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
