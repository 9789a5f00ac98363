"""What a run came to, and runs that are played, kept and shown."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from c4_referee.tuning.arena import Arena
from c4_referee.tuning.evolution import Ending, Round, Settings, evolve
from c4_referee.tuning.folder import Folder, Spent
from c4_referee.tuning.genetic import Weights

Watcher = Callable[[Round], None]
"""Hears of every round."""


@dataclass(frozen=True)
class Outcome:
    """The end of a run; its JSON is what ``--json`` prints.

    ``distinct_games`` are those that differ in their moves, ``played`` those that had to be played
    for this run, ``positions`` what was visited in them. ``seconds`` are the sum over all processes
    that had a part in it.
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
class History:
    """A run with all its rounds."""

    settings: Settings
    ending: Ending
    rounds: list[Round]
    outcome: Outcome


def play_run(
    settings: Settings,
    ending: Ending,
    arena: Arena,
    folder: Folder | None = None,
    watch: Watcher = lambda _: None,
) -> History:
    """Plays a run to its end; rounds that the folder has already cost nothing."""
    if folder is not None:
        folder.teach(arena)
    known, visited, start = len(arena), arena.positions, time.perf_counter()
    rounds = list(_watched(evolve(settings, ending, arena), folder, watch))
    seconds, last = time.perf_counter() - start, rounds[-1]
    before = folder.spent(last.number) if folder is not None else Spent()
    outcome = Outcome(
        rounds=last.number,
        winners=last.winners,
        games=last.games,
        distinct_games=last.distinct_games,
        stopped_by="threshold" if ending.is_narrow(last.winners) else "rounds",
        seconds=round(seconds + before.seconds, 3),
        played=len(arena) - known + before.games,
        positions=arena.positions - visited + before.positions,
    )
    return History(settings, ending, rounds, outcome)


def _watched(rounds: Iterator[Round], folder: Folder | None, watch: Watcher) -> Iterator[Round]:
    """The rounds as they come, each kept and told of."""
    began = time.perf_counter()
    for one in rounds:
        if folder is not None:
            folder.add(one, time.perf_counter() - began)
        began = time.perf_counter()
        watch(one)
        yield one


def open_folder(path: Path | None, settings: Settings) -> Folder | None:
    """The folder of ``--out``, where there is one."""
    return Folder(path, settings) if path else None
