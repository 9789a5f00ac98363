"""A rubric: what a bot gets points for, read from a TOML file (``examples/rubric.toml``)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar

from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import numbered_names, visible
from c4_protocol.rules.variant import Variant
from pydantic import AfterValidator, Field

from c4_referee.bots.clock import MAX_TIME_MS
from c4_referee.bots.find import find_bots
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.toml import checked_text, checked_values, read_toml
from c4_referee.judging.judge import our_judge_can_judge
from c4_referee.report.texts import joined_with_or

MAX_GAMES = 1000
"""Maximum number of games against one opponent."""
MAX_POINTS = 1_000_000
OPPONENTS = {
    "random": BotSpec("random", ("c4-bot", "--plays", "random")),
    **{
        f"level-{level}": BotSpec(f"level-{level}", ("c4-bot", "--level", str(level)))
        for level in range(1, 11)
    },
}
"""Opponents that a rubric can name, by name."""


def opponent(text: str, seed: int = 0) -> BotSpec:
    """Return the opponent of this name, which gets the seed, or the bot with this command line.

    Raises ``UsageError`` if the bot cannot be started.
    """
    (spec,) = find_bots([text], OPPONENTS)
    if text in OPPONENTS:
        return replace(spec, command=(*spec.command, f"--seed={seed}"))
    return spec


def _that_parses(parse: Callable[[str], object]) -> AfterValidator:
    return AfterValidator(partial(checked_text, parse=parse))


_Share = Annotated[float, Field(gt=0, le=1, strict=True)]


@dataclass(frozen=True, kw_only=True)
class Goal:
    """A line of a rubric, which gives at most ``points``.

    ``name`` is what students read; the default says what is wanted. With ``partial``, a bot that
    does not reach the goal gets points in proportion to what it reaches.
    """

    points: Annotated[float, Field(ge=0, le=MAX_POINTS, strict=True)]
    name: Annotated[str, AfterValidator(visible)] = ""
    partial: Annotated[bool, Field(strict=True)] = True

    __pydantic_config__: ClassVar = {"extra": "forbid"}
    title: ClassVar[str]
    """What is wanted, in words. The name of a field in braces stands for its value."""


@dataclass(frozen=True, kw_only=True)
class Check(Goal):
    """The bot follows all rules of the check that are about this referee."""

    title = "Follows the rules"


@dataclass(frozen=True, kw_only=True)
class GamesGoal(Goal):
    """A goal that is reached in ``games`` games ``against`` an opponent (``opponent``)."""

    against: Annotated[str, _that_parses(opponent)]
    games: Annotated[int, Field(ge=2, le=MAX_GAMES, multiple_of=2, strict=True)] = 10


@dataclass(frozen=True, kw_only=True)
class Wins(GamesGoal):
    """The bot wins at least ``wins`` of the games."""

    wins: Annotated[int, Field(ge=1, strict=True)]
    title = "Beats {against} in {wins} of {games} games"

    def __post_init__(self) -> None:
        if self.wins > self.games:
            raise ValueError(f"nobody wins {self.wins} of {self.games} games")


@dataclass(frozen=True, kw_only=True)
class Score(GamesGoal):
    """The bot gets at least this ``share`` of the points of the games; a draw is half a point."""

    share: _Share = 0.5
    title = "Scores {share:.0%} in {games} games against {against}"


@dataclass(frozen=True, kw_only=True)
class Accuracy(Goal):
    """At least this ``share`` of the bot's moves, in all games, keeps the result of best play."""

    share: _Share
    title = "Accuracy of {share:.0%}"


@dataclass(frozen=True, kw_only=True)
class NoFault(Goal):
    """The bot loses no game by a fault."""

    title = "Commits no fault"


TYPES: dict[str, type[Goal]] = {
    "check": Check,
    "wins": Wins,
    "score": Score,
    "accuracy": Accuracy,
    "no-fault": NoFault,
}
"""Classes of goals, by the value of the key ``type``."""


@dataclass(frozen=True)
class Settings:
    """How the games of a rubric are played.

    ``time_ms`` is the time for a move in milliseconds, and ``variant`` the game. Each game begins
    with ``opening_moves`` random moves. Moves are judged for at most ``judge_seconds`` seconds.
    """

    time_ms: Annotated[float, Field(gt=0, lt=MAX_TIME_MS, strict=True)] = 1000.0
    opening_moves: Annotated[int, Field(ge=0, le=20, strict=True)] = 4
    variant: Annotated[str, _that_parses(Variant.parse)] = "standard"
    judge_seconds: Annotated[float, Field(gt=0, lt=86_400, strict=True)] = 120.0

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    @property
    def openings(self) -> str:
        """Source of openings (``contest.openings.Openings``)."""
        return f"random:{self.opening_moves}" if self.opening_moves else "none"


@dataclass(frozen=True)
class Rubric:
    """Goals, with different names, and how their games are played."""

    goals: tuple[Goal, ...]
    settings: Settings = Settings()

    @property
    def games(self) -> dict[str, int]:
        """Number of games against each opponent: the most that a goal needs."""
        wanted = [goal for goal in self.goals if isinstance(goal, GamesGoal)]
        return {goal.against: goal.games for goal in sorted(wanted, key=lambda goal: goal.games)}


def read_rubric(path: str | Path) -> Rubric:
    """Return the rubric of a TOML file, or raise ``UsageError``, which names the wrong key."""
    document, source = read_toml(path, "the rubric"), str(path)
    tables = document.pop("goal", None)
    if not (isinstance(tables, list) and tables and all(isinstance(t, dict) for t in tables)):
        raise UsageError(f"{source}: there is no goal: write a table [[goal]] for each")
    goals = [_goal(dict(table), f"goal {number}", source) for number, table in enumerate(tables, 1)]
    settings = checked_values(Settings, document, source)
    rubric = Rubric(_with_names(goals), settings)
    _check_measurable(rubric, source)
    return rubric


def _goal(values: dict[str, Any], place: str, source: str) -> Goal:
    kind = values.pop("type", None)
    if kind not in TYPES:
        raise UsageError(f"{source}: {place}.type: say {joined_with_or([*TYPES])}")
    return checked_values(TYPES[kind], values, source, place)


def _with_names(goals: list[Goal]) -> tuple[Goal, ...]:
    """Return the goals with different names, because GitLab drops tests with equal names."""
    named: list[Goal] = []
    for goal in goals:
        taken = {other.name for other in named}
        names = numbered_names(goal.name or goal.title.format(**vars(goal)))
        named.append(replace(goal, name=next(name for name in names if name not in taken)))
    return tuple(named)


def _check_measurable(rubric: Rubric, source: str) -> None:
    """Raise ``UsageError`` for a goal that is about games of which nothing is known."""
    kinds = {type(goal) for goal in rubric.goals}
    if kinds & {Accuracy, NoFault} and not rubric.games:
        raise UsageError(f'{source}: no goal plays games: add one with type = "wins" or "score"')
    if Accuracy in kinds and not our_judge_can_judge(Variant.parse(rubric.settings.variant)):
        raise UsageError(f"{source}: accuracy is known only for the variant standard")
