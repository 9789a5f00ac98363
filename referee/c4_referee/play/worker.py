"""The program of a game slot: jobs come in as JSON lines, events go out as JSON lines.

It is a process of its own, ``python -m c4_referee.play.worker``. The first line that it reads holds
the settings; each later line is a job. The bots of its games are its children. It also adopts the
orphaned descendants of these bots. When its input closes, even in the middle of a game, it ends all
of them and itself. No signal is needed for that.
"""

import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from itertools import islice

import orjson
from c4_protocol.codec import LineBuffer
from c4_protocol.events import Event, GameEnded

from c4_referee.bots.channel import HungUp
from c4_referee.bots.contestant import Contestant
from c4_referee.bots.process import BotProcess, adopt_orphans, kill_children, reap_orphans
from c4_referee.play.game import play
from c4_referee.play.jobs import Job, Settings

CHUNK = 1 << 16
TOGETHER_SECONDS = 0.02
"""Events that happen within this time are written together."""
SHORTEST_REST, LONGEST_REST = 0.2, 1.0
"""How many seconds to wait for the machine to have room again, at first and at most."""


class Worker:
    """Plays jobs; keeps the bots that live on from game to game, until ``stack`` closes."""

    def __init__(
        self, settings: Settings, stack: ExitStack, on_idle: Callable[[], None] | None = None
    ) -> None:
        self._settings = settings
        contestants = (Contestant(bot, 0, on_idle) for bot in settings.bots)
        self._contestants = [stack.enter_context(contestant) for contestant in contestants]

    def play(self, job: Job) -> Iterator[Event]:
        """The events of one game."""
        settings = self._settings
        first, second = self._contestants[job.first], self._contestants[job.second]
        controls = (settings.controls[job.first], settings.controls[job.second])
        try:
            yield from play(
                job.game,
                settings.variant,
                (first, second),
                controls,
                opening=job.opening,
                more=job.more,
            )
        finally:
            first.end_game()
            second.end_game()
            kill_children(keep=BotProcess.running)


class EventWriter:
    """Writes the events of quick moves together: a game of kept bots takes a third less time so.

    None waits longer than the next look at a bot that thinks (``WATCH_SECONDS`` of the channel).
    """

    def __init__(self, results_only: bool = False) -> None:
        self._results_only = results_only
        self._lines = bytearray()
        self._written = time.monotonic()

    def add(self, event: Event) -> None:
        """Takes an event, to write it soon; the end of a game is written at once."""
        ended = isinstance(event, GameEnded)
        if self._results_only and not ended:
            return
        self._lines += orjson.dumps(event, option=orjson.OPT_APPEND_NEWLINE)
        if ended or time.monotonic() - self._written > TOGETHER_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Writes what is waiting."""
        sys.stdout.buffer.write(self._lines)
        sys.stdout.buffer.flush()
        self._lines.clear()
        self._written = time.monotonic()


class Breather:
    """Rests after a game for which the machine had no room: there may be some again soon.

    Each rest of several in a row is twice as long. The end of standard input is ``HungUp``.
    """

    def __init__(self) -> None:
        self._seconds = 0.0
        self._input = select.poll()
        self._input.register(0, 0)  # hanging up is told without being asked for

    def after(self, game: GameEnded) -> None:
        """Rests if need be."""
        if game.fault is None or game.fault.policy != "retry":
            self._seconds = 0.0
            return
        self._seconds = min(max(2 * self._seconds, SHORTEST_REST), LONGEST_REST)
        if self._input.poll(self._seconds * 1000):
            raise HungUp


def main() -> int:
    """Plays the jobs of standard input until it ends."""
    adopt_orphans()
    try:
        with suppress(HungUp, BrokenPipeError), ExitStack() as stack:
            _play_all(_lines(), stack)
    finally:
        kill_children()
    return 0


def _play_all(lines: Iterator[bytes], stack: ExitStack) -> None:
    """Plays by settings, the first of the lines, the jobs that are the others."""
    for settings in map(Settings.from_line, islice(lines, 1)):
        events, breather = EventWriter(settings.results_only), Breather()
        worker = Worker(settings, stack, partial(_on_idle, events))
        for job in map(Job.from_line, lines):
            for event in worker.play(job):
                events.add(event)
                if isinstance(event, GameEnded):
                    breather.after(event)


def _on_idle(events: EventWriter) -> None:
    """What is done while a bot thinks."""
    events.flush()
    reap_orphans(keep=BotProcess.running)


def _lines() -> Iterator[bytes]:
    buffer = LineBuffer(sys.maxsize)  # settings of a thousand bots are one line
    while data := os.read(0, CHUNK):
        buffer.feed(data)
        while (line := buffer.next_line()) is not None:
            yield line


if __name__ == "__main__":
    sys.exit(main())
