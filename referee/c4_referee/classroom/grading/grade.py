"""Gives a bot points by a rubric: checks it, plays the games, judges the moves, and measures."""

import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from math import hypot
from pathlib import Path

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import visible
from c4_protocol.records.reports import AccuracyRecord
from c4_protocol.rules.variant import Variant

from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.check.checker import CheckReport, check
from c4_referee.check.driver import Trial
from c4_referee.check.start import find_start
from c4_referee.classroom.grading.measure import Findings, first_cause, margin, measure
from c4_referee.classroom.grading.points import Grade, GradedLine
from c4_referee.classroom.grading.rubric import Rubric
from c4_referee.classroom.grading.rubric_games import Played, play_games
from c4_referee.classroom.submissions.scrub import Scrubber
from c4_referee.contest.judging.accuracy import accuracy_of
from c4_referee.contest.judging.judge import Judge

JUDGE_SECONDS = 120.0
"""Maximum time in seconds for judging the moves of all games."""
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
    began, folder = time.monotonic(), Path(spec.working_folder or ".")
    try:
        trial, report = _checked(spec, rubric, on_step)
    except ArenaError as error:
        result = failed_grade(spec.name, rubric, str(error), folder, seed)
    else:
        played = play_games(trial.spec, rubric, seed, on_step)
        found = Findings(trial, report, played, _accuracy(trial, rubric, played, on_step))
        measured = [(*measure(goal, found), margin(goal, found)) for goal in rubric.goals]
        result = _grade(spec.name, rubric, measured, folder, seed)
    return replace(result, seconds=time.monotonic() - began)


def failed_grade(bot: str, rubric: Rubric, reason: str, folder: Path, seed: int = 0) -> Grade:
    """Return a grade without points for a bot that cannot play. The first line has the reason.

    The files of the bot are in ``folder``.
    """
    others = [(0.0, "It cannot play: see the first line.", 0.0)] * (len(rubric.goals) - 1)
    return _grade(bot, rubric, [(0.0, reason, 0.0), *others], folder, seed)


def _checked(
    spec: BotSpec, rubric: Rubric, on_step: Callable[[str], None]
) -> tuple[Trial, CheckReport]:
    """Check a bot. Raise ``ArenaError`` if it cannot play the games of the rubric."""
    trial = Trial(spec, Variant.parse(rubric.variant), spec.time_ms or rubric.time_ms)
    _check_fits(trial, rubric)
    on_step("the check")
    report = check(trial)
    if not any(rule.passed for rule in report.rules):
        raise ArenaError(f"It cannot play: {first_cause(report)}")
    trial = find_start(trial)[0] if report.start else trial
    _check_fits(trial, rubric)
    return trial, report


def _check_fits(trial: Trial, rubric: Rubric) -> None:
    trial.spec.check_plays(trial.variant, TimeControl(trial.time_ms))
    if rubric.games:
        trial.spec.check_openings(rubric.openings)


def _accuracy(
    trial: Trial, rubric: Rubric, played: Played, on_step: Callable[[str], None]
) -> AccuracyRecord | None:
    if played.stopped_by or not rubric.has("accuracy"):
        return None
    on_step("the accuracy of its moves")
    with Judge() as judge:
        judged = accuracy_of(played.all_games, trial.variant, judge, JUDGE_SECONDS)
    if judged.ended == "interrupt":
        raise KeyboardInterrupt
    return judged.bots.get(trial.spec.name)


def _grade(
    bot: str, rubric: Rubric, measured: list[tuple[float, str, float]], folder: Path, seed: int
) -> Grade:
    """Return the grade, without paths of this machine.

    ``measured`` has the share of each goal that is reached, the reason and the margin. Margins of
    goals against one opponent are added up, because they share games. Those of different opponents
    are independent.
    """
    scrub = Scrubber(folder)
    lines, shared = [], defaultdict[str, float](float)
    for goal, (share, reason, width) in zip(rubric.goals, measured, strict=True):
        note = f" Its moves vary: ± {width:.2g} points (95% interval)." if width else ""
        text = scrub(visible(reason + note, keep="\n"))[:MAX_REASON_LENGTH]
        points = goal.worth(share)
        lines.append(GradedLine(scrub(goal.name), points, goal.points, share >= 1, text))
        shared[goal.against] += width
    return Grade(scrub(bot), tuple(lines), seed, margin=round(hypot(*shared.values()), 1))
