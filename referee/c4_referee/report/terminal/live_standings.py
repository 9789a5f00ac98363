"""Progress of a tournament: a table and a bar on a terminal, otherwise lines of text."""

import sys
import time
from collections.abc import Mapping

import orjson
from c4_protocol.program.text import visible
from c4_protocol.terminal.console import SafeConsole
from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Column, Table
from rich.text import Text

from c4_referee.contest.live.state import LiveState
from c4_referee.report.terminal.bar import GamesColumn, TimeLeftColumn
from c4_referee.report.terminal.games_played import games_of, tell_earlier

MOST_BOTS = 10
"""Maximum number of bots in the table, so that it fits on a small terminal."""
TABLE_SECONDS = 0.5
"""Seconds between two updates of the table."""
LINE_SECONDS = 30.0
"""Seconds between two lines if there is no terminal."""


class RateColumn(ProgressColumn):
    """Number of games played per second."""

    def __init__(self) -> None:
        super().__init__(Column(no_wrap=True))

    def render(self, task: Task) -> Text:
        """Return the rate, or an empty text if it is not known yet."""
        return Text(f"{task.speed:.1f} games/s" if task.speed else "")


def table_of_bots(state: LiveState, number: int) -> Table:
    """Return a table of this number of bots, the best ones."""
    table = Table("bot", box=None, pad_edge=False)
    for title in ("points", "games"):
        table.add_column(title, justify="right")
    for bot, points, games in state.table()[:number]:
        table.add_row(Text(bot, overflow="ellipsis", no_wrap=True), f"{points:g}", str(games))
    return table


class LiveStandings:
    """Context manager that shows the progress of a tournament on standard error.

    It shows the number and rate of the games played, the time left if this is known, and the
    leading bots. ``missing`` says which bots cannot play, and why.
    """

    def __init__(self, missing: Mapping[str, str]) -> None:
        self._missing = missing
        self._state = LiveState()
        self._console = SafeConsole(stderr=True)
        self._bar = Progress(
            TextColumn("playing"),
            BarColumn(),
            GamesColumn(),
            RateColumn(),
            TimeLeftColumn(),
            console=self._console,
        )
        self._task = self._bar.add_task("playing", total=None, start=False, bound="")
        self._live = Live(self._bar, console=self._console, transient=True, refresh_per_second=4)
        self._began: tuple[float, int] | None = None
        self._shown = 0.0

    def __enter__(self) -> "LiveStandings":
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def __call__(self, line: bytes) -> None:
        """Take an event, and show the progress if it has changed.

        Games of earlier runs are not part of the rate. The display is removed if the tournament is
        complete.
        """
        event = orjson.loads(line)
        self._state.take(event)
        if event["event"] == "progress":
            self._show_progress(time.monotonic())

    def _show_progress(self, now: float) -> None:
        state = self._state
        if self._began is None:
            tell_earlier(state)
            for why in self._missing.values():
                sys.stderr.write(visible(f"{why}: the tournament goes on without it") + "\n")
            self._began = now, state.done
            self._bar.reset(self._task, completed=state.done)
            self._shown = now
        self._bar.update(self._task, completed=state.done, total=state.scheduled, bound=state.bound)
        if self._console.is_terminal:
            if now - self._shown >= TABLE_SECONDS:
                self._shown = now
                self._live.update(Group(table_of_bots(self._state, MOST_BOTS), self._bar))
        elif now - self._shown >= LINE_SECONDS:
            self._shown = now
            sys.stderr.write(self._line(now) + "\n")
        if state.is_complete:
            self._live.stop()

    def _line(self, now: float) -> str:
        state = self._state
        began, before = self._began or (now, 0)
        rate = (state.done - before) / max(now - began, 1e-9)
        text = f"{games_of(state.done, state.scheduled, state.bound)} games"
        if state.done > before:
            text += f", {rate:.1f} a second"
            if not state.bound:
                text += f", {(state.scheduled - state.done) / rate:.0f} s left"
        return f"{text}; {state.leader} leads" if state.leader else text
