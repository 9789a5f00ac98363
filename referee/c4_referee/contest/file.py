"""A tournament as a TOML file: who plays, by which system, under which conditions."""

from collections.abc import Callable
from pathlib import Path

from c4_protocol.errors import ArenaError
from c4_protocol.variant import Variant
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from c4_referee import schedule
from c4_referee.bots.clock import LONGEST_MS, TimeControl
from c4_referee.bots.command_line import Arguments
from c4_referee.bots.spec import BotSpec, bots_of
from c4_referee.bots.toml import check_no_nul, checked, read_toml
from c4_referee.schedule import MOST

MOST_AT_ONCE = 10_000
"""Games: each takes a process, and one for each of its bots."""
BOT = "each bot has a table [bots.NAME] with its command"
TIME = 'say time_ms = N, milliseconds for a move, or tc = "60+0.5", seconds for a game'
HINTS = {
    "games": "say pairs = N: two bots that meet play N pairs of games, each going first in half",
    "players": BOT,
    "bot": BOT,
    "time": TIME,
    "timeout": TIME,
    "format": "did you mean system?",
    "jobs": "did you mean concurrency?",
}
"""What to write instead of names that other programs have for a key."""
MIN_BOTS = 2
ADD_BOT = "add a table [bots.NAME] with the command of a bot"


class TournamentFile(BaseModel):
    """What a tournament's file says.

    ``system`` is one of ``c4_referee.schedule``, which says what a round is and how many there are
    without ``rounds``: a ladder then has as many as there are bots. Two bots that meet play
    ``pairs`` pairs of games. Both games of a pair begin with the same opening, and each bot goes
    first once. All bots of the file but the ``judge`` take part, or those that ``enter`` names;
    their order is that of the seeds. ``arguments`` are for the bots whose tables set none.
    ``out`` is the folder where all is kept, by default the file's name without its ending, beside
    it; several tournaments may share one, told apart by their ``name``. ``time_ms`` is for a move,
    ``tc`` for a game, as in ``60+0.5`` seconds. ``concurrency`` games are played at once, by
    default one for each processor. ``accuracy`` says whether moves are judged where they can be,
    and ``judge`` by whom, if not by our own solver, a name of ``bots`` or a command line, in at
    most ``judge_seconds``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: str = Field(min_length=1)
    system: str = "round-robin"
    rounds: int | None = Field(default=None, ge=1, le=MOST)
    pairs: int = Field(default=1, ge=1, le=MOST)
    openings: str = "none"
    seed: int = Field(default=0, ge=-(1 << 63), lt=1 << 63)
    variant: str = "standard"
    time_ms: float = Field(default=1000.0, gt=0, lt=LONGEST_MS, allow_inf_nan=False)
    tc: str | None = None
    first_ms: float | None = Field(default=None, gt=0, lt=LONGEST_MS, allow_inf_nan=False)
    startup_ms: float = Field(default=10_000.0, gt=0, lt=LONGEST_MS, allow_inf_nan=False)
    concurrency: int | None = Field(default=None, ge=1, le=MOST_AT_ONCE)
    executor: str = "local"
    pin: bool = False
    freeze: bool = False
    sandbox: bool = False
    arguments: Arguments | None = None
    accuracy: bool = True
    judge: str | None = None
    judge_seconds: float = Field(default=300.0, gt=0, allow_inf_nan=False)
    out: str
    enter: list[str] | None = None
    bots: dict[str, BotSpec]

    @field_validator("system")
    @classmethod
    def _known_system(cls, name: str) -> str:
        return _valid(name, schedule.system)

    @field_validator("variant")
    @classmethod
    def _known_variant(cls, text: str) -> str:
        return _valid(text, Variant.parse)

    @field_validator("openings", "judge", "out")
    @classmethod
    def _passable(cls, text: str | None) -> str | None:
        check_no_nul(text or "")
        return text

    @field_validator("tc")
    @classmethod
    def _known_control(cls, text: str | None) -> str | None:
        return text and _valid(text, TimeControl.parse)

    @model_validator(mode="after")
    def _consistent(self) -> "TournamentFile":
        if self.tc is not None and {"time_ms", "first_ms"} & self.model_fields_set:
            raise ValueError("tc is a clock for the whole game: leave out time_ms and first_ms")
        for name in self.enter or ():
            if name not in self.bots:
                known = ", ".join(self.bots)
                raise ValueError(
                    f"enter names '{name}', which is no [bots.NAME]: there are {known}"
                )
        if len(self.entrants) < MIN_BOTS:
            raise ValueError(self._too_few())
        if len(set(self.entrants)) < len(self.entrants):
            raise ValueError("enter names a bot twice: make another table for its twin")
        return self

    def _too_few(self) -> str:
        """Return what to add so that there are bots enough."""
        there = f"only '{self.entrants[0]}' takes part" if self.entrants else "no bot takes part"
        if self.enter is None and self.judge in self.bots:
            there += f", as '{self.judge}' is the judge"
        add = "name more bots in enter, or leave it out" if self.enter is not None else ADD_BOT
        return f"{there}, and a tournament needs two bots or more: {add}"

    @property
    def entrants(self) -> list[str]:
        """The names of those who take part, the best seed first."""
        if self.enter is not None:
            return self.enter
        return [name for name in self.bots if name != self.judge]

    @property
    def control(self) -> TimeControl:
        """The time of those who have none of their own."""
        clock = TimeControl.parse(self.tc) if self.tc else TimeControl(self.time_ms)
        return TimeControl(
            clock.move_ms, clock.main_ms, clock.increment_ms, self.first_ms, self.startup_ms
        )


def read_tournament(path: Path, **settings: object) -> TournamentFile:
    """The tournament of a file, with ``settings`` in place of what that says.

    Raises ``UsageError`` naming the key that is wrong, and what was expected.
    """
    document = read_toml(path, "the tournament")
    bots = bots_of(document.pop("bots", {}), str(path))
    defaults = {"name": path.stem, "out": str(path.with_suffix("")), "bots": bots}
    return checked(TournamentFile, defaults | document | settings, str(path), hints=HINTS)


def _valid(text: str, parse: Callable[[str], object]) -> str:
    try:
        parse(text)
    except ArenaError as error:
        raise ValueError(str(error)) from None
    return text
