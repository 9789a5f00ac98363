"""Incidents of a contest as lines of text."""

from collections.abc import Iterator

from c4_protocol.records.reports import Incidents
from rich.console import Console
from rich.text import Text


def print_incidents(console: Console, incidents: Incidents) -> None:
    """Print a line for each incident, and an empty line if there is any."""
    lines = [*incident_lines(incidents)]
    if lines:
        console.print(Text("\n".join(lines), style="bold"))
        console.print()


def incident_lines(incidents: Incidents) -> Iterator[str]:
    """Yield a line for each incident."""
    if (count := incidents.lost_games) > 0:
        games = "1 game was" if count == 1 else f"{count} games were"
        text = f"{games} stopped: a worker process ended, hung, or wrote a wrong record"
        names = " and ".join(incidents.suspects)
        yield f"{text}; all or nearly all of them were games of {names}" if names else text
    for bot, change in incidents.changed_files.items():
        yield f"{bot} changed its files during the contest: {change}"
    for bot, detail in incidents.pondered.items():
        yield f"{bot} ran in its opponent's turns: {detail}"
    for detail in incidents.starved:
        yield f"played again: {detail}"
    if incidents.absent_ms:
        times = (f"{ms / 1000:.1f} s in games of {bot}" for bot, ms in incidents.absent_ms.items())
        yield f"the referee did not run for {', '.join(times)}"
