"""Standings as tables on a terminal, drawn with rich, and as CSV."""

import csv
import io
from collections.abc import Callable, Sequence
from itertools import pairwise

from c4_protocol.reports import Encounter, Standing, Standings, TournamentReport
from rich import box
from rich.console import Console, ConsoleRenderable, Group
from rich.table import Table
from rich.text import Text

from c4_referee.report.accuracy import print_accuracy
from c4_referee.report.columns import Column, bots_table, fitting
from c4_referee.report.faults import print_forfeits

NAME_WIDTH = 16
"""Columns for bots' names in a crosstable, at least if they need so many: longer ones are cut,
as their numbers tell them."""
TIE_BREAK = (
    "Accuracy orders bots that points and all other tie-breaks leave tied: the share of moves that "
    "keep the best outcome"
)
RATINGS = (
    "group", "rank", "bot", "rating", "rating_low", "rating_high", "los", "games",
    "distinct_games", "points", "wins", "draws", "losses",
)  # fmt: skip
"""The columns of the CSV, as ``Standing`` has them."""


def print_standings(console: Console, standings: Standings) -> None:
    """Print the standings of an event, and who beat whom."""
    columns = _standings_columns(standings, console.width)
    console.print(_table(standings, columns, console.width), "")
    console.print(crosstable(standings, console.width), "")
    console.print(notes(standings, columns))


def print_tournament(console: Console, report: TournamentReport) -> None:
    """How a tournament stands, or has ended."""
    title = Text(report.name, style="bold").append(
        f"  {report.system}, {report.standings.games + report.standings.void} of "
        f"{report.scheduled} games, {report.seconds:.1f} s"
    )
    console.print(title if report.complete else Text("INCOMPLETE. ").append_text(title))
    console.print()
    print_standings(console, report.standings)
    console.print()
    print_forfeits(console, report.forfeits)
    if report.accuracy is not None:
        print_accuracy(console, report.accuracy)


def print_ratings(console: Console, standings: Standings) -> None:
    """A rating list, and what is to be known about it."""
    columns = _ratings_columns(standings, console.width)
    console.print(_table(standings, columns, console.width), "")
    console.print(notes(standings, columns))
    if faults := [line for bot in standings.bots for line in _faults(bot)]:
        console.print(Text(f"Forfeits: {'; '.join(faults)}"))


