"""Solving of positions of stored games for a command that shows them."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from c4_protocol.errors import ArenaError, JudgeError
from c4_protocol.events import GameEnded
from c4_protocol.text import visible

from c4_referee.judging.solver_process import can_be_solved
from c4_referee.judging.solving import solve_games
from c4_referee.report.bar import Bar
from c4_referee.stats.solved import PositionKey, Solved
from c4_referee.storage.contests import StoredContest
from c4_referee.storage.solved import OURS, save_solved


def solved_further(
    folder: Path, contest: StoredContest, games: Sequence[GameEnded], seconds: float
) -> StoredContest:
    """Return a contest with the values of positions of its games, solved within some seconds.

    What is found is stored in the folder at the end. If positions cannot be solved or values cannot
    be stored, a line on standard error says so. Raises ``KeyboardInterrupt`` after Ctrl-C, when the
    values are stored.
    """
    if not seconds or not can_be_solved(contest.variant):
        return contest
    known, found = dict(contest.solved), dict[PositionKey, Solved]()
    ended = None
    try:
        with Bar("solving", threaded=False) as bar:
            solving = solve_games(games, contest.variant, known, seconds, found.update, bar.move)
            ended = solving.ended
    except JudgeError as error:
        _complain(f"positions are not solved: {error}")
    if found:
        try:
            save_solved(folder, OURS, contest.variant, found)
        except ArenaError as error:
            _complain(f"values are not stored: {error}")
    if ended == "interrupt":
        raise KeyboardInterrupt
    return replace(contest, solved=known)


def _complain(reason: str) -> None:
    sys.stderr.write(f"c4-referee: {visible(reason)}\n")
