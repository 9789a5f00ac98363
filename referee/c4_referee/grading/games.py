"""Plays the games of a rubric. Goals share them, and a bot that always fails plays only a few."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from c4_protocol.records.events import GameEnded
from c4_protocol.rules.variant import Variant

from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.grading.rubric import Rubric, opponent

MAX_SAME_FAULTS = 3
"""Number of games in a row that a bot loses by the same fault. After these, it plays no more."""


@dataclass
class Played:
    """Games of a bot, in order, by the name of the opponent in the rubric.

    ``stopped_by`` is the fault that ended the games early, or "".
    """

    games: dict[str, list[GameEnded]] = field(default_factory=dict)
    stopped_by: str = ""


def fault_of(game: GameEnded, bot: str) -> str:
    """Return the name of the fault by which the bot lost the game, or ""."""
    return game.fault.fault if game.fault and game.fault.bot == bot else ""


def play_games(spec: BotSpec, rubric: Rubric, seed: int, on_step: Callable[[str], None]) -> Played:
    """Play all games of a rubric, one after another, against one opponent after another.

    Raises ``ArenaError`` if the games cannot be played, and ``KeyboardInterrupt`` on Ctrl-C.
    """
    played, faults = Played(), list[str]()

    def fails_always(game: GameEnded) -> bool:
        faults.append(fault_of(game, spec.name))
        last = faults[-MAX_SAME_FAULTS:]
        played.stopped_by = last[0] if last == [last[0]] * MAX_SAME_FAULTS else ""
        return bool(played.stopped_by)

    for name, number in rubric.games.items():
        on_step(f"{number} games against {name}")
        outcome = _contest(spec, name, rubric, seed).play(decides=fails_always)
        if outcome.was_interrupted:
            raise KeyboardInterrupt
        played.games[name] = outcome.games
        if played.stopped_by:
            break
    return played


def _contest(spec: BotSpec, name: str, rubric: Rubric, seed: int) -> Contest:
    """Return the match of a bot and an opponent. One game at a time leaves it the processors."""
    other, settings = opponent(name, seed), rubric.settings
    if other.name == spec.name:
        other = replace(other, name=f"{name} (opponent)")
    return Contest.match(
        spec,
        other,
        games=rubric.games[name],
        openings=settings.openings,
        seed=seed,
        variant=Variant.parse(settings.variant),
        control=TimeControl(settings.time_ms),
    )
