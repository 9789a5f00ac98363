"""Seconds to pair a round of a Swiss tournament.

Each player has a strength, and wins a game more often the larger the difference is. Times are
processor times.
"""

import random
import statistics
import time
from collections.abc import Iterator

from _shared import seconds_of, show
from c4_referee.contest.schedule import Plan, repetition_of_empty_board, swiss
from c4_referee.records.rounds import GameKey, Roster, Round

PLAYERS = (100, 200, 400, 1000)
POINTS = 2000
"""Elo points between the best and the worst player."""


def half_points(key: GameKey, players: int, chance: random.Random) -> int:
    """Return the half points of a game without draws. Smaller numbers are stronger players."""
    stronger = (key.second - key.first) * POINTS / players
    return 2 * (chance.random() < 1 / (1 + 10 ** (-stronger / 400)))


def seconds_of_rounds(players: int, rounds: int) -> Iterator[float]:
    """Yield the seconds that it takes to pair each of the first rounds."""
    chance = random.Random(players)
    schedule = swiss.schedule(Plan(Roster.of(players), repetition_of_empty_board, rounds))
    paired: list[Round] = []
    yield seconds_of(lambda: paired.append(next(schedule)), time.process_time)
    for _ in range(rounds - 1):
        results = [half_points(key, players, chance) for key in paired[-1].games]
        yield seconds_of(lambda: paired.append(schedule.send(results)), time.process_time)  # noqa: B023


def main(rounds: int = 10, *players: int) -> None:
    """Pair ``rounds`` rounds of tournaments with these numbers of players."""
    rows = []
    for number in players or PLAYERS:
        seconds = [*seconds_of_rounds(number, rounds)]
        rows.append((str(number), statistics.median(seconds), max(seconds)))
    columns = {"players": "", "median s": ".2f", "longest s": ".2f"}
    show(f"seconds to pair a round, {rounds} rounds", columns, rows)
