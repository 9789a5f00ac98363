"""What a run takes over from those before it, and how to go on after it."""

import sys

from c4_referee.play.tournament import Tournament
from c4_referee.report.bar import games_of


def tell_earlier(tournament: Tournament) -> None:
    """Says on standard error what need not be played, as an event begins."""
    if tournament.done:
        nothing = ": there is nothing to play" if tournament.is_complete else ""
        games = _played(tournament.done, tournament.scheduled, tournament.bound)
        sys.stderr.write(f"{games} before{nothing}\n")


def tell_unfinished(done: int, scheduled: int, *, is_kept: bool) -> None:
    """Says there, as the last line, that games are missing, and where the next run begins."""
    end = "the same command goes on" if is_kept else "with --out DIR the same command could go on"
    sys.stderr.write(f"{_played(done, scheduled)}; {end}\n")


def _played(done: int, scheduled: int, bound: str = "") -> str:
    return f"{games_of(done, scheduled, bound)} games were played"