def ratings_csv(standings: Standings) -> str:
    """A rating list for other programs: a header, and a line a bot; empty where nothing is known.

    ``forfeits`` is how many games the bot has forfeited for whatever reason.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow((*RATINGS, "forfeits"))
    for bot in standings.bots:
        writer.writerow((*(getattr(bot, name) for name in RATINGS), sum(bot.forfeits.values())))
    return text.getvalue()


Kind = tuple[str, Callable[[Standing], str]]
"""A title, whose lines are separated by the first space, and the cell of a bot."""


def _standings_columns(standings: Standings, width: int) -> list[Column]:
    """Return the columns of a table by points that say something, as many as there is room for."""
    kinds = [_played(standings), POINTS, RESULTS, RATING, *_occasional(standings)]
    return _fitting(standings, kinds, width)


def _ratings_columns(standings: Standings, width: int) -> list[Column]:
    """Return those of a table by ratings."""
    kinds = [RATING, SUPERIORITY, _played(standings), SCORE, RESULTS, *_occasional(standings)]
    return _fitting(standings, kinds, width)


def _fitting(standings: Standings, kinds: Sequence[Kind], width: int) -> list[Column]:
    bots = standings.bots
    columns = [Column(_title(kind), [kind[1](bot) for bot in bots]) for kind in kinds]
    return fitting([bot.bot for bot in bots], columns, width, _ranks(standings))


def _title(kind: Kind) -> str:
    return kind[0].replace(" ", "\n", 1)


def _ranks(standings: Standings) -> Column:
    return Column("#", [f"{bot.rank}" for bot in standings.bots])


def _table(standings: Standings, columns: Sequence[Column], width: int) -> Table:
    """Return a row a bot, by rank, with a line between groups that no result compares."""
    groups = [bot.group for bot in standings.bots]
    sections = {row for row, (one, other) in enumerate(pairwise(groups)) if one != other}
    names = [bot.bot for bot in standings.bots]
    return bots_table(names, columns, width, _ranks(standings), sections)


def _rating(bot: Standing) -> str:
    if bot.rating is None or bot.rating_high is None:
        return "?"
    return f"{bot.rating:+.0f} ±{bot.rating_high - bot.rating:4.0f}"


GAMES: Kind = ("games", lambda bot: f"{bot.games}")
POINTS: Kind = ("points", lambda bot: _halves(bot.points))
RESULTS: Kind = ("won drawn lost", lambda bot: f"+{bot.wins} ={bot.draws} -{bot.losses}")
RATING: Kind = ("rating 95%", _rating)
SUPERIORITY: Kind = ("LOS", lambda bot: "" if bot.los is None else f"{bot.los:.1%}")
SCORE: Kind = ("score", lambda bot: f"{bot.points / bot.games:.1%}" if bot.games else "")
BYES: Kind = ("byes", lambda bot: _halves(bot.extra_points))
DISTINCT: Kind = ("distinct /games", lambda bot: f"{bot.distinct_games}/{bot.games}")
ACCURACY: Kind = ("tie-break accuracy", lambda bot: _percent(bot.accuracy_tie_break))
FORFEITS: Kind = ("forfeits", lambda bot: f"{sum(bot.forfeits.values())}")


def _played(standings: Standings) -> Kind:
    """How many games, and how many of them differ where not all do."""
    return GAMES if standings.games == standings.distinct_games else DISTINCT


def _occasional(standings: Standings) -> list[Kind]:
    """The columns that say something only in some events."""
    bots = standings.bots
    columns = []
    if any(bot.extra_points for bot in bots):
        columns.append(BYES)
    if any(bot.forfeits for bot in bots):
        columns.append(FORFEITS)
    if any(bot.accuracy_tie_break is not None for bot in bots):
        columns.append(ACCURACY)
    return columns


def _percent(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def crosstable(standings: Standings, width: int) -> ConsoleRenderable:
    """Who beat whom, on so many columns: bots are numbered, and each has a row and a column.

    A cell has the results, or the points of the games, or the share of the points in percent:
    whatever fits. Where nothing does, that is said.
    """
    bots = standings.bots
    number = len(f"{len(bots)}")
    longest = max((len(bot.bot) for bot in bots), default=0)
    met = {(bot.bot, other): encounter for bot in bots for other, encounter in bot.against.items()}
    for title, write in STYLES:
        cells = {pair: write(encounter) for pair, encounter in met.items()}
        widest = max([number, *map(len, cells.values())])
        name = width - (number + 1 + len(bots) * (1 + widest))
        if name >= min(NAME_WIDTH, longest):
            return Group(title, _crosstable(bots, cells, (number, min(name, longest), widest)))
    return Text(f"The crosstable of {len(bots)} bots is too wide for {width} columns.")


def _crosstable(
    bots: Sequence[Standing], cells: dict[tuple[str, str], str], widths: tuple[int, int, int]
) -> Table:
    number, name, widest = widths
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0)
    table.add_column("#", justify="right", width=number, no_wrap=True)
    table.add_column("bot", width=name, overflow="ellipsis", no_wrap=True)
    for place in range(1, len(bots) + 1):
        table.add_column(f"{place}", justify="right", width=widest, no_wrap=True)
    for place, bot in enumerate(bots, 1):
        row = ("·" if other is bot else cells.get((bot.bot, other.bot), "") for other in bots)
        table.add_row(f"{place}", Text(bot.bot), *row)
    return table


def _results(encounter: Encounter) -> str:
    return f"+{encounter.wins}={encounter.draws}-{encounter.losses}"


def _points(encounter: Encounter) -> str:
    return f"{_halves(_gained(encounter))}/{_games(encounter)}"


def _share(encounter: Encounter) -> str:
    return f"{100 * _gained(encounter) / _games(encounter):.0f}"


STYLES: tuple[tuple[str, Callable[[Encounter], str]], ...] = (
    ("Against each other: won, drawn, lost", _results),
    ("Against each other: points of the games", _points),
    ("Against each other: share of the points, %", _share),
)
"""What a cell of the crosstable can hold, the longest first."""


def _games(encounter: Encounter) -> int:
    return encounter.wins + encounter.draws + encounter.losses


def _gained(encounter: Encounter) -> float:
    return encounter.wins + encounter.draws / 2


def _halves(points: float) -> str:
    """Points as people write them: 1½."""
    whole, half = divmod(round(2 * points), 2)
    return f"{whole or ''}½" if half else f"{whole}"


def notes(standings: Standings, columns: Sequence[Column]) -> Text:
    """Return what the tables do not say, and what is to be known of the columns that are shown."""
    titles = {column.title for column in columns}
    lines = [_games_line(standings)]
    if standings.first_advantage is not None and standings.draws is not None:
        lines.append(
            f"Going first is worth {standings.first_advantage:+.0f} points "
            f"(95%: {standings.first_advantage_low:+.0f} to {standings.first_advantage_high:+.0f});"
            f" equals draw {standings.draws:.1%} of their games "
            f"({standings.draws_low:.1%} to {standings.draws_high:.1%})"
        )
    are_apart = max((bot.group for bot in standings.bots), default=1) > 1
    if are_apart and _title(RATING) in titles:
        lines.append("No games compare the groups of bots: ratings hold within each of them")
    if _title(ACCURACY) in titles:
        lines.append(TIE_BREAK)
    return Text("\n".join(lines))


def _games_line(standings: Standings) -> str:
    parts = [f"{standings.games} games, {standings.distinct_games} distinct"]
    if standings.void:
        parts.append(f"{standings.void} more void")
    if standings.unrecorded_games:
        parts.append(f"{standings.unrecorded_games} without their moves, each taken as distinct")
    return ", ".join(parts)


def _faults(bot: Standing) -> list[str]:
    reasons = ", ".join(f"{reason} {times}" for reason, times in bot.forfeits.items())
    return [f"{bot.bot}: {reasons}"] if reasons else []
