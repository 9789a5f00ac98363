"""Measures how far a bot reaches each goal: a share of the points, and a reason."""

from dataclasses import dataclass

from c4_protocol.records.reports import AccuracyRecord

from c4_referee.check.broken import for_author
from c4_referee.check.checker import Cause, CheckReport
from c4_referee.check.driver import Trial
from c4_referee.check.rules import RULES
from c4_referee.grading.games import MAX_SAME_FAULTS, Played, fault_of
from c4_referee.grading.rubric import Accuracy, Check, Goal, NoFault, Score, Wins
from c4_referee.report.texts import counted, percent
from c4_referee.stats.observations import half_points, winner_of


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


Measured = tuple[float, str]
"""Share of the goal that is reached, at most 1, and the reason as a sentence."""


def measure(goal: Goal, found: Findings) -> Measured:
    """Return how far a bot reaches a goal."""
    match goal:
        case Check():
            return _check(found)
        case Wins():
            return _wins(goal, found)
        case Score():
            return _score(goal, found)
        case Accuracy():
            return _accuracy(goal, found)
        case NoFault():
            return _no_fault(found)
    raise TypeError(goal)


def first_cause(report: CheckReport) -> str:
    """Return what the check found first, and the advice, or "" if the bot is ready here."""
    found = (cause for cause in report.causes if not cause.advice and not cause.elsewhere)
    return next(map(_text_of_cause, found), "")


def _text_of_cause(cause: Cause) -> str:
    return f"{cause.seen}. To fix: {for_author(cause.fix)}"


def _check(found: Findings) -> Measured:
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
    if report.passed_here and not skipped:
        return 1.0, f"It follows all {rules} rules."
    return followed / rules, f"It follows {followed} of {rules} rules: {first_cause(report)}"


def _wins(goal: Wins, found: Findings) -> Measured:
    games = found.played.games.get(goal.against, [])[: goal.games]
    won = sum(winner_of(game) == found.bot for game in games)
    text = f"It won {won} of {counted(goal.games, 'game')}; {goal.wins} are wanted."
    return won / goal.wins, text + _unplayed(found, goal.games - len(games))


def _score(goal: Score, found: Findings) -> Measured:
    games = found.played.games.get(goal.against, [])[: goal.games]
    points = sum(half_points(found.bot, game) for game in games) / 2
    text = (
        f"It scored {points:g} of {counted(goal.games, 'point')}; "
        f"{goal.share * goal.games:g} are wanted."
    )
    return points / goal.games / goal.share, text + _unplayed(found, goal.games - len(games))


def _accuracy(goal: Accuracy, found: Findings) -> Measured:
    """Return the accuracy. It is 0 for a bot that always fails, because it made few moves."""
    if found.played.stopped_by:
        return 0.0, f"Its moves were not judged.{_unplayed(found, 1)}"
    if found.accuracy is None or found.accuracy.share is None:
        return 0.0, "None of its moves could be judged."
    share, judged = found.accuracy.share, found.accuracy.total.judged
    text = f"{percent(share)} of {counted(judged, 'move')} kept the result of best play; "
    return share / goal.share, f"{text}{percent(goal.share)} are wanted."


def _no_fault(found: Findings) -> Measured:
    """Return the share of games without a fault. It is 0 for a bot that always fails."""
    played = found.played
    games = [game for games in played.games.values() for game in games]
    faults = [game.fault for game in games if fault_of(game, found.bot)]
    if not faults:
        return (1.0 if games else 0.0), f"It lost none of {counted(len(games), 'game')} by a fault."
    first, number = faults[0], f"{len(faults)} of {counted(len(games), 'game')}"
    assert first is not None
    text = f"It lost {number} by a fault. The first: {first.fault}: {first.detail}."
    if played.stopped_by:
        return 0.0, text + _unplayed(found, 1)
    return 1 - len(faults) / len(games), text


def _unplayed(found: Findings, missing: int) -> str:
    """Return a sentence that says why ``missing`` games were not played, or ""."""
    if missing <= 0:
        return ""
    if fault := found.played.stopped_by:
        return f" After {MAX_SAME_FAULTS} games in a row lost by '{fault}', it played no more."
    return f" {counted(missing, 'game')} could not be played."
