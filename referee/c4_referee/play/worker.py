"""The worker, which is the program of a slot: ``python -m c4_referee.play.worker``.

In: JSON lines on standard input. The first line holds the settings (``play.jobs``), and each later
line a job. Out: the events of the games as JSON lines on standard output. A game ends before the
next job begins.

A worker is a separate process, so that a crash during a game affects only that game. The bots of
its games are its children, and it adopts their descendants whose parents have ended. Bots that need
no restart keep running for later games.

Guarantee: when standard input closes, even during a game, the worker stops all these processes and
ends. No signal is needed.
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
from c4_referee.bots.faults import Policy
from c4_referee.bots.process import BotProcess
from c4_referee.bots.process_tree import adopt_orphans, kill_children, reap_orphans
from c4_referee.play.game import play
from c4_referee.play.jobs import PIPE_BYTES, Job, WorkerSettings

WRITE_SECONDS = 0.02
"""Minimum time between two writes, in seconds. Events that happen sooner are written together."""
MIN_REST_SECONDS, MAX_REST_SECONDS = 0.2, 1.0
"""Shortest and longest pause after a game for which the machine had no room, in seconds."""


class Worker:
    """Contestants of a worker process, and the function that lets them play a game.

    Bots that play more than one game run until the exit stack ``stack`` is closed.
    """

    def __init__(
        self, settings: WorkerSettings, stack: ExitStack, on_idle: Callable[[], None] | None = None
    ) -> None:
        self._settings = settings
        contestants = (Contestant(bot, 0, on_idle) for bot in settings.bots)
        self._contestants = [stack.enter_context(contestant) for contestant in contestants]

    def play(self, job: Job) -> Iterator[Event]:
        """Generate the events of one game."""
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
    """Writer of events to standard output, which writes the events of quick moves together.

    With this, games of bots that need no restart are a third faster. While a bot thinks, waiting
    events are written at the next check of its limits (``WATCH_SECONDS`` of the channel).
    """

    def __init__(self, results_only: bool = False) -> None:
        self._results_only = results_only
        self._lines = bytearray()
        self._written = time.monotonic()

    def add(self, event: Event) -> None:
        """Write an event soon, or immediately if it ends a game."""
        ended = isinstance(event, GameEnded)
        if self._results_only and not ended:
            return
        self._lines += orjson.dumps(event, option=orjson.OPT_APPEND_NEWLINE)
        if ended or time.monotonic() - self._written > WRITE_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the events that are waiting."""
        sys.stdout.buffer.write(self._lines)
        sys.stdout.buffer.flush()
        self._lines.clear()
        self._written = time.monotonic()


class Rest:
    """Pauses after games for which the machine had no room, because it may have room again soon.

    If several such games follow each other, each pause is twice as long as the one before, up to a
    maximum. A pause raises ``HungUp`` when standard input closes.
    """

    def __init__(self) -> None:
        self._seconds = 0.0
        self._input = select.poll()
        self._input.register(0, 0)  # poll always reports that the other end hung up

    def after(self, game: GameEnded) -> None:
        """Pause if the game must be played again."""
        if game.fault is None or game.fault.policy != Policy.RETRY.value:
            self._seconds = 0.0
            return
        self._seconds = min(max(2 * self._seconds, MIN_REST_SECONDS), MAX_REST_SECONDS)
        if self._input.poll(self._seconds * 1000):
            raise HungUp


def main() -> int:
    """Play the jobs of standard input until it ends."""
    adopt_orphans()
    try:
        with suppress(HungUp, BrokenPipeError), ExitStack() as stack:
            _play_all(_input_lines(), stack)
    finally:
        kill_children()
    return 0


def _play_all(lines: Iterator[bytes], stack: ExitStack) -> None:
    """Read the settings from the first line, and play the jobs of all other lines."""
    for settings in map(WorkerSettings.from_line, islice(lines, 1)):
        events, rest = EventWriter(settings.results_only), Rest()
        worker = Worker(settings, stack, partial(_on_idle, events))
        for job in map(Job.from_line, lines):
            for event in worker.play(job):
                events.add(event)
                if isinstance(event, GameEnded):
                    rest.after(event)


def _on_idle(events: EventWriter) -> None:
    """Write waiting events and reap orphans, while a bot is thinking."""
    events.flush()
    reap_orphans(keep=BotProcess.running)


def _input_lines() -> Iterator[bytes]:
    """Generate the lines of standard input.

    A line can be very long, because the settings of a thousand bots are one line.
    """
    buffer = LineBuffer(sys.maxsize)
    while data := os.read(0, PIPE_BYTES):
        buffer.feed(data)
        while (line := buffer.next_line()) is not None:
            yield line


if __name__ == "__main__":
    sys.exit(main())
