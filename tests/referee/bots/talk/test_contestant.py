"""Processes of a contestant: one for its game, one started ahead, none at the end."""

import os
import time
from dataclasses import replace

import pytest
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.clock import PlayerClock
from c4_referee.bots.contain.process_tree import children_of
from c4_referee.bots.placeholders import CommandValues
from c4_referee.bots.talk.channel import Channel
from c4_referee.bots.talk.contestant import Contestant
from played import PATIENT

VALUES = CommandValues(1, STANDARD, 1000.0)


def running() -> int:
    """Return the number of child processes of this process."""
    return len(children_of(os.getpid()))


@pytest.mark.linux
def test_no_process_is_left_at_the_end(bot):
    """Neither the process of the game nor that for the next game is left at the end."""
    with Contestant(bot("good")) as contestant:
        contestant.start(VALUES)
        contestant.start(VALUES)
        assert running() == 1
    assert running() == 0
    with Contestant(bot("good")) as contestant:
        contestant.start(VALUES)
        contestant.stop()
        contestant.start_ahead()
        assert running() == 1
    assert running() == 0


@pytest.mark.linux
def test_next_process_starts_when_the_last_one_has_ended(bot):
    """The process for the next game starts when the last one has ended, and plays that game.

    No process starts before the first game.
    """
    with Contestant(bot("good")) as contestant:
        contestant.start_ahead()
        assert running() == 0
        contestant.start(VALUES)
        contestant.start_ahead()
        first = children_of(os.getpid())
        assert len(first) == 1
        contestant.stop()
        contestant.start_ahead()
        ahead = children_of(os.getpid())
        assert len(ahead) == 1
        assert ahead != first
        contestant.start(VALUES)
        assert children_of(os.getpid()) == ahead


@pytest.mark.parametrize("settings", [{"restart": "never"}, {"args": "{player}"}])
def test_bot_that_is_kept_or_told_its_player_is_not_started_ahead(bot, settings):
    """A bot with restart = "never", or with its player in the command, is not started ahead."""
    spec = bot("good", restart=settings.get("restart", "game"))
    if "args" in settings:
        spec = replace(spec, command=(*spec.command, settings["args"]))
    with Contestant(spec) as contestant:
        contestant.start(VALUES)
        contestant.stop()
        contestant.start_ahead()
        assert running() == 0


def test_channel_knows_when_a_question_began(bot):
    """If this process is stopped before it waits for the answer, the channel can notice it."""
    began: list[float] = []

    class Watched(Channel):
        def send(self, line: bytes, deadline: float) -> None:
            began.append(self.awake_at)
            super().send(line, deadline)

    with Contestant(bot("good"), Watched) as contestant:
        contestant.start(VALUES)
        before = time.monotonic()
        contestant.ask(Position(), PlayerClock(PATIENT), PlayerClock(PATIENT))
    assert before <= began[0] <= time.monotonic()
