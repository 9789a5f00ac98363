"""Progress bars of a match and of judging, on standard error.

If standard error is not a terminal, nothing is drawn, and the library that draws is not imported.
"""

import os
import sys
from typing import TYPE_CHECKING, Self

import orjson

from c4_referee.contest.live.state import LiveState
from c4_referee.report.terminal.games_played import tell_earlier

if TYPE_CHECKING:
    from c4_referee.report.terminal.bar import Bar

TERMINAL_VARIABLES = frozenset({"FORCE_COLOR", "TTY_COMPATIBLE"})
"""Environment variables with which ``rich`` may take a stream that is no terminal for one."""


class TerminalProgress:
    """Context manager for a progress bar, which does nothing if there is no terminal."""

    def __init__(self, title: str, *, counts_games: bool) -> None:
        self._bar: Bar | None = None
        if sys.stderr.isatty() or not TERMINAL_VARIABLES.isdisjoint(os.environ):
            from c4_referee.report.terminal import bar  # noqa: PLC0415 - slow

            if counts_games:
                self._bar = bar.Bar(title, bar.TimeLeftColumn(), number=bar.GamesColumn())
            else:
                self._bar = bar.Bar(title, threaded=False)

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


class GameProgress(TerminalProgress):
    """A progress bar of the games of a match."""

    def __init__(self) -> None:
        super().__init__("playing", counts_games=True)
        self._has_begun, self._state = False, LiveState()

    def __call__(self, line: bytes) -> None:
        """Show the progress that an event tells. Remove the bar if the match is complete."""
        event = orjson.loads(line)
        if event["event"] != "progress":
            return
        self._state.take(event)
        if not self._has_begun:
            self._has_begun = True
            tell_earlier(self._state)
        if self._bar is None:
            return
        self._bar.move(self._state.done, self._state.scheduled, bound=self._state.bound)
        if self._state.is_complete:
            self._bar.stop()


class JudgingProgress(TerminalProgress):
    """A progress bar of judged games, or of solved positions without a known total.

    No thread draws it, because judges are started by fork, which is unsafe in a process with
    threads.
    """

    def __init__(self, title: str = "judging") -> None:
        super().__init__(title, counts_games=False)

    def __call__(self, done: int, total: int | None) -> None:
        """Show the number of what is done."""
        if self._bar is not None:
            self._bar.move(done, total)
