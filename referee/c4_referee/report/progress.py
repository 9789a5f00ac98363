"""The progress of a match, shown on a terminal while its games are played."""

import os
import sys
from typing import TYPE_CHECKING, Self

from c4_referee.play.tournament import Tournament
from c4_referee.report.earlier import tell_earlier

if TYPE_CHECKING:
    from c4_referee.report.bar import Bar

TERMINAL_VARIABLES = frozenset({"FORCE_COLOR", "TTY_COMPATIBLE"})
"""Environment variables with which ``rich`` may take a stream that is no terminal for one."""


class GameProgress:
    """Context manager that shows a progress bar of games on standard error.

    If standard error is not a terminal, nothing is drawn, and the library that draws the bar is not
    imported.
    """

    def __init__(self) -> None:
        self._bar = _game_bar() if _may_be_terminal() else None
        self._has_begun = False

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, tournament: Tournament) -> None:
        """Show the progress. Remove the bar if the match is complete."""
        if not self._has_begun:
            self._has_begun = True
            tell_earlier(tournament)
        if self._bar is None:
            return
        self._bar.move(tournament.done, tournament.scheduled, bound=tournament.bound)
        if tournament.is_complete:
            self._bar.stop()


def _may_be_terminal() -> bool:
    return sys.stderr.isatty() or not TERMINAL_VARIABLES.isdisjoint(os.environ)


def _game_bar() -> "Bar":
    from c4_referee.report.bar import (  # noqa: PLC0415 - slow, and only a terminal needs it
        Bar,
        GamesColumn,
        TimeLeftColumn,
    )

    return Bar("playing", TimeLeftColumn(), number=GamesColumn())
