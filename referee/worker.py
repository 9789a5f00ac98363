"""What runs in each game slot: jobs come in as JSON lines, events go out as JSON lines.

A process of its own, ``python -m referee.worker``. The bots of its games are its children; it
ends, and ends them, when its input closes.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from typing import Any

import orjson

from protocol.codec import LineBuffer
from protocol.records import Event, VariantRecord
from protocol.variant import Variant
from referee.bots import BotSpec
from referee.clock import TimeControl
from referee.contestant import Contestant
from referee.game import play

CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Job:
    """A game to play: its number, the rules, and who plays, first player first."""

    game: int
    variant: Variant
    bots: tuple[BotSpec, BotSpec]
    controls: tuple[TimeControl, TimeControl]

    def to_line(self) -> bytes:
        """The job as a JSON line."""
        job = {
            "game": self.game,
            "variant": asdict(VariantRecord.of(self.variant)),
            "bots": [bot.model_dump() for bot in self.bots],
            "controls": [asdict(control) for control in self.controls],
        }
        return orjson.dumps(job, option=orjson.OPT_APPEND_NEWLINE)

    @classmethod
    def from_line(cls, line: bytes) -> "Job":
        """The job of a line that ``to_line`` made."""
        job: dict[str, Any] = orjson.loads(line)
        first, second = (BotSpec.model_validate(bot) for bot in job["bots"])
        control, other = (TimeControl(**control) for control in job["controls"])
        variant = job["variant"] | {"directions": tuple(job["variant"]["directions"])}
        return cls(job["game"], Variant(**variant), (first, second), (control, other))


class Worker:
    """Plays jobs; keeps the bots that live on from game to game."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._contestants: dict[str, Contestant] = {}

    def play(self, job: Job) -> Iterator[Event]:
        """The events of one game."""
        first, second = (self._contestant(bot) for bot in job.bots)
        try:
            yield from play(job.game, job.variant, (first, second), job.controls)
        finally:
            first.end_game()
            second.end_game()

    def _contestant(self, spec: BotSpec) -> Contestant:
        if spec.name not in self._contestants:
            self._contestants[spec.name] = self._stack.enter_context(Contestant(spec))
        return self._contestants[spec.name]


def main() -> int:
    """Plays the jobs of standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the referee's to handle
    signal.signal(signal.SIGTERM, _end_once)
    try:
        with ExitStack() as stack:
            worker = Worker(stack)
            for line in _lines():
                for event in worker.play(Job.from_line(line)):
                    _write_all(orjson.dumps(event, option=orjson.OPT_APPEND_NEWLINE))
    except BrokenPipeError:
        return 1
    return 0


def _end_once(number: int, _frame: object) -> None:
    """Unwinds the stack, so that every bot is stopped; a second signal won't disturb that."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


def _lines() -> Iterator[bytes]:
    buffer = LineBuffer()
    while data := os.read(0, CHUNK):
        buffer.feed(data)
        while (line := buffer.next_line()) is not None:
            yield line


def _write_all(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


if __name__ == "__main__":
    sys.exit(main())
