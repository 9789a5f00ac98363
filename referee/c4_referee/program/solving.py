"""Solving of positions of stored games for a command that shows them."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from c4_protocol.errors import ArenaError, JudgeError
from c4_protocol.events import GameEnded
from c4_protocol.text import visible
from c4_protocol.variant import Variant

from c4_referee.judging.solver_process import can_be_solved
from c4_referee.judging.solving import Solving, solve_games
from c4_referee.report.bar import Bar
from c4_referee.stats.solved import SolvedPositions
from c4_referee.storage.contests import StoredContest
from c4_referee.storage.solved import OUR_SOLVER, save_solved


class SolvedContest(NamedTuple):
    """A contest with more solved positions, and how the solving ended.

    ``solving`` is ``None`` if nothing was solved, because there was no time or because the solver
    cannot solve the positions.
    """

    contest: StoredContest
    solving: Solving | None


def solve_further(
    folder: Path | None, contest: StoredContest, games: Sequence[GameEnded], seconds: float
) -> SolvedContest:
    """Solve positions of some games of a contest, for at most ``seconds`` seconds.

    What is found is stored in the folder, if there is one. Ctrl-C ends the solving, but not the
    command. If positions cannot be solved or values cannot be stored, a line on standard error says
    so.
    """
    if seconds <= 0 or not can_be_solved(contest.variant):
        return SolvedContest(contest, None)
    known, solving = dict(contest.solved), None
    store = _Storage(folder, contest.variant)
    try:
        with Bar("solving", threaded=False) as bar:
            solving = solve_games(games, contest.variant, known, seconds, store, bar.move)
    except JudgeError as error:
        _complain(f"no more positions are solved: {error}")
    return SolvedContest(replace(contest, solved=known), solving)


class _Storage:
    """Function that stores solved positions in a folder. If this fails, it prints the reason once.

    Without a folder, it stores nothing.
    """

    def __init__(self, folder: Path | None, variant: Variant) -> None:
        self._folder = folder
        self._variant = variant

    def __call__(self, solved: SolvedPositions) -> None:
        if self._folder is None:
            return
        try:
            save_solved(self._folder, OUR_SOLVER, self._variant, solved)
        except ArenaError as error:
            self._folder = None
            _complain(f"values are not stored: {error}")


def _complain(reason: str) -> None:
    sys.stderr.write(f"c4-referee: {visible(reason)}\n")
