"""Input of a worker, as JSON lines: the settings that all its games share, then jobs."""

from dataclasses import dataclass
from typing import Any, NewType

import orjson
from c4_protocol.events import VariantRecord
from c4_protocol.variant import Variant

from c4_referee.bots.clock import TimeControl
from c4_referee.bots.process import CLOSING_SECONDS
from c4_referee.bots.spec import BotSpec

PIPE_BYTES = 1 << 16
"""Maximum number of bytes of one read from a worker's pipe."""

BotIndex = NewType("BotIndex", int)
"""Index of a bot in ``WorkerSettings.bots``, from 0. Only the ledger knows its ``Player`` number in
the schedule. A bot that has withdrawn has such a number, but no index."""


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """The variant, the bots, and the time control of each bot.

    With ``results_only``, a worker writes only ``GameEnded``: no handler needs other events.
    """

    variant: Variant
    bots: tuple[BotSpec, ...]
    controls: tuple[TimeControl, ...]
    results_only: bool = False

    def game_seconds(self, first: BotIndex, second: BotIndex) -> float:
        """Return the longest time that a game of two bots may take.

        Each bot may be started twice, because the start of a bot is tested after the start of its
        opponent failed.
        """
        moves = self.variant.cells // 2 + 1
        controls = (self.controls[first], self.controls[second])
        playing = sum(control.game_ms(moves) + control.startup_ms for control in controls) / 1000
        return playing + 6 * CLOSING_SECONDS

    def to_line(self) -> bytes:
        """Return the settings as a JSON line."""
        settings = {
            "variant": VariantRecord.of(self.variant),
            "bots": self.bots,
            "controls": self.controls,
            "results_only": self.results_only,
        }
        return orjson.dumps(settings, option=orjson.OPT_APPEND_NEWLINE)

    @classmethod
    def from_line(cls, line: bytes) -> "WorkerSettings":
        """Return the settings of a line that ``to_line`` made."""
        settings: dict[str, Any] = orjson.loads(line)
        return cls(
            VariantRecord.read(settings["variant"]).variant(),
            tuple(map(BotSpec.read, settings["bots"])),
            tuple(TimeControl(**control) for control in settings["controls"]),
            settings["results_only"],
        )


@dataclass(frozen=True, slots=True)
class Job:
    """One game to play: its number, the bots in seats 1 and 2, and the opening.

    The moves of ``opening`` are made for the bots. ``more`` says that more games of the same two
    bots are waiting. So a bot that is started anew for each game may be started early. Every
    event of the game is preceded by ``token``, which only the referee and the worker know.
    """

    game: int
    first: BotIndex
    second: BotIndex
    opening: str = ""
    more: bool = False
    token: str = ""

    def to_line(self) -> bytes:
        """Return the job as a JSON line."""
        return orjson.dumps(self, option=orjson.OPT_APPEND_NEWLINE)

    @classmethod
    def from_line(cls, line: bytes) -> "Job":
        """Return the job of a line that ``to_line`` made."""
        return cls(**orjson.loads(line))
