"""Incidents of a contest as text on a terminal: lost games, and bots whose files changed."""

from collections.abc import Iterator

from c4_protocol.reports import Incidents
from rich.console import Console
from rich.text import Text


def print_incidents(console: Console, incidents: Incidents) -> None:
    """Print a line for each incident, and an empty line if there is any."""
    lines = [*_incident_lines(incidents)]
    if lines:
        console.print(Text("\n".join(lines), style="bold"))
        console.print()


def _incident_lines(incidents: Incidents) -> Iterator[str]:
    if incidents.lost_games:
        yield _lost_text(incidents)
    for bot, change in incidents.changed_files.items():
        yield f"{bot} changed its files during the contest: {change}"


def _lost_text(incidents: Incidents) -> str:
    count, suspects = incidents.lost_games, incidents.suspects
    games = "1 game was" if count == 1 else f"{count} games were"
    text = f"{games} stopped: a worker process ended, hung, or wrote a wrong record"
    return f"{text}; in each of them played {' and '.join(suspects)}" if suspects else text
