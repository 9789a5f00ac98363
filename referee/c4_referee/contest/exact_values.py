"""Exact values of the positions of games: commands find them, store them and count with them."""

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from c4_protocol.program.errors import ArenaError, JudgeError
from c4_protocol.program.text import visible
from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import AccuracyReport
from c4_protocol.rules.variant import Variant

from c4_referee.contest.judging.accuracy import accuracy_of
from c4_referee.contest.judging.judge import OUR_JUDGE, Judge
from c4_referee.contest.judging.solver_process import is_named_by_solver
from c4_referee.contest.judging.solving import SolvingSummary, solve_games
from c4_referee.contest.judging.values import ExactValues, ProgressFunction
from c4_referee.records.stats.solved import SolvedPositions
from c4_referee.records.storage.exact_values import OUR_SOLVER, read_solved_from_folder, save_solved
from c4_referee.records.storage.fingerprint import fingerprint_of_bot

if TYPE_CHECKING:
    from c4_referee.contest.contest import Contest, Outcome
    from c4_referee.records.storage.contests import StoredContest


Progress = AbstractContextManager[ProgressFunction]
"""A progress bar: it is shown until its block ends, and gets what is done and the total, if known.

It may not have a thread, because judges and solvers are started by fork."""


def accuracy_of_contest(
    contest: "Contest",
    outcome: "Outcome",
    seconds: float,
    folder: str | Path | None,
    progress: Progress,
) -> AccuracyReport | None:
    """Return the accuracy of the moves of a contest, judged for at most ``seconds`` seconds.

    Values that the folder of the games has are not computed again, and values that the judge finds
    are stored there. Returns ``None`` if the contest has no judge, or is not complete. If the judge
    fails, print one line on standard error and return ``None``.
    """
    judge, variant = contest.judge, contest.variant
    if judge is None or not outcome.is_complete:
        return None
    # Another program may be wrong, so its values are not those of our solver.
    source = OUR_SOLVER if judge.command == OUR_JUDGE.command else fingerprint_of_bot(judge)
    place = None if folder is None else Path(folder)
    solved = read_solved_from_folder(place, source, variant) if place else {}
    values = ExactValues(solved, _storing_function(place, source, variant))
    try:
        with Judge(judge, values=values) as asked, progress as show:
            return accuracy_of(outcome.games, variant, asked, seconds, show)
    except JudgeError as error:
        _print_complaint(f"no accuracy: {error}")
        return None


class SolvedContest(NamedTuple):
    """A contest with more solved positions, and how the solving ended.

    ``solving`` is ``None`` if nothing was solved, because there was no time or because the solver
    cannot solve the positions.
    """

    contest: "StoredContest"
    solving: SolvingSummary | None


def solve_more_positions(
    folder: Path | None,
    contest: "StoredContest",
    games: Sequence[GameEnded],
    seconds: float,
    progress: Progress,
) -> SolvedContest:
    """Solve positions of some games of a contest, for at most ``seconds`` seconds.

    What is found is stored in the folder, if there is one. Ctrl-C ends the solving, but not the
    command. If positions cannot be solved or values cannot be stored, a line on standard error says
    so.
    """
    if seconds <= 0 or not is_named_by_solver(contest.variant):
        return SolvedContest(contest, None)
    solving, store = None, _storing_function(folder, OUR_SOLVER, contest.variant)
    values = ExactValues(dict(contest.solved), store)
    try:
        with progress as show:
            solving = solve_games(games, contest.variant, values, seconds, show)
    except JudgeError as error:
        _print_complaint(f"no more positions are solved: {error}")
    return SolvedContest(replace(contest, solved=values.known), solving)


def _storing_function(
    folder: Path | None, source: str, variant: Variant
) -> Callable[[SolvedPositions], None]:
    """Return a function that stores values of a source. If this fails, it prints the reason once.

    Without a folder, it stores nothing.
    """

    def store(solved: SolvedPositions) -> None:
        nonlocal folder
        if folder is None:
            return
        try:
            save_solved(folder, source, variant, solved)
        except ArenaError as error:
            folder = None
            _print_complaint(f"values are not stored: {error}")

    return store


def _print_complaint(reason: str) -> None:
    sys.stderr.write(f"c4-referee: {visible(reason)}\n")
