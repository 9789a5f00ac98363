"""Messages about games of earlier runs, and about continuing later."""

import sys

from c4_referee.contest.live.state import LiveState


def tell_earlier(state: LiveState) -> None:
    """Print on standard error the number of games that earlier runs have played, if any."""
    if state.done:
        nothing = ": there is nothing to play" if state.is_complete else ""
        games = _games_played_text(state.done, state.scheduled, state.bound)
        sys.stderr.write(f"{games} before{nothing}\n")


def tell_unfinished(done: int, scheduled: int, *, is_kept: bool) -> None:
    """Print on standard error that games are missing, and which command continues."""
    end = (
        "the same command continues"
        if is_kept
        else "with --out DIR the same command could continue"
    )
    sys.stderr.write(f"{_games_played_text(done, scheduled)}; {end}\n")


def _games_played_text(done: int, scheduled: int, bound: str = "") -> str:
    return f"{games_of(done, scheduled, bound)} games were played"


def games_of(done: int, total: float | None, bound: str) -> str:
    """Return a text such as ``3 of 10``, or ``3 of at least 10`` with the bound ``at least``."""
    if total is None:
        return f"{done}"
    return " ".join(filter(None, (f"{done} of", bound, f"{total:.0f}")))
