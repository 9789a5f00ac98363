"""Reports as short texts: the verdict and a table, in at most ten lines."""

from typing import NamedTuple

from c4_protocol.program.text import visible
from c4_protocol.records.reports import GoalRecord, MatchReport, TournamentReport, UntilRecord

MAX_ROWS = 7
"""Maximum number of bots in a table. With title, headings and a last line, these are ten lines."""
COLUMNS = ("bot", "points", "games", "wins", "draws", "losses", "forfeits")


class Lead(NamedTuple):
    """Who leads a match, in words; how likely this bot is the better one; whether that is sure."""

    text: str
    likelihood: float
    is_settled: bool


def lead_of(report: MatchReport) -> Lead:
    """Return who is ahead. A likelihood stands only beside a lead that pairs of games confirm."""
    first, second = report.wins + report.draws / 2, report.losses + report.draws / 2
    if first == second:
        points = points_text(first)
        text = f"{' and '.join(report.bots)} are equal on points, {points} to {points}"
        return Lead(text, 0.5, is_settled=False)
    seat, sure = (0, report.los) if first > second else (1, 1 - report.los)
    ahead, behind = points_text(max(first, second)), points_text(min(first, second))
    text = f"{report.bots[seat]} leads {ahead} to {behind}"
    if sure <= 0.5:
        return Lead(text, sure, is_settled=False)
    likelihood = f"{sure:.0%}" if sure < 0.99 else f"{min(sure, 0.999):.1%}"
    text += f"; it is the better bot with {likelihood} likelihood"
    return Lead(text, sure, (-report.elo_high if seat else report.elo_low) > 0)


def decision_text(report: MatchReport) -> str:
    """Return in words what the sequential test of a match has decided, or "" if it has none.

    H0 says that the difference is below ``elo1``, and H1 that it is above ``elo0``.
    """
    sprt = report.sprt
    if sprt is None:
        return "" if report.until is None else _until_text(report.until, report.bots)
    if sprt.verdict == "undecided":
        return "the sequential test is undecided: a larger --games lets it go on"
    bot, found = report.bots[0], "better"
    if sprt.verdict == "H1" and sprt.elo0 < 0:
        found = f"not worse by {-sprt.elo0:g} Elo or more"
    elif sprt.verdict == "H0" and sprt.elo1 > 0:
        found = f"not better by {sprt.elo1:g} Elo or more"
    elif sprt.verdict == "H0":
        bot = report.bots[1]
    return f"the sequential test decided that {bot} is {found}"


def _until_text(until: UntilRecord, bots: tuple[str, str]) -> str:
    """Return in words what the sequential tests of two bots have decided, or where they stand."""
    if until.verdict == "within":
        return f"the sequential tests decided that both are within {until.within:g} Elo"
    if until.bot is not None:
        return f"the sequential tests decided that {until.bot} is better"
    known = "the sequential tests are undecided"
    for bot, test in zip(bots, until.tests, strict=True):
        if test.verdict != "undecided":
            known += f", but {bot} is not better by {until.within:g} Elo or more"
    return f"{known}: a larger --games lets them go on"


def points_text(points: float) -> str:
    """Return points as text, such as 1½."""
    whole, half = divmod(round(2 * points), 2)
    return f"{whole or ''}½" if half else f"{whole}"


def match_text(report: MatchReport) -> str:
    """Return the verdict of a match and a line for each bot."""
    if not report.games:
        verdict = "No game has a result"
    elif decision := decision_text(report):
        verdict = f"{lead_of(report).text}; {decision.replace('--games', 'games')}"
    else:
        lead = lead_of(report)
        verdict = f"{lead.text}: {'settled' if lead.is_settled else 'not settled'}"
    interval = f"95 %: {report.elo_low:+g} to {report.elo_high:+g}"
    last = f"Elo difference: {report.elo:+g} for {report.bots[0]} ({interval})"
    return _with_table(verdict, report, last)


def tournament_text(report: TournamentReport) -> str:
    """Return who leads a tournament, and a line for each of the best bots."""
    bots = report.standings.bots
    best = [row.bot for row in bots if row.rank == 1]
    verdict = f"{report.name}: {' and '.join(best)} {'is' if len(best) == 1 else 'are'} first"
    if report.goal is not None:
        verdict = f"{report.name}: {goal_lines(report.goal)[0]}"
    more = f"and {len(bots) - MAX_ROWS} more bots" if len(bots) > MAX_ROWS else ""
    return _with_table(verdict, report, more)


def goal_lines(record: GoalRecord) -> list[str]:
    """Return what the games tell about a goal, what is open, and why the tournament has ended."""
    within, order = f"within {record.within:g} Elo", record.order
    claimed = [bot for bot in record.claimed if bot in order]
    match record.goal:
        case "best":
            claim = f"{', '.join(claimed)} is the best, or {within} of it"
        case "ranking":
            claim = f"The ranking is right, but for bots {within} of each other"
        case "placement":
            places = [f"{bot} is in place {order.index(bot) + 1}" for bot in claimed]
            claim = f"{', '.join(places)} of {len(order)}, but for bots {within}"
        case top:
            claim = f"The {top} are {', '.join(claimed)}, or {within} of the others"
    lines = [f"{claim}: {int(100 * record.likelihood)} %"]
    if record.ended != "goal":
        lines[0] += ", which is not sure enough"
        lines += [
            f"Open: {doubt.lower} may be better than {doubt.higher} by more than "
            f"{record.within:g} Elo ({doubt.likelihood:.0%})"
            for doubt in record.doubts
        ]
    if record.ended == "max_games":
        lines.append("It ended after max_games: a larger number lets it go on")
    elif record.ended == "minutes":
        lines.append("It ended after its minutes: the same command lets it go on")
    elif record.ended == "nothing new":
        lines.append("It ended because more games would repeat games or lack openings")
    return lines


def _with_table(verdict: str, report: MatchReport | TournamentReport, last: str) -> str:
    cells = [[str(row[name]) for name in COLUMNS] for row in report.rows()[:MAX_ROWS]]
    lines = [COLUMNS, *cells]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    table = (
        "  ".join((line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])))
        for line in lines
    )
    verdict = verdict if report.complete else f"INCOMPLETE. {verdict}"
    return visible("\n".join(filter(None, (verdict, *table, last))), keep="\n")
