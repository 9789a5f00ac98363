"""Plans a run: which system, and how many games fit into its time."""

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from c4_referee.classroom.settings import AUTO, ClassSettings

MOVES = 28
"""Number of moves in a game, both players together: a little more than between weak bots."""
STARTS_PER_GAME = PLAYERS = 2
OVERHEAD = 0.03
"""Seconds that the referee needs for a game in addition to the bots."""


class Pace(NamedTuple):
    """Pace of a bot, measured by the check: its start and an answer, in seconds."""

    start: float
    answer: float


class Plan(NamedTuple):
    """System, number of rounds (``None`` for the default) and games of a run, and its seconds."""

    system: str
    rounds: int | None
    games: int
    seconds: float


def game_seconds(paces: Sequence[Pace]) -> float:
    """Return the mean duration of a game of two of the bots, in seconds."""
    start, answer = fmean(pace.start for pace in paces), fmean(pace.answer for pace in paces)
    return OVERHEAD + STARTS_PER_GAME * start + MOVES * answer


def plan_run(settings: ClassSettings, paces: Sequence[Pace], at_once: int) -> Plan:
    """Return the plan of a run of some bots, at least two, with ``at_once`` games at a time.

    If the settings leave the choice, all bots play all others if that fits into the minutes.
    Otherwise it is as many rounds of a Swiss tournament as fit, at least one.
    """
    bots, per_game = len(paces), game_seconds(paces) / at_once
    in_a_round = settings.pairs * PLAYERS * (bots // 2)
    everybody = settings.pairs * bots * (bots - 1)
    if "robin" in settings.system:
        games = everybody * (settings.rounds or 1) * (2 if "double" in settings.system else 1)
        return Plan(settings.system, settings.rounds, games, games * per_game)
    if settings.system != AUTO:
        games = in_a_round * (settings.rounds or (bots - 1).bit_length())  # the default of swiss
        return Plan(settings.system, settings.rounds, games, games * per_game)
    if everybody * per_game <= 60 * settings.minutes:
        return Plan("round-robin", 1, everybody, everybody * per_game)
    fitting = int(60 * settings.minutes / (in_a_round * per_game))
    rounds = min(max(fitting, 1), bots - 1)
    games = rounds * in_a_round
    return Plan("swiss", rounds, games, games * per_game)
