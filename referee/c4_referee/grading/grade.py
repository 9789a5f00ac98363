"""Gives a bot points by a rubric: checks it, plays the games, judges the moves, and measures."""

import time
from collections.abc import Callable, Sequence

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import visible
from c4_protocol.records.reports import AccuracyRecord
from c4_protocol.rules.variant import Variant

from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.check.checker import check
from c4_referee.check.driver import Trial
from c4_referee.check.start import find_start
from c4_referee.grading.games import Played, play_games
from c4_referee.grading.measure import Findings, first_cause, measure
from c4_referee.grading.paths import without_folders
from c4_referee.grading.points import Grade, GradedLine
from c4_referee.grading.rubric import Accuracy, Goal, Rubric
from c4_referee.judging.accuracy import accuracy_of
from c4_referee.judging.judge import Judge

MAX_REASON_LENGTH = 4000
"""Maximum length of a reason, in characters. The rest is cut off."""


def grade(
    spec: BotSpec, rubric: Rubric, seed: int = 0, on_step: Callable[[str], None] = lambda _: None
) -> Grade:
    """Return the points of a bot. The same ``seed`` gives the same openings and opponents.

    The bot is started with the arguments or the dialect that the check finds out. ``on_step`` is
    called with a text before each step. A bot that follows none of the rules that were tried gets
    no points, and plays no games.

    The caller prepares for strays before, and ends them after this (``contain.strays``). Raises
    ``ArenaError`` if the grading fails, and ``KeyboardInterrupt`` on Ctrl-C.
    """
    began, settings = time.monotonic(), rubric.settings
    trial = Trial(spec, Variant.parse(settings.variant), spec.time_ms or settings.time_ms)
    folders = [spec.working_folder] if spec.working_folder else []
    try:
        _check_fits(trial, rubric)
        on_step("the check")
        report = check(trial)
        trial = find_start(trial)[0] if report.start else trial
        _check_fits(trial, rubric)
    except ArenaError as error:
        return failed_grade(spec.name, rubric, str(error), seed, time.monotonic() - began, folders)
    if not any(rule.passed for rule in report.rules):
        reason, seconds = f"It cannot play: {first_cause(report)}", time.monotonic() - began
        return failed_grade(spec.name, rubric, reason, seed, seconds, folders)
    played = play_games(trial.spec, rubric, seed, on_step)
    found = Findings(trial, report, played, _accuracy(trial, rubric, played, on_step))
    lines = [_line(goal, *measure(goal, found), folders) for goal in rubric.goals]
    name = without_folders(spec.name, folders)
    return Grade(name, tuple(lines), seed, time.monotonic() - began)


def failed_grade(
    bot: str,
    rubric: Rubric,
    reason: str,
    seed: int = 0,
    seconds: float = 0.0,
    folders: Sequence[str] = (),
) -> Grade:
    """Return a grade without points for a bot that cannot play. The first line has the reason.

    The reason is shown without ``folders`` of this machine.
    """
    reasons = [reason, *["It cannot play: see the first line."] * (len(rubric.goals) - 1)]
    pairs = zip(rubric.goals, reasons, strict=True)
    lines = tuple(_line(goal, 0.0, text, folders) for goal, text in pairs)
    return Grade(without_folders(bot, folders), lines, seed, seconds)


def _check_fits(trial: Trial, rubric: Rubric) -> None:
    """Raise ``ArenaError`` if the bot cannot play the games of the rubric."""
    trial.spec.check_plays(trial.variant, TimeControl(trial.time_ms))
    if rubric.games:
        trial.spec.check_openings(rubric.settings.openings)


def _accuracy(
    trial: Trial, rubric: Rubric, played: Played, on_step: Callable[[str], None]
) -> AccuracyRecord | None:
    if played.stopped_by or not any(isinstance(goal, Accuracy) for goal in rubric.goals):
        return None
    on_step("the accuracy of its moves")
    games = [game for games in played.games.values() for game in games]
    with Judge() as judge:
        judged = accuracy_of(games, trial.variant, judge, rubric.settings.judge_seconds)
    if judged.ended == "interrupt":
        raise KeyboardInterrupt
    return judged.bots.get(trial.spec.name)


def _line(goal: Goal, share: float, reason: str, folders: Sequence[str]) -> GradedLine:
    """Return the points for the share of a goal that is reached, rounded to hundredths."""
    passed = share >= 1
    part = round(goal.points * share, 2) if goal.partial else 0.0
    text = without_folders(visible(reason, keep="\n"), folders)[:MAX_REASON_LENGTH]
    name = without_folders(goal.name, folders)
    return GradedLine(name, goal.points if passed else part, goal.points, passed, text)
