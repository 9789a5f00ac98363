"""Input of a worker, as JSON lines. The first holds the settings of all games, the others jobs."""

from dataclasses import dataclass
from typing import Any, Literal, NewType

import orjson
from c4_protocol.records.events import VariantRecord
from c4_protocol.rules.variant import Variant

from c4_referee.bots.bot_files import FileState, FileStates
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contain.process import CLOSING_SECONDS
from c4_referee.bots.spec import BotSpec

MIN_PIPE_BYTES = 1 << 16
"""Maximum number of bytes of one read from a worker's pipe."""

QUESTION = "question"
"""Kind of the line with which a worker asks the referee to call a function. Its other keys are
``bot``, ``precept`` and ``allowed_ms``. The answer is a ``Called`` as a JSON array."""
QUICK_SECONDS = 0.2
"""Duration of a game, in seconds, below which nobody can follow its moves."""

WantedEvents = Literal["results", "slow games", "all"]
"""Events that are needed: only ``GameEnded``, or also all other events of games that are slow
enough for a person to follow, or all events."""

BotIndex = NewType("BotIndex", int)
"""Index of a bot in ``WorkerSettings.bots``, from 0. Only the ledger knows the bot's ``Player``
number in the schedule. A bot that was removed from the contest has a ``Player`` number, but no
index."""


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """The variant, the bots, and the time control of each bot.

    ``wanted`` says which events a worker writes. ``files`` are the states of each bot's files when
    the contest began, or empty if the files are not watched. ``person`` is the index of a bot whose
    moves a person makes. Their lines follow the job, one for each move.
    """

    variant: Variant
    bots: tuple[BotSpec, ...]
    controls: tuple[TimeControl, ...]
    wanted: WantedEvents = "all"
    files: tuple[FileStates, ...] = ()
    person: int | None = None

    def game_seconds(self, first: BotIndex, second: BotIndex) -> float:
        """Return the maximum duration of a game of two bots, in seconds.

        This includes two starts of each bot, because a bot may be started again to test whether it
        can start, after its opponent could not.
        """
        moves = self.variant.cells // 2 + 1
        controls = (self.controls[first], self.controls[second])
        playing = sum(control.game_ms(moves) + control.startup_ms for control in controls) / 1000
        return playing + 6 * CLOSING_SECONDS

    def to_line(self) -> bytes:
        """Return the settings as a JSON line."""
        settings = {name: getattr(self, name) for name in self.__slots__}
        settings["variant"] = VariantRecord.of(self.variant)
        return orjson.dumps(settings, option=orjson.OPT_APPEND_NEWLINE)

    @classmethod
    def from_line(cls, line: bytes) -> "WorkerSettings":
        """Return the settings of a line that ``to_line`` made."""
        settings: dict[str, Any] = orjson.loads(line)
        return cls(
            VariantRecord.read(settings["variant"]).variant(),
            tuple(map(BotSpec.read, settings["bots"])),
            tuple(TimeControl(**control) for control in settings["controls"]),
            settings["wanted"],
            tuple(
                {path: FileState(**state) for path, state in states.items()}
                for states in settings["files"]
            ),
            settings["person"],
        )


@dataclass(frozen=True, slots=True)
class Job:
    """One game to play: its number, the bots in seats 1 and 2, and the opening.

    The moves of ``opening`` are made for the bots. ``more`` is true if the same two bots will play
    again. Then bots that are restarted for each game are started early. ``repeated`` is true if a
    bot was late in this game because its opponent used the processors (``Fault.STARVED``).
    ``halts_first`` and ``halts_second`` are true if a bot was found thinking outside of its turns
    in an earlier game (``Fault.PONDERED``). The worker writes ``token`` before every event of the
    game. Only the referee and the worker know the token.
    """

    game: int
    first: BotIndex
    second: BotIndex
    opening: str = ""
    more: bool = False
    repeated: bool = False
    halts_first: bool = False
    halts_second: bool = False
    token: str = ""

    def to_line(self) -> bytes:
        """Return the job as a JSON line."""
        return orjson.dumps(self, option=orjson.OPT_APPEND_NEWLINE)

    @classmethod
    def from_line(cls, line: bytes) -> "Job":
        """Return the job of a line that ``to_line`` made."""
        return cls(**orjson.loads(line))
