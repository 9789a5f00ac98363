"""Plans a run: which system, and how many games fit into its time."""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from c4_referee.classroom.settings import AUTO, ClassSettings
from c4_referee.contest import schedule
from c4_referee.contest.schedule import OpeningFunction, repetition_of_empty_board
from c4_referee.records.rounds import Roster

MOVES = 28
"""Number of moves in a game, both players together: a little more than between weak bots."""
STARTS_PER_GAME = 2
OVERHEAD = 0.03
"""Seconds that the referee needs for a game in addition to the bots."""


class Pace(NamedTuple):
    """Pace of a bot, measured by the check: its start and an answer, in seconds."""

    start: float
    answer: float


class Plan(NamedTuple):
    """System, number of rounds (``None`` for the default) and games of a run, and its seconds.

    If ``may_grow`` is true, results may add games.
    """

    system: str
    rounds: int | None
    games: int
    seconds: float
    may_grow: bool


def game_seconds(paces: Sequence[Pace]) -> float:
    """Return the mean duration of a game of two of the bots, in seconds."""
    start, answer = fmean(pace.start for pace in paces), fmean(pace.answer for pace in paces)
    return OVERHEAD + STARTS_PER_GAME * start + MOVES * answer


def plan_run(
    settings: ClassSettings,
    paces: Sequence[Pace],
    at_once: int,
    start: OpeningFunction = repetition_of_empty_board,
) -> Plan:
    """Return the plan of a run of some bots, at least two, with ``at_once`` games at a time.

    If the settings leave the choice, all bots play all others if that fits into the minutes.
    Otherwise it is as many rounds of a Swiss tournament as fit, at least one. Raises the errors of
    the system, for example if it cannot play with so many bots.
    """
    per_game = game_seconds(paces) / at_once

    def planned(system: str, rounds: int | None) -> Plan:
        plan = schedule.Plan(Roster.of(len(paces)), start, rounds, settings.pairs)
        games, may_grow = schedule.system(system).count_games(plan)
        return Plan(system, rounds, games, games * per_game, may_grow)

    if settings.system != AUTO:
        return planned(settings.system, settings.rounds)
    everybody = planned("round-robin", None)
    if everybody.seconds <= 60 * settings.minutes:
        return everybody
    fitting = int(60 * settings.minutes / planned("swiss", 1).seconds)
    return planned("swiss", min(max(fitting, 1), len(paces) - 1))
