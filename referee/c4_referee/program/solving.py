"""Solving of positions of stored games for a command that shows them."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from c4_protocol.errors import ArenaError
from c4_protocol.events import GameEnded
from c4_protocol.text import visible

from c4_referee.judging.solving import can_be_solved, solve_games
from c4_referee.report.bar import Bar
from c4_referee.stats.solved import PositionKey, Solved
from c4_referee.storage.archive import DATABASE_FILE
from c4_referee.storage.contests import StoredContest
from c4_referee.storage.solved import OURS, save_solved


def solved_further(
    folder: Path, contest: StoredContest, games: Sequence[GameEnded], seconds: float
) -> StoredContest:
    """Return a contest with the values of positions of its games, solved within some seconds.

    What is found is stored in the folder. If the games cannot be solved or the values cannot be
    stored, a line on standard error says so, and the contest has the values that are known. Raises
    ``KeyboardInterrupt`` after Ctrl-C, when the values are stored.
    """
    if not seconds or not can_be_solved(contest.variant):
        return contest
    solved = dict(contest.solved)

    def store(found: dict[PositionKey, Solved]) -> None:
        save_solved(folder / DATABASE_FILE, OURS, contest.variant, found)

    try:
        with Bar("solving") as bar:
            done = solve_games(games, contest.variant, solved, seconds, store, bar.move)
    except ArenaError as error:
        sys.stderr.write(visible(f"some values are missing: {error}") + "\n")
    else:
        if done.ended == "interrupt":
            raise KeyboardInterrupt
    return replace(contest, solved=solved)
