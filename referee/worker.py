"""What runs in each game slot: jobs come in as JSON lines, events go out as JSON lines.

A process of its own, ``python -m referee.worker``. The bots of its games are its children, and so
are their descendants when they are orphaned; when its input closes it ends them all and itself,
also in the midst of a game. No signal is needed for that.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson

from protocol.codec import LineBuffer
from protocol.records import Event, GameEnded, VariantRecord
from protocol.variant import Variant
from referee.bots import BotSpec
from referee.channel import HungUp
from referee.clock import TimeControl
from referee.contestant import Contestant
from referee.game import play
from referee.process import BotProcess, adopt_orphans, kill_children

CHUNK = 1 << 16
TOGETHER_SECONDS = 0.02
"""Events that happen within this time are written together."""


@dataclass(frozen=True, slots=True)
class Job:
    """A game to play: its number, the rules, and who plays, first player first.

    ``more`` says that other games are waiting, so that bots may be started ahead.
    """

    game: int
    variant: Variant
    bots: tuple[BotSpec, BotSpec]
    controls: tuple[TimeControl, TimeControl]
    more: bool = False

    def to_line(self) -> bytes:
        """The job as a JSON line."""
        job = {
            "game": self.game,
            "variant": VariantRecord.of(self.variant),
            "bots": [bot.model_dump() for bot in self.bots],
            "controls": self.controls,
            "more": self.more,
        }
        return orjson.dumps(job, option=orjson.OPT_APPEND_NEWLINE)

    @classmethod
    def from_line(cls, line: bytes) -> "Job":
        """The job of a line that ``to_line`` made."""
        job: dict[str, Any] = orjson.loads(line)
        first, second = (_spec(orjson.dumps(bot)) for bot in job["bots"])
        control, other = (TimeControl(**control) for control in job["controls"])
        variant = VariantRecord.read(job["variant"]).variant()
        return cls(job["game"], variant, (first, second), (control, other), job["more"])


@cache
def _spec(line: bytes) -> BotSpec:
    """The spec that a JSON object describes, checked once."""
    return BotSpec.model_validate_json(line)


class Worker:
    """Plays jobs; keeps the bots that live on from game to game, until ``stack`` closes."""

    def __init__(self, stack: ExitStack, on_idle: Callable[[], None] | None = None) -> None:
        self._stack = stack
        self._on_idle = on_idle
        self._contestants: dict[str, Contestant] = {}

    def play(self, job: Job) -> Iterator[Event]:
        """The events of one game."""
        first, second = (self._contestant(bot) for bot in job.bots)
        try:
            yield from play(job.game, job.variant, (first, second), job.controls, more=job.more)
        finally:
            first.end_game()
            second.end_game()
            kill_children(keep=BotProcess.running)

    def _contestant(self, spec: BotSpec) -> Contestant:
        if spec.name not in self._contestants:
            contestant = Contestant(spec, 0, self._on_idle)
            self._contestants[spec.name] = self._stack.enter_context(contestant)
        return self._contestants[spec.name]


class EventWriter:
    """Writes the events of quick moves together: a game of kept bots takes a third less time so.

    None waits longer than the next look at a bot that thinks (``WATCH_SECONDS`` of the channel).
    """

    def __init__(self) -> None:
        self._lines = bytearray()
        self._written = time.monotonic()

    def add(self, event: Event) -> None:
        """Takes an event, to write it soon; the end of a game is written at once."""
        self._lines += orjson.dumps(event, option=orjson.OPT_APPEND_NEWLINE)
        if isinstance(event, GameEnded) or time.monotonic() - self._written > TOGETHER_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Writes what is waiting."""
        sys.stdout.buffer.write(self._lines)
        sys.stdout.buffer.flush()
        self._lines.clear()
        self._written = time.monotonic()


def main() -> int:
    """Plays the jobs of standard input until it ends."""
    adopt_orphans()
    try:
        with suppress(HungUp, BrokenPipeError), ExitStack() as stack:
            events = EventWriter()
            worker = Worker(stack, events.flush)
            for line in _lines():
                for event in worker.play(Job.from_line(line)):
                    events.add(event)
    finally:
        kill_children()
    return 0


def _lines() -> Iterator[bytes]:
    buffer = LineBuffer()
    while data := os.read(0, CHUNK):
        buffer.feed(data)
        while (line := buffer.next_line()) is not None:
            yield line


if __name__ == "__main__":
    sys.exit(main())
