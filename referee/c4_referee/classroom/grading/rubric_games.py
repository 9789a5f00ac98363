"""Plays the games of a rubric. Goals share them, and a bot that always fails plays only a few."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

from c4_protocol.program.errors import UsageError
from c4_protocol.records.events import FaultRecord, GameEnded
from c4_protocol.rules.variant import Variant

from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.classroom.grading.rubric import EVEN_SHARE, Rubric, opponent
from c4_referee.contest.contest import Contest
from c4_referee.contest.executor import LOCAL_EXECUTOR, default_concurrency
from c4_referee.records.stats.observations import half_points

MAX_SAME_FAULTS = 3
"""Number of games in a row that a bot loses by the same fault. After these, it plays no more."""

RANDOM_SEEDS = 4
"""Number of seeds with which a random player plays the games of a goal. Its share in few games
would depend on luck."""


@dataclass
class Played:
    """Games of a bot, in order, by the name of the opponent in the rubric.

    ``stopped_by`` is the fault that ended the games early, or "". ``varies`` is true if the bot
    made other moves when games were played again. ``random_shares`` has the share of the points of
    a random player, by opponent, if a goal is about strength.
    """

    games: dict[str, list[GameEnded]] = field(default_factory=dict)
    stopped_by: str = ""
    varies: bool = False
    random_shares: dict[str, float] = field(default_factory=dict)

    @property
    def all_games(self) -> list[GameEnded]:
        """Games against all opponents."""
        return [game for games in self.games.values() for game in games]


def fault_of(game: GameEnded, bot: str) -> FaultRecord | None:
    """Return the fault by which the bot lost the game, or ``None``."""
    return game.fault if game.fault and game.fault.bot == bot else None


def play_games(spec: BotSpec, rubric: Rubric, seed: int, on_step: Callable[[str], None]) -> Played:
    """Play all games of a rubric, one after another, against one opponent after another.

    Then the first two games against each opponent are played again, to see whether the bot varies.
    Raises ``ArenaError`` if the games cannot be played, and ``KeyboardInterrupt`` on Ctrl-C.
    """
    played, faults = Played(), list[str]()
    played.random_shares = random_shares(rubric, seed, on_step)

    def fails_always(game: GameEnded) -> bool:
        fault = fault_of(game, spec.name)
        faults.append(fault.fault if fault else "")
        if len(faults) >= MAX_SAME_FAULTS and len({*faults[-MAX_SAME_FAULTS:]}) == 1:
            played.stopped_by = faults[-1]
        return bool(played.stopped_by)

    for name, number in rubric.games.items():
        on_step(f"{number} games against {name}")
        # One game at a time leaves the bots the processors.
        contest = _match(spec, name, number, rubric, seed)
        played.games[name] = _games(contest, fails_always)
        if played.stopped_by:
            return played
    for name, games in played.games.items():
        again = _games(_match(spec, name, 2, rubric, seed))
        played.varies |= [game.moves for game in again] != [game.moves for game in games[:2]]
        if played.varies:
            break
    return played


def random_shares(
    rubric: Rubric, seed: int, on_step: Callable[[str], None] = lambda _: None
) -> dict[str, float]:
    """Return the share of the points of a random player, by the opponent of a goal about strength.

    It plays the games of the rubric with ``RANDOM_SEEDS`` seeds, once in a process. Raises
    ``UsageError`` if a goal wants no more than this share.
    """
    shares: dict[str, float] = {}
    for goal in rubric.goals:
        if goal.type == "strength":
            on_step(f"games of a random player against {goal.against}")
            shares[goal.against] = share = _random_share(rubric, seed, goal.against)
            if goal.share <= share:
                raise UsageError(
                    f"goal '{goal.name}': a random player scores {share:.0%} against "
                    f"{goal.against}: share must be above {share:.2f}"
                )
    return shares


@cache
def _random_share(rubric: Rubric, seed: int, against: str) -> float:
    if against == "random":
        return EVEN_SHARE
    number, points = rubric.games[against], 0.0
    for other_seed in range(seed + 1, seed + 1 + RANDOM_SEEDS):
        contest = _match(opponent("random", other_seed), against, number, rubric, seed)
        games = _games(replace(contest, concurrency=default_concurrency(LOCAL_EXECUTOR)))
        points += sum(half_points("random", game) for game in games) / 2
    return points / (number * RANDOM_SEEDS)


def _match(spec: BotSpec, against: str, number: int, rubric: Rubric, seed: int) -> Contest:
    """Return a match of some games. The opponent has another name than the bot."""
    other = replace(opponent(against, seed), name=f"{against} (opponent)")
    variant, control = Variant.parse(rubric.variant), TimeControl(rubric.time_ms)
    settings = {"seed": seed, "variant": variant, "control": control}
    return Contest.match(spec, other, number, rubric.openings, **settings)


def _games(
    contest: Contest, decides: Callable[[GameEnded], bool] = lambda _: False
) -> list[GameEnded]:
    outcome = contest.play(decides=decides)
    if outcome.was_interrupted:
        raise KeyboardInterrupt
    return outcome.games
