"""Progress of a tournament: a table and a bar on a terminal, otherwise lines of text."""

import sys
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from c4_protocol.terminal.console import SafeConsole
from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Column, Table
from rich.text import Text

from c4_referee.play.tournament import Tournament
from c4_referee.report.bar import GamesColumn, TimeLeftColumn
from c4_referee.report.earlier import games_of, tell_earlier, tell_missing
from c4_referee.report.summary import tallies

MOST_BOTS = 10
"""Maximum number of bots in the table, so that it fits on a small terminal."""
TABLE_SECONDS = 0.5
"""Seconds between two updates of the table."""
LINE_SECONDS = 30.0
"""Seconds between two lines if there is no terminal."""
NOBODY: Mapping[str, str] = MappingProxyType({})


class RateColumn(ProgressColumn):
    """Number of games played per second."""

    def __init__(self) -> None:
        super().__init__(Column(no_wrap=True))

    def render(self, task: Task) -> Text:
        """Return the rate, or an empty text if it is not known yet."""
        return Text(f"{task.speed:.1f} games/s" if task.speed else "")


class LiveStandings:
    """Context manager that shows the progress of a tournament on standard error.

    It shows the number and rate of the games played, the time left if this is known, and the
    leading bots. ``missing`` says which bots cannot play, and why.
    """

    def __init__(self, bots: Sequence[str], missing: Mapping[str, str] = NOBODY) -> None:
        self._bots, self._missing = bots, missing
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

    def __call__(self, tournament: Tournament) -> None:
        """Show the progress. Remove the display if the tournament is complete.

        Games of earlier runs are not part of the rate.
        """
        now = time.monotonic()
        if self._began is None:
            tell_earlier(tournament)
            tell_missing(self._missing)
            self._began = now, tournament.done
            self._bar.reset(self._task, completed=tournament.done)
            self._shown = now
        self._bar.update(
            self._task,
            completed=tournament.done,
            total=tournament.scheduled,
            bound=tournament.bound_of_scheduled,
        )
        if self._console.is_terminal:
            if now - self._shown >= TABLE_SECONDS:
                self._shown = now
                self._live.update(Group(self._table(tournament), self._bar))
        elif now - self._shown >= LINE_SECONDS:
            self._shown = now
            sys.stderr.write(self._line(tournament, now) + "\n")
        if tournament.is_complete:
            self._live.stop()

    def _table(self, tournament: Tournament) -> Table:
        table = Table("bot", box=None, pad_edge=False)
        for title in ("points", "games"):
            table.add_column(title, justify="right")
        for bot, points, games in self._leaders(tournament)[:MOST_BOTS]:
            table.add_row(Text(bot, overflow="ellipsis", no_wrap=True), f"{points:g}", str(games))
        return table

    def _line(self, tournament: Tournament, now: float) -> str:
        began, before = self._began or (now, 0)
        rate = (tournament.done - before) / max(now - began, 1e-9)
        games = games_of(tournament.done, tournament.scheduled, tournament.bound_of_scheduled)
        text = f"{games} games"
        if tournament.done > before:
            text += f", {rate:.1f} a second"
            if not tournament.bound_of_scheduled:
                text += f", {(tournament.scheduled - tournament.done) / rate:.0f} s left"
        leaders = self._leaders(tournament)
        return f"{text}; {leaders[0][0]} leads" if leaders and tournament.done else text

    def _leaders(self, tournament: Tournament) -> list[tuple[str, float, int]]:
        """Return bots with their points and games, best first."""
        tally_of = tallies(self._bots, tournament.results)
        rows = [(bot, one.wins + one.draws / 2, one.games) for bot, one in tally_of.items()]
        return sorted(rows, key=lambda row: -row[1])
