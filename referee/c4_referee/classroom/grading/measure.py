"""Measures how far a bot reaches each goal: a share of the points, and a reason."""

from collections.abc import Callable
from dataclasses import dataclass

from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import AccuracyRecord

from c4_referee.check.broken import for_author
from c4_referee.check.checker import CheckReport
from c4_referee.check.driver import Trial
from c4_referee.check.rules import RULES
from c4_referee.classroom.grading.rubric import Goal
from c4_referee.classroom.grading.rubric_games import MAX_SAME_FAULTS, Played, fault_of
from c4_referee.records.stats.bounded import TAIL_PROBABILITY, interval
from c4_referee.records.stats.observations import half_points
from c4_referee.report.texts import counted, percent


@dataclass(frozen=True)
class Findings:
    """What was found out about the bot of a ``trial``.

    ``accuracy`` is ``None`` if no goal is about it, or if no game was judged.
    """

    trial: Trial
    report: CheckReport
    played: Played
    accuracy: AccuracyRecord | None = None

    @property
    def bot(self) -> str:
        """Name of the bot."""
        return self.trial.spec.name

    @property
    def why_stopped(self) -> str:
        """Sentence that says why the bot played no more, or ""."""
        fault = self.played.stopped_by
        text = f" After {MAX_SAME_FAULTS} games in a row lost by '{fault}', it played no more."
        return text if fault else ""


Measured = tuple[float, str]
"""Share of the goal that is reached, which may be above 1, and the reason as sentences."""


def measure(goal: Goal, found: Findings) -> Measured:
    """Return how far a bot reaches a goal."""
    return MEASURES[goal.type](goal, found)


def margin(goal: Goal, found: Findings) -> float:
    """Return the larger half of the 95% interval of the points for a goal.

    The interval is that of the share of wins, of points or of good moves: Clopper and Pearson's for
    wins, its extension to draws (``records.stats.bounded``), and that of the accuracy. It is 0 for
    a bot whose moves do not vary, and for goals about rules and faults.
    """
    if not found.played.varies or goal.type in {"check", "no-fault"}:
        return 0.0
    if goal.type == "accuracy":
        if found.accuracy is None or found.accuracy.share is None:
            return 0.0
        value, *ends = found.accuracy.share, found.accuracy.low, found.accuracy.high
    else:
        games = found.played.games[goal.against][: goal.games]
        scores = [half_points(found.bot, game) for game in games]
        counts = [scores.count(score) for score in range(3)]
        counts[0] += goal.games - len(scores)
        if goal.type == "wins":  # a draw is no win
            counts = [counts[0] + counts[1], 0, counts[2]]
        value = (counts[1] / 2 + counts[2]) / goal.games
        ends = [*interval(counts, TAIL_PROBABILITY)]
    wanted = goal.wins / goal.games if goal.type == "wins" else goal.share
    zero = _zero(goal, found)
    points, low, high = (goal.worth((each - zero) / (wanted - zero)) for each in (value, *ends))
    return max(points - low, high - points)


def first_cause(report: CheckReport) -> str:
    """Return what the check found first, and the advice, or "" if the bot is ready here."""
    found = (cause for cause in report.causes if not cause.advice and not cause.elsewhere)
    return next((f"{one.seen}. To fix: {for_author(one.seen, one.fix)}" for one in found), "")


def _check(_goal: Goal, found: Findings) -> Measured:
    """Return the share of the rules about this referee. Rules that were not tried count as broken.

    Advice does not count.
    """
    report, trial = found.report, found.trial
    failed, tried = report.count(here=True)
    skipped = sum(
        rule.name in report.not_tried and not rule.advice and not rule.elsewhere(trial)
        for rule in RULES
    )
    rules, followed = tried + skipped, tried - failed
    if followed == rules:
        return 1.0, f"It follows all {rules} rules."
    return followed / rules, f"It follows {followed} of {rules} rules: {first_cause(report)}"


def _wins(goal: Goal, found: Findings) -> Measured:
    games, unplayed = _games(goal, found)
    won = sum(game.winning_bot == found.bot for game in games)
    text = f"It won {won} of {counted(goal.games, 'game')}; {goal.wins} are wanted."
    return won / goal.wins, text + unplayed


def _score(goal: Goal, found: Findings) -> Measured:
    """Return the share of the way to what is wanted, from nothing or from a random player."""
    games, unplayed = _games(goal, found)
    points = sum(half_points(found.bot, game) for game in games) / 2
    zero, wanted = _zero(goal, found), goal.share * goal.games
    text = f"It scored {points:g} of {counted(goal.games, 'point')}; {wanted:g} are wanted"
    if goal.type == "strength":
        text += f", and a random player scores {zero * goal.games:.1f}, for which there is nothing"
    return max(points / goal.games - zero, 0.0) / (goal.share - zero), f"{text}.{unplayed}"


def _zero(goal: Goal, found: Findings) -> float:
    """Return the share of the points of the games for which there is nothing."""
    return found.played.random_shares[goal.against] if goal.type == "strength" else 0.0


def _games(goal: Goal, found: Findings) -> tuple[list[GameEnded], str]:
    """Return the games of a goal, and a sentence that says why games are missing, or ""."""
    games = found.played.games.get(goal.against, [])[: goal.games]
    missing = goal.games - len(games)
    text = found.why_stopped or f" {counted(missing, 'game')} could not be played."
    return games, text if missing else ""


def _accuracy(goal: Goal, found: Findings) -> Measured:
    """Return the accuracy. It is 0 for a bot that always fails, because it made few moves."""
    if found.why_stopped:
        return 0.0, f"Its moves were not judged.{found.why_stopped}"
    if found.accuracy is None or found.accuracy.share is None:
        return 0.0, "None of its moves could be judged."
    share, judged = found.accuracy.share, counted(found.accuracy.total.judged, "move")
    text = f"{percent(share)} of {judged} kept the result of best play; "
    return share / goal.share, f"{text}{percent(goal.share)} are wanted."


def _no_fault(_goal: Goal, found: Findings) -> Measured:
    """Return the share of games without a fault. It is 0 for a bot that always fails."""
    games = found.played.all_games
    faults = [fault for game in games if (fault := fault_of(game, found.bot))]
    if not faults:
        return (1.0 if games else 0.0), f"It lost none of {counted(len(games), 'game')} by a fault."
    text = f"It lost {len(faults)} of {counted(len(games), 'game')} by a fault. "
    text += f"The first: {faults[0].fault}: {faults[0].detail}.{found.why_stopped}"
    return (0.0 if found.why_stopped else 1 - len(faults) / len(games)), text


MEASURES: dict[str, Callable[[Goal, Findings], Measured]] = {
    "check": _check,
    "wins": _wins,
    "score": _score,
    "strength": _score,
    "accuracy": _accuracy,
    "no-fault": _no_fault,
}
"""Functions that measure goals, by their ``type``."""
