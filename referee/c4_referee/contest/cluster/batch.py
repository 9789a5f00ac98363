"""Batches of games. A batch is one Dask task, because a task costs more than a short game.

A task plays the games of its batch one after another, and begins no more games after
``TASK_SECONDS``. The referee issues the remaining games again. So a wrong estimate of the duration
of games delays no other game, and long games travel alone.
"""

from dataclasses import dataclass

TASK_SECONDS = 0.25
"""Time in seconds after which a task begins no more games. The referee aims at tasks of this
duration. Scheduler and referee need about 3 ms for a task."""
MAX_GAMES_PER_BATCH = 100
"""Maximum number of games in a batch."""
UNKNOWN_DURATION_DIVISOR = 8
"""Minimum number of games with a result for each game in the batches on the cluster, if a
sequential test may end the contest. It limits the games that are played after the decision. A batch
always has one game."""


@dataclass(frozen=True, slots=True)
class PlayedBatch:
    """Result of a task.

    ``games`` has the event lines of each game that has begun, in the order of the batch, or
    ``None`` for a lost game. ``seconds`` is the duration of the task. ``first`` is the number of
    the first game of the batch.
    """

    first: int
    games: list[list[bytes] | None]
    seconds: float


def batch_size(game_seconds: float, tasks: int, games: int) -> int:
    """Return the number of games for the next task, at least 1.

    ``game_seconds`` is the expected duration of a game, and infinite if it is unknown. ``games``
    are shared among the ``tasks`` that the cluster can take, so that no worker is without a game
    while another worker has several.
    """
    short = int(min(MAX_GAMES_PER_BATCH, TASK_SECONDS / game_seconds))
    return max(1, min(short, games // tasks))
