"""Numbers as texts for people."""

from collections.abc import Sequence

from c4_protocol.records.report_text import points_text
from c4_protocol.records.reports import Standings

from c4_referee.records.stats.elo import MAX_ELO_DIFFERENCE

UNKNOWN = "\N{EN DASH}"
"""Text for an unknown value."""
MINUS = "\N{MINUS SIGN}"


TIES = (
    "If points are equal, these decide, unless the system does: the games between these bots, the "
    "points of beaten opponents (Sonneborn-Berger), wins as second player, accuracy. Bots that are "
    "equal in all of this share a rank."
)


def ties_text(standings: Standings) -> str:
    """Return how bots with equal points are ordered, or "" if no two bots have equal points."""
    points = [row.points for row in standings.bots if row.games]
    return TIES if len({*points}) < len(points) else ""


def leaders_text(names: Sequence[str], points: float, *, is_over: bool) -> str:
    """Return a sentence about the bots of the best rank, of which there is at least one."""
    if len(names) == 1:
        verb = "is the champion" if is_over else "leads"
        return f"{names[0]} {verb}, with {points_text(points)} point{'s' * (points != 1)}."
    subject = " and ".join(names) if len(names) == 2 else counted(len(names), "bot")
    return f"{subject} share rank 1, with {points_text(points)} points each."


def results_text(wins: int, draws: int, losses: int, minus: str = "-") -> str:
    """Return results as text, such as ``+3 =1 -2``."""
    return f"+{wins} ={draws} {minus}{losses}"


def signed(value: float) -> str:
    """Return a whole number with its sign, such as +12. Zero has no sign."""
    rounded = round(value)
    return f"{rounded:+d}".replace("-", MINUS) if rounded else "0"


def elo_interval(low: float, high: float) -> str:
    """Return an interval of Elo points. A bound at which differences are cut is left out."""
    is_open_below, is_open_above = low == -MAX_ELO_DIFFERENCE, high == MAX_ELO_DIFFERENCE
    if is_open_below and is_open_above:
        return "any"
    if is_open_above:
        return f"at least {signed(low)}"
    return f"at most {signed(high)}" if is_open_below else f"{signed(low)} to {signed(high)}"


def percent(share: float | None) -> str:
    """Return a share in percent with one decimal."""
    return UNKNOWN if share is None else f"{share:.1%}"


def time_text(ms: float) -> str:
    """Return a time with three significant digits and its unit."""
    if ms < 1:
        return f"{ms:.2f} ms"
    if ms < 10:
        return f"{ms:.1f} ms"
    if ms < 1000:
        return f"{ms:.0f} ms"
    if ms < 60_000:
        return f"{ms / 1000:.3g} s"
    return f"{ms / 60_000:.3g} min"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which has an s unless the number is 1."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def ordinal(number: int) -> str:
    """Return a rank as text, such as ``1st``, ``12th`` or ``22nd``."""
    is_teen = number % 100 in {11, 12, 13}
    return f"{number}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def joined_with_or(names: Sequence[str]) -> str:
    """Return names as text, such as ``3, 4 or 5``."""
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def value_text(value: int) -> str:
    """Return the value of a position in words, such as ``won +12`` or ``draw``."""
    if value == 0:
        return "draw"
    return f"won {signed(value)}" if value > 0 else f"lost {signed(value)}"


def apart_text(standings: Standings) -> str:
    """Return a sentence on stored games that do not count, with bots that are not listed."""
    games = sum(standings.apart.values()) // 2
    if not games:
        return ""
    listed = {row.bot for row in standings.bots}
    bots = ", ".join(f"{bot} {n}" for bot, n in standings.apart.items() if bot not in listed)
    text = f"{counted(games, 'stored game')} {'does' if games == 1 else 'do'} not count"
    return f"{text}: {bots}" if bots else text
