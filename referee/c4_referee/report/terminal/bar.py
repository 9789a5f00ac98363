"""Progress bars on standard error. If it is not a terminal, lines are written, or nothing."""

import sys
import time
from typing import Self

from c4_protocol.terminal.console import SafeConsole
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Column
from rich.text import Text

from c4_referee.report.terminal.games_played import games_of

LINE_SECONDS = 10.0
"""Seconds between two lines if there is no terminal."""


class GamesColumn(ProgressColumn):
    """Numbers of games played and in total.

    The field ``bound`` is a text such as ``at least`` if the total is only a limit, otherwise
    empty.
    """

    def __init__(self) -> None:
        super().__init__(Column(no_wrap=True))

    def render(self, task: Task) -> Text:
        """Return the numbers as text."""
        return Text(games_of(int(task.completed), task.total, task.fields["bound"]))


class TimeLeftColumn(TimeRemainingColumn):
    """Estimate of the time left, or nothing if the total is only a limit (see ``GamesColumn``)."""

    def render(self, task: Task) -> Text:
        """Return the estimate, or an empty text."""
        return Text() if task.fields["bound"] else super().render(task)


class Bar:
    """Context manager that shows a progress bar on standard error.

    ``number`` is the column with the numbers done and in total, and ``more`` are the columns after
    it. If ``threaded`` is false, the bar is drawn only by calls of ``move``, not by a thread.
    With ``lines``, a line is written every ``LINE_SECONDS`` if there is no terminal.
    """

    def __init__(
        self,
        title: str,
        *more: ProgressColumn,
        number: ProgressColumn | None = None,
        total: int | None = None,
        threaded: bool = True,
        lines: bool = False,
    ) -> None:
        console = SafeConsole(stderr=True)
        self._lines, self._shown = lines and not console.is_terminal, time.monotonic()
        self._threaded = threaded
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            number or MofNCompleteColumn(),
            *more,
            console=console,
            transient=True,
            auto_refresh=threaded,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task(title, total=total, note="", bound="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def move(self, done: int, total: int | None = None, *, note: str = "", bound: str = "") -> None:
        """Show the number ``done``. ``note`` and ``bound`` are texts for columns that use them."""
        refresh = not self._threaded
        self._bar.update(
            self._task, completed=done, total=total, note=note, bound=bound, refresh=refresh
        )

        if self._lines and time.monotonic() - self._shown >= LINE_SECONDS:
            self._shown = time.monotonic()
            shown = self._bar.tasks[0]
            sys.stderr.write(f"{shown.description}: {done} of {shown.total or 0:g}\n")

    def add_one(self) -> None:
        """Show that one more is done."""
        self.move(int(self._bar.tasks[0].completed) + 1)

    def stop(self) -> None:
        """Remove the bar."""
        self._bar.stop()
