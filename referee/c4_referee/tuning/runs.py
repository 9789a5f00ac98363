"""A whole run: plays its rounds, stores them, and summarises the result."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from c4_referee.tuning.arena import Arena
from c4_referee.tuning.evolution import RunSettings, StoppingRule, TuningRound, evolve
from c4_referee.tuning.folder import Effort, RunFolder
from c4_referee.tuning.genetic import Weights

RoundHandler = Callable[[TuningRound], None]
"""Function that is called with every round after it has been played."""


@dataclass(frozen=True)
class RunOutcome:
    """Result of a run, as ``c4-tune evolve --json`` prints it.

    ``games`` is the number of games of all rounds, and ``distinct_games`` the number of those with
    different moves. ``played`` is the number of games that had to be played for this run, and
    ``positions`` the number of positions visited in them. ``seconds`` is the time of all commands
    that worked on the run.
    """

    rounds: int
    winners: list[Weights]
    games: int
    distinct_games: int
    stopped_by: Literal["rounds", "threshold"]
    seconds: float
    played: int
    positions: int


@dataclass(frozen=True)
class RunHistory:
    """A finished run with all its rounds."""

    settings: RunSettings
    stopping: StoppingRule
    rounds: list[TuningRound]
    outcome: RunOutcome


def play_run(
    settings: RunSettings,
    stopping: StoppingRule,
    arena: Arena,
    folder: RunFolder | None = None,
    watch: RoundHandler = lambda _: None,
) -> RunHistory:
    """Play a run to its end, and store its rounds. Games in the folder are not played again."""
    if folder is not None:
        folder.restore_games(arena)
    known, visited, start = len(arena), arena.positions, time.perf_counter()
    rounds = list(_store_rounds(evolve(settings, stopping, arena), folder, watch))
    seconds, last = time.perf_counter() - start, rounds[-1]
    before = folder.effort_until(last.number) if folder is not None else Effort()
    outcome = RunOutcome(
        rounds=last.number,
        winners=last.winners,
        games=last.games,
        distinct_games=last.distinct_games,
        stopped_by="threshold" if stopping.is_met_by(last.winners) else "rounds",
        seconds=round(seconds + before.seconds, 3),
        played=len(arena) - known + before.games,
        positions=arena.positions - visited + before.positions,
    )
    return RunHistory(settings, stopping, rounds, outcome)


def _store_rounds(
    rounds: Iterator[TuningRound], folder: RunFolder | None, watch: RoundHandler
) -> Iterator[TuningRound]:
    """Store each round, call ``watch`` with it, and then generate it."""
    start = time.perf_counter()
    for one in rounds:
        if folder is not None:
            folder.append(one, time.perf_counter() - start)
        start = time.perf_counter()
        watch(one)
        yield one
