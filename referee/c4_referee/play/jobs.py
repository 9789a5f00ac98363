"""What a worker is told: settings that all its games have in common, and jobs, a JSON line each."""

from dataclasses import dataclass
from typing import Any

import orjson
from c4_protocol.events import VariantRecord
from c4_protocol.variant import Variant

from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec


@dataclass(frozen=True, slots=True)
class Settings:
    """The rules, the bots, and the time of each.

    With ``results_only`` nobody wants to know how a game goes on.
    """

    variant: Variant
    bots: tuple[BotSpec, ...]
    controls: tuple[TimeControl, ...]
    results_only: bool = False

    def to_line(self) -> bytes:
        """The settings as a JSON line."""
        settings = {
            "variant": VariantRecord.of(self.variant),
            "bots": [bot.model_dump() for bot in self.bots],
            "controls": self.controls,
            "results_only": self.results_only,
        }
        return orjson.dumps(settings, option=orjson.OPT_APPEND_NEWLINE)

    @classmethod
    def from_line(cls, line: bytes) -> "Settings":
        """The settings of a line that ``to_line`` made."""
        settings: dict[str, Any] = orjson.loads(line)
        return cls(
            VariantRecord.read(settings["variant"]).variant(),
            tuple(BotSpec.model_validate(bot) for bot in settings["bots"]),
            tuple(TimeControl(**control) for control in settings["controls"]),
            settings["results_only"],
        )


@dataclass(frozen=True, slots=True)
class Job:
    """A game to play: its number, and who plays, by their place in the settings.

    ``opening`` are the moves that are made for them; ``more`` says that the same two play in
    other games that are waiting, so that they may be started ahead.
    """

    game: int
    first: int
    second: int
    opening: str = ""
    more: bool = False

    def to_line(self) -> bytes:
        """The job as a JSON line."""
        return orjson.dumps(self, option=orjson.OPT_APPEND_NEWLINE)

    @classmethod
    def from_line(cls, line: bytes) -> "Job":
        """The job of a line that ``to_line`` made."""
        return cls(**orjson.loads(line))
