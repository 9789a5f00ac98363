"""Plays the games of a rubric. Goals share them, and a bot that always fails plays only a few."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from c4_protocol.records.events import FaultRecord, GameEnded
from c4_protocol.rules.variant import Variant

from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.classroom.grading.rubric import Rubric, opponent
from c4_referee.contest.contest import Contest

MAX_SAME_FAULTS = 3
"""Number of games in a row that a bot loses by the same fault. After these, it plays no more."""


@dataclass
class Played:
    """Games of a bot, in order, by the name of the opponent in the rubric.

    ``stopped_by`` is the fault that ended the games early, or "".
    """

    games: dict[str, list[GameEnded]] = field(default_factory=dict)
    stopped_by: str = ""

    @property
    def all_games(self) -> list[GameEnded]:
        """Games against all opponents."""
        return [game for games in self.games.values() for game in games]


def fault_of(game: GameEnded, bot: str) -> FaultRecord | None:
    """Return the fault by which the bot lost the game, or ``None``."""
    return game.fault if game.fault and game.fault.bot == bot else None


def play_games(spec: BotSpec, rubric: Rubric, seed: int, on_step: Callable[[str], None]) -> Played:
    """Play all games of a rubric, one after another, against one opponent after another.

    Raises ``ArenaError`` if the games cannot be played, and ``KeyboardInterrupt`` on Ctrl-C.
    """
    played, faults, control = Played(), list[str](), TimeControl(rubric.time_ms)

    def fails_always(game: GameEnded) -> bool:
        fault = fault_of(game, spec.name)
        faults.append(fault.fault if fault else "")
        if len(faults) >= MAX_SAME_FAULTS and len({*faults[-MAX_SAME_FAULTS:]}) == 1:
            played.stopped_by = faults[-1]
        return bool(played.stopped_by)

    for name, number in rubric.games.items():
        on_step(f"{number} games against {name}")
        other = replace(opponent(name, seed), name=f"{name} (opponent)")  # two bots have two names
        settings = {"seed": seed, "variant": Variant.parse(rubric.variant), "control": control}
        # One game at a time leaves the bots the processors.
        contest = Contest.match(spec, other, number, rubric.openings, **settings)
        outcome = contest.play(decides=fails_always)
        if outcome.was_interrupted:
            raise KeyboardInterrupt
        played.games[name] = outcome.games
        if played.stopped_by:
            break
    return played
