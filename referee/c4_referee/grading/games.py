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


class FaultsInARow:
    """Counter of the last games that a bot has lost by the same fault."""

    def __init__(self, bot: str) -> None:
        self._bot = bot
        self._number = 0
        self.fault = ""

    def take(self, game: GameEnded) -> bool:
        """Count a game, and return whether the bot has failed ``MAX_SAME_FAULTS`` times."""
        fault = fault_of(game, self._bot)
        self._number = self._number + 1 if fault and fault == self.fault else bool(fault)
        self.fault = fault
        return self.has_failed

    @property
    def has_failed(self) -> bool:
        """True if the last ``MAX_SAME_FAULTS`` games were lost by the same fault."""
        return self._number >= MAX_SAME_FAULTS


def fault_of(game: GameEnded, bot: str) -> str:
    """Return the name of the fault by which the bot lost the game, or ""."""
    return game.fault.fault if game.fault and game.fault.bot == bot else ""


def play_games(
    spec: BotSpec, rubric: Rubric, seed: int, concurrency: int, on_step: Callable[[str], None]
) -> Played:
    """Play all games of a rubric, against one opponent after another.

    Raises ``ArenaError`` if the games cannot be played, and ``KeyboardInterrupt`` on Ctrl-C.
    """
    played, faults = Played(), FaultsInARow(spec.name)
    for name, number in rubric.games.items():
        on_step(f"{number} games against {name}")
        contest = _contest(spec, name, rubric, seed, concurrency)
        outcome = contest.play(decides=faults.take)
        if outcome.was_interrupted:
            raise KeyboardInterrupt
        played.games[name] = outcome.games
        if faults.has_failed:
            played.stopped_by = faults.fault
            break
    return played


def _contest(spec: BotSpec, name: str, rubric: Rubric, seed: int, concurrency: int) -> Contest:
    other, settings = opponent(name, seed), rubric.settings
    if other.name == spec.name:
        other = replace(other, name=f"{name} (opponent)")
    moves = settings.opening_moves
    return Contest.match(
        spec,
        other,
        games=rubric.games[name],
        openings=f"random:{moves}" if moves else "none",
        seed=seed,
        variant=Variant.parse(settings.variant),
        control=TimeControl(settings.time_ms),
        concurrency=concurrency,
    )
