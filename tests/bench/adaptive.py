"""How often claims of simulated adaptive tournaments are true.

Fields of players are like a class (normal, with a standard deviation of 200 Elo points), flat (all
are equal), or like a class whose two best players are 10 points apart. Moving first is worth 60
points, equal players draw one of eleven games, and one random number decides both games of a pair
in three of ten pairs. A contest ends when its goal is reached. With the same rule, a round robin
plays its meetings in turn. A claim is true if no player is more than 30 points better than one whom
it puts higher. One cycle of a round robin and a Swiss tournament name the player with most points.
"""

from collections.abc import Iterator
from itertools import cycle, islice

import numpy as np
from _shared import show
from c4_referee.contest.schedule import Plan, repetition_of_empty_board, round_robin, swiss
from c4_referee.records.rounds import Roster
from c4_referee.records.stats.array import Counts, Floats
from c4_referee.records.stats.goals import (
    Goal,
    claim,
    random_strengths,
    telling_meetings,
)
from c4_referee.records.stats.ratings import posterior_of_strengths
from rating_coverage import outcomes, results_of

GOALS = {
    "best": Goal(),
    "top 3": Goal(first=3),
    "ranking": Goal(first=None),
    "placement": Goal(placed=(0,)),
}
MEETINGS = 16
SHARED = 0.3


def field(kind: str, players: int, draw: np.random.Generator) -> Floats:
    """Return the true strengths of a field in a random order."""
    truth = draw.normal(0, 0 if kind == "flat" else 200, players)
    if kind == "two best":
        best, second = np.argsort(-truth)[:2]
        truth[second] = truth[best] - 10
    return truth


def played(truth: Floats, meetings: list[tuple[int, int]], draw: np.random.Generator) -> Counts:
    """Return the pairs of games of some meetings, in the form that ``rate_players`` takes."""
    one, other = np.array(meetings).T
    luck, fresh = draw.random((2, len(one)))
    back = np.where(draw.random(len(one)) < SHARED, 1 - luck, fresh)
    there = outcomes(truth[one] - truth[other], luck)
    return np.stack([one, other, there, outcomes(truth[other] - truth[one], back)], axis=1)


def is_true(goal: Goal, order: list[int], truth: Floats) -> bool:
    """Return whether a claim is true."""
    return bool(goal.contradiction(order, truth[None])[0][0] <= goal.within + 1e-9)


def contest(
    goal: Goal, truth: Floats, level: float, is_adaptive: bool, most: int, draw: np.random.Generator
) -> tuple[int, bool, bool]:
    """Play until the goal is reached, or ``most`` games. Return games, reached, and true."""
    pairs, parameters = np.zeros((0, 4), np.int64), np.zeros(len(truth) + 2)
    every = Plan(Roster.of(len(truth)), repetition_of_empty_board)
    turns = cycle([key[:2] for key in round_robin.games_of_rounds(every, 1)][::2])
    while True:
        points, covariance, parameters = posterior_of_strengths(
            results_of(len(truth), pairs), pairs, parameters
        )
        strengths = random_strengths(points, covariance, len(pairs))
        now = claim(goal, points, strengths)
        reached = now.likelihood >= level
        if reached or 2 * len(pairs) >= most:
            return 2 * len(pairs), reached, is_true(goal, now.order, truth)
        chosen = (
            telling_meetings(goal, strengths, MEETINGS, lambda *_: True)
            if is_adaptive
            else [*islice(turns, MEETINGS)]
        )
        pairs = np.concatenate([pairs, played(truth, chosen, draw)])


def fixed(truth: Floats, system: str, draw: np.random.Generator) -> tuple[int, bool, bool]:
    """Play one cycle of a fixed system. Return games, and whether the first has most points."""
    plan = Plan(Roster.of(len(truth)), repetition_of_empty_board)
    schedule = (round_robin if system == "one cycle" else swiss).schedule(plan)
    points, games, results = np.zeros(len(truth)), 0, None
    while True:
        try:
            keys = (next(schedule) if results is None else schedule.send(results)).games
        except StopIteration:
            order = [*map(int, np.argsort(-points, kind="stable"))]
            return games, True, is_true(Goal(), order, truth)
        found = played(truth, [key[:2] for key in keys[::2]], draw)
        results = [2 - int(outcome) for pair in found for outcome in pair[2:]]
        for key, result in zip(keys, results, strict=True):
            points[key.first] += result
            points[key.second] += 2 - result
        games += len(keys)


def main(
    kind: str = "class",
    players: int = 40,
    runs: int = 100,
    goal: str = "best",
    system: str = "adaptive",
    level: float = 0,
    most: int = 100_000,
    seed: int = 1,
) -> None:
    """Simulate ``runs`` contests of a ``system``: adaptive, round robin, one cycle or swiss."""
    draw, least = np.random.default_rng(seed), level or GOALS[goal].level

    def rows() -> Iterator[tuple[object, ...]]:
        done = []
        for _ in range(runs):
            truth = field(kind, players, draw)
            if system in {"one cycle", "swiss"}:
                done.append(fixed(truth, system, draw))
            else:
                done.append(contest(GOALS[goal], truth, least, system == "adaptive", most, draw))
        games = [each[0] for each in done]
        claims = [each[2] for each in done if each[1]]
        yield (
            kind, str(players), goal, system, str(len(done)), len(claims) / len(done) * 100,
            100 * np.mean(claims) if claims else 0.0, np.median(games), np.quantile(games, 0.9),
        )  # fmt: skip

    columns = dict.fromkeys(("field", "players", "goal", "system", "runs"), "")
    columns |= {"reached": ".1f", "true": ".1f", "median": ".0f", "90%": ".0f"}
    show("claims that are true, %, and games", columns, rows())
