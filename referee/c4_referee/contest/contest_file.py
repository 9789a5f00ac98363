"""A TOML file that describes a tournament, with its bots, its system and its conditions."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, fields, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from c4_protocol.program.errors import UsageError
from c4_protocol.program.processors import usable_processors
from c4_protocol.program.text import visible
from c4_protocol.rules.variant import Variant
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from c4_referee.bots.clock import MAX_TIME_MS, TimeControl
from c4_referee.bots.find import bots_from_tables, find_bots
from c4_referee.bots.placeholders import Arguments
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.toml import check_system_texts, checked_text, checked_values, read_toml
from c4_referee.contest import schedule
from c4_referee.contest.choosing import GOALS, GoalSettings
from c4_referee.contest.contest import Contest
from c4_referee.contest.executor import LOCAL_EXECUTOR, default_concurrency
from c4_referee.contest.judging.judge import judge_of
from c4_referee.contest.schedule import MAX_GAMES_AT_ONCE, MAX_ROUNDS_OR_PAIRS
from c4_referee.records.storage.folder_archive import identity_of_variant

BOT_HINT = "each bot has a table [bots.NAME] with its command"
TIME_HINT = 'say time_ms = N, milliseconds for a move, or tc = "60+0.5", seconds for a game'
HINTS_BY_KEY = {
    "games": "say pairs = N: two bots that meet play N pairs of games; each moves first in half",
    "players": BOT_HINT,
    "bot": BOT_HINT,
    "time": TIME_HINT,
    "timeout": TIME_HINT,
    "format": "did you mean system?",
    "jobs": "did you mean concurrency?",
}
"""Wrong keys that users may write, each with advice on what to write instead."""
ADAPTIVE = "adaptive"
GOAL_KEYS = {field.name for field in fields(GoalSettings)}
"""Keys that only an adaptive tournament has."""
MIN_BOTS = 2
ADD_BOT_HINT = "add a table [bots.NAME] with the command of a bot"


def that_parses(parse: Callable[[str], object]) -> AfterValidator:
    """Return a validator of texts that ``parse`` accepts (``bots.toml.checked_text``)."""
    return AfterValidator(partial(checked_text, parse=parse))


def _check_goal(text: str) -> None:
    """Raise ``UsageError`` if a text is no goal."""
    top, _, number = text.partition(" ")
    if text not in GOALS and not (top == "top" and number.isdecimal() and int(number) > 0):
        raise UsageError(f"no goal '{text}': there are best, top N, ranking and placement")


_PassableText = Annotated[str, that_parses(check_system_texts)]


class TournamentFile(BaseModel):
    """Contents of a tournament's file.

    - ``system`` is the name of a module in ``c4_referee.contest.schedule``. This system defines
      what a round is, and how many rounds there are if ``rounds`` is missing.
    - Two bots that meet play ``pairs`` pairs of games. Both games of a pair begin with the same
      opening, and each bot moves first in one of them.
    - ``goal`` is what an adaptive tournament is to tell: ``best``, ``ranking``, ``top N``, or
      ``placement`` of the bots ``place``. It ends when a claim is true with a likelihood of 95%: no
      bot is more than ``within`` Elo points better than a bot that stands higher. It also ends when
      less than a meeting is left of ``max_games``, and after ``minutes`` of a run. A round has at
      most ``meetings`` meetings, however many games are played at the same time.
    - ``anchor`` is a bot whose rating is 0, so that ratings of several tournaments with this bot
      can be compared. Otherwise the mean rating is 0.
    - ``enter`` lists the bots that take part, the best seed first. If ``enter`` is missing, all
      bots of the file except the ``judge`` take part, in the order of the file.
    - ``arguments`` are for the bots whose tables do not set ``arguments``.
    - ``time_ms`` is the time for a move in milliseconds. ``tc`` is the time for a game in seconds,
      as in ``60+0.5``.
    - With ``strict``, a bot is barred if it is the reason for lost games (``play.suspects``).
    - A bot that forfeits its first ``give_up`` games by the same fault plays no more, and none of
      its games counts. With 0, no bot gives up. The default is ``contest.DEFAULT_GIVE_UP``.
    - ``concurrency`` is the maximum number of games at the same time. The default is one for each
      processor.
    - ``sandbox`` says whether bots run in the sandbox. ``true`` is for all bots, ``false`` for the
      bots whose tables do not set ``sandbox``. If it is missing, other people's bots run in the
      sandbox if this machine has one.
    - With ``accuracy``, the bot ``judge`` judges the moves, in at most ``judge_seconds`` seconds.
      ``judge`` is a name of ``bots`` or a command line. The default is our own bot, which can judge
      only the standard game.
    - ``out`` is the folder where the games are stored. The default is the file's name without its
      ending, or with ``.out`` if the name has no ending. Several tournaments may share a folder if
      their ``name`` differs.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    name: Annotated[str, Field(min_length=1), AfterValidator(visible)]
    system: Annotated[str, that_parses(schedule.system)] = "round-robin"
    rounds: int | None = Field(default=None, ge=1, le=MAX_ROUNDS_OR_PAIRS)
    pairs: int = Field(default=1, ge=1, le=MAX_ROUNDS_OR_PAIRS)
    goal: Annotated[str, that_parses(_check_goal)] = "best"
    within: float = Field(default=30.0, gt=0, allow_inf_nan=False)
    place: list[str] = []
    meetings: int = Field(default=16, ge=1, le=MAX_ROUNDS_OR_PAIRS)
    max_games: int | None = Field(default=None, ge=1, le=MAX_ROUNDS_OR_PAIRS)
    minutes: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    openings: _PassableText = "none"
    seed: int = Field(default=0, ge=-(1 << 63), lt=1 << 63)
    variant: Annotated[str, that_parses(Variant.parse)] = "standard"
    time_ms: float = Field(default=1000.0, gt=0, lt=MAX_TIME_MS, allow_inf_nan=False)
    tc: Annotated[str, that_parses(TimeControl.parse)] | None = None
    first_ms: float | None = Field(default=None, gt=0, lt=MAX_TIME_MS, allow_inf_nan=False)
    startup_ms: float = Field(default=10_000.0, gt=0, lt=MAX_TIME_MS, allow_inf_nan=False)
    concurrency: int | None = Field(default=None, ge=1, le=MAX_GAMES_AT_ONCE)
    executor: str = "local"
    pin: bool = False
    freeze: bool | None = None
    sandbox: bool | None = None
    strict: bool = False
    give_up: int | None = Field(default=None, ge=0, le=MAX_ROUNDS_OR_PAIRS)
    arguments: Arguments | None = None
    accuracy: bool = True
    judge: _PassableText | None = None
    judge_seconds: float = Field(default=300.0, gt=0, allow_inf_nan=False)
    out: _PassableText
    anchor: str | None = None
    enter: list[str] | None = None
    bots: dict[str, BotSpec]

    @model_validator(mode="after")
    def _check_consistency(self) -> "TournamentFile":
        if self.tc is not None and {"time_ms", "first_ms"} & self.model_fields_set:
            raise ValueError("tc is a clock for the whole game: leave out time_ms and first_ms")
        for name in self.enter or ():
            if name not in self.bots:
                known = ", ".join(self.bots)
                raise ValueError(
                    f"enter names '{name}', which is no [bots.NAME]: there are {known}"
                )
        if self.anchor not in {None, *self.entrants}:
            raise ValueError(f"anchor names '{self.anchor}', which does not take part")
        if len(self.entrants) < MIN_BOTS:
            raise ValueError(self._too_few_bots_message())
        if len(set(self.entrants)) < len(self.entrants):
            raise ValueError("enter names a bot twice: make another table for its twin")
        return self

    @model_validator(mode="after")
    def _check_goal_keys(self) -> "TournamentFile":
        others = GOAL_KEYS & self.model_fields_set
        if others and self.system != ADAPTIVE:
            raise ValueError(f'{min(others)} is for system = "{ADAPTIVE}"')
        if unknown := [name for name in self.place if name not in self.entrants]:
            raise ValueError(f"place names '{unknown[0]}', which does not take part")
        if bool(self.place) != (self.goal == "placement"):
            raise ValueError('goal = "placement" needs place = ["NAME"], and no other goal does')
        return self

    def _too_few_bots_message(self) -> str:
        """Return an error message that says how to add bots."""
        there = f"only '{self.entrants[0]}' takes part" if self.entrants else "no bot takes part"
        if self.enter is None and self.judge in self.bots:
            there += f", because '{self.judge}' is the judge"
        add = "name more bots in enter, or leave it out" if self.enter is not None else ADD_BOT_HINT
        return f"{there}, and a tournament needs two bots or more: {add}"

    @property
    def entrants(self) -> list[str]:
        """Names of the bots that take part, the best seed first."""
        if self.enter is not None:
            return self.enter
        return [name for name in self.bots if name != self.judge]

    @property
    def control(self) -> TimeControl:
        """Time control of the bots whose tables do not set ``time_ms``."""
        clock = TimeControl.parse(self.tc) if self.tc else TimeControl(self.time_ms)
        return replace(clock, first_ms=self.first_ms, startup_ms=self.startup_ms)

    @property
    def goal_settings(self) -> GoalSettings | None:
        """What the tournament is to tell, or ``None`` if its system is not adaptive."""
        if self.system != ADAPTIVE:
            return None
        return GoalSettings(**self.model_dump(include=GOAL_KEYS) | {"place": tuple(self.place)})

    def contest(self) -> Contest:
        """Return the contest that the file describes. Bots that cannot be started are ``missing``.

        Games run on the processors of this machine, or on a cluster if ``executor`` names one.
        Raises ``UsageError`` if the bot ``judge`` cannot be a judge.
        """
        variant, is_local = Variant.parse(self.variant), self.executor == LOCAL_EXECUTOR
        judge = judge_of(self.judge, self.bots, variant)
        settings: dict[str, Any] = {} if self.freeze is None else {"freeze": self.freeze}
        missing: dict[str, str] = {}
        # All settings that affect the games, except the bots and the number of rounds.
        identity = self.model_dump(include={"name", "system", "pairs", "openings", "seed"}) | {
            "variant": identity_of_variant(variant),
            "control": asdict(self.control),
        }
        if self.anchor is not None:
            identity["anchor"] = self.anchor
        bots = find_bots(
            self.entrants,
            self.bots,
            here=is_local,
            arguments=self.arguments,
            sandbox=self.sandbox,
            missing=missing,
            **settings,
        )
        return Contest(
            bots=tuple(bots),
            system=schedule.system(self.system),
            rounds=self.rounds,
            pairs=self.pairs,
            openings=self.openings,
            seed=self.seed,
            judge=judge,
            variant=variant,
            control=self.control,
            concurrency=self.concurrency or default_concurrency(self.executor),
            executor=self.executor,
            strict=self.strict,
            give_up=self.give_up,
            missing=missing,
            goal=self.goal_settings,
            cpus=tuple(usable_processors()) if self.pin else (),
            identity=identity,
        )


def read_tournament(path: Path, more: Iterable[BotSpec] = (), **settings: object) -> TournamentFile:
    """Return the tournament that a file describes. ``settings`` override keys of the file.

    Bots of ``more`` take the place of those with the same names, or follow the others.

    Raises ``UsageError``, which names the wrong key and what was expected.
    """
    document = read_toml(path, "the tournament")
    bots = bots_from_tables(document.pop("bots", {}), str(path))
    bots |= {bot.name: bot for bot in more}
    out = path.with_suffix("" if path.suffix else ".out")
    defaults = {"name": path.stem, "out": str(out), "bots": bots}
    return checked_values(
        TournamentFile, defaults | document | settings, str(path), hints=HINTS_BY_KEY
    )
