"""A rubric: what a bot gets points for, read from a TOML file (``examples/rubric.toml``)."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, ClassVar

from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import numbered_names, visible
from c4_protocol.rules.variant import Variant
from pydantic import AfterValidator, Field

from c4_referee.bots.clock import MAX_TIME_MS
from c4_referee.bots.find import find_bots
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.toml import checked_values, read_toml
from c4_referee.contest.contest_file import that_parses
from c4_referee.contest.judging.judge import our_judge_can_judge
from c4_referee.report.texts import joined_with_or

MAX_GAMES = 1000
"""Maximum number of games against one opponent."""
MAX_POINTS = 1_000_000
EVEN_SHARE = 0.5
"""Share of the points that a bot gets against itself, if both move first equally often."""
OPPONENTS = {"random": "--plays random", **{f"level-{n}": f"--level {n}" for n in range(1, 11)}}
"""Opponents that a rubric can name: options of ``c4-bot`` by name."""
KINDS = {
    "check": ("Follows the rules", ""),
    "wins": ("Beats {against} in {wins} of {games} games", "against games wins"),
    "score": ("Scores {share:.0%} in {games} games against {against}", "against games share"),
    "strength": (
        "Scores {share:.0%} in {games} games against {against}, counted from a random player",
        "against games share",
    ),
    "accuracy": ("Accuracy of {share:.0%}", "share"),
    "no-fault": ("Commits no fault", ""),
}
"""Name in words and own keys of goals, by their ``type``. All but ``games`` must be set."""
OWN_KEYS = ("against", "games", "share", "wins")
"""Keys that only some types of goals have."""


def opponent(text: str, seed: int = 0) -> BotSpec:
    """Return the opponent of this name, or the bot with this command line.

    Bots of ours get the seed. Raises ``UsageError`` if the bot cannot be started.
    """
    known = {
        name: BotSpec(name, ("c4-bot", *options.split())) for name, options in OPPONENTS.items()
    }
    (spec,) = find_bots([text], known)
    has_seed = any(argument.partition("=")[0] == "--seed" for argument in spec.command)
    if spec.command[0] == "c4-bot" and not has_seed:
        return replace(spec, command=(*spec.command, f"--seed={seed}"))
    return spec


@dataclass(frozen=True, kw_only=True)
class Goal:
    """A line of a rubric, which gives at most ``points``. ``type`` is a key of ``KINDS``.

    ``name`` is what students read. With ``partial``, a bot that does not reach the goal gets points
    in proportion to what it reaches. The last four fields are for the types that ``KINDS`` says:
    number of ``games`` ``against`` an opponent (``opponent``), how many ``wins`` are wanted, and
    which ``share`` of the points of the games or of the moves.
    """

    type: str
    points: Annotated[float, Field(ge=0, le=MAX_POINTS, strict=True)]
    name: Annotated[str, AfterValidator(visible)] = ""
    partial: Annotated[bool, Field(strict=True)] = True
    against: Annotated[str, that_parses(opponent)] = ""
    games: Annotated[int, Field(ge=2, le=MAX_GAMES, multiple_of=2, strict=True)] = 10
    wins: Annotated[int, Field(ge=1, strict=True)] = 1
    share: Annotated[float, Field(gt=0, le=1, strict=True)] = 0.5

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    def __post_init__(self) -> None:
        if self.wins > self.games:
            raise ValueError(f"nobody wins {self.wins} of {self.games} games")
        if self.type == "strength" and self.against == "random" and self.share <= EVEN_SHARE:
            raise ValueError("a random player scores 50% against random: share must be above 0.5")

    def worth(self, share: float) -> float:
        """Return the points for a share of the goal that is reached, which may be above 1."""
        if share >= 1:
            return self.points
        return round(self.points * max(share, 0.0), 2) if self.partial else 0.0


@dataclass(frozen=True)
class Rubric:
    """Goals, with different names, and how their games are played.

    ``time_ms`` is the time for a move in milliseconds, and ``variant`` the game. Each game begins
    with ``opening_moves`` random moves.
    """

    goals: tuple[Goal, ...]
    time_ms: Annotated[float, Field(gt=0, lt=MAX_TIME_MS, strict=True)] = 1000.0
    opening_moves: Annotated[int, Field(ge=0, le=20, strict=True)] = 4
    variant: Annotated[str, that_parses(Variant.parse)] = "standard"

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    @property
    def openings(self) -> str:
        """Source of openings (``contest.openings.Openings``)."""
        return f"random:{self.opening_moves}" if self.opening_moves else "none"

    @property
    def games(self) -> dict[str, int]:
        """Number of games against each opponent: the most that a goal needs."""
        wanted = [goal for goal in self.goals if goal.against]
        return {goal.against: goal.games for goal in sorted(wanted, key=lambda goal: goal.games)}

    def has(self, *types: str) -> bool:
        """Return whether a goal has one of these types."""
        return any(goal.type in types for goal in self.goals)


def read_rubric(path: str | Path) -> Rubric:
    """Return the rubric of a TOML file, or raise ``UsageError``, which names the wrong key."""
    document, source = read_toml(path, "the rubric"), str(path)
    tables = document.pop("goal", None)
    if not (isinstance(tables, list) and tables and all(isinstance(t, dict) for t in tables)):
        raise UsageError(f"{source}: there is no goal: write a table [[goal]] for each")
    goals: dict[str, Goal] = {}
    for number, table in enumerate(tables, 1):
        goal = _goal(table, f"goal {number}", source, taken=goals)
        goals[goal.name] = goal
    rubric = checked_values(Rubric, {"goals": tuple(goals.values()), **document}, source)
    if rubric.has("accuracy", "no-fault") and not rubric.games:
        raise UsageError(f'{source}: no goal plays games: add one with type = "wins" or "score"')
    if rubric.has("accuracy") and not our_judge_can_judge(Variant.parse(rubric.variant)):
        raise UsageError(f"{source}: accuracy is known only for the variant standard")
    return rubric


def _goal(table: dict[str, Any], place: str, source: str, taken: Collection[str]) -> Goal:
    """Return the goal of a table, with a name that is not ``taken``: GitLab drops equal names."""
    if table.get("type") not in [*KINDS]:
        raise UsageError(f"{source}: {place}.type: say {joined_with_or([*KINDS])}")
    goal = checked_values(Goal, table, source, place)
    title, words = KINDS[goal.type]
    keys = words.split()
    if missing := [key for key in keys if key not in {"games", *table}]:
        raise UsageError(f"{source}: {place}.{missing[0]}: field required")
    if extra := [key for key in OWN_KEYS if key in table and key not in keys]:
        raise UsageError(f"{source}: {place}.{extra[0]}: type {goal.type} has no such key")
    names = numbered_names(goal.name or title.format(**vars(goal)))
    return replace(goal, name=next(name for name in names if name not in taken))
