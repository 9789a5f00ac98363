"""Standings as tables on a terminal and as CSV."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from c4_protocol.records.report_text import points_text
from c4_protocol.records.reports import Encounter, Standing, Standings
from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleRenderable, Group
from rich.table import Table
from rich.text import Text

from c4_referee.records.formats.cells import csv_line
from c4_referee.report.terminal.bot_tables import NumberColumn, print_bots
from c4_referee.report.texts import apart_text, signed, ties_text

CROSSTABLE_NAME_WIDTH = 16
"""Minimum width of the column of names in a crosstable, in characters, if a name is that long.

Longer names may be cut off.
"""
TIE_BREAK_NOTE = (
    "Accuracy is the last tie-break, after points and all others: the share of moves that keep the "
    "best outcome"
)
CSV_COLUMNS = (
    "group", "rank", "bot", "rating", "rating_low", "rating_high", "los", "games",
    "distinct_games", "points", "wins", "draws", "losses",
)  # fmt: skip
"""Columns of the CSV: attributes of ``Standing``."""


def print_standings(console: Console, standings: Standings) -> None:
    """Print the standings of a contest and the crosstable.

    In a gauntlet, the results of the other bots are all against the tested bot: there is no
    crosstable.
    """
    kinds = (_games_column(standings), POINTS, *RESULTS, RATING)
    columns = _print_bots(console, standings, kinds)
    if not any(bot.tested for bot in standings.bots):
        console.print(render_crosstable(standings, console.width), "")
    console.print(table_notes(standings, columns))


def print_ratings(console: Console, standings: Standings, *, rated: bool = True) -> None:
    """Print a rating list with notes, or only the results if the bots are not ``rated``."""
    kinds = (*(RATING, SUPERIORITY) * rated, _games_column(standings), SCORE, *RESULTS)
    columns = _print_bots(console, standings, kinds)
    console.print(table_notes(standings, columns))
    forfeits = [
        f"{bot.bot}: {', '.join(f'{reason} {games}' for reason, games in bot.forfeits.items())}"
        for bot in standings.bots
        if bot.forfeits
    ]
    if forfeits:
        console.print(Text(f"Forfeits: {'; '.join(forfeits)}"))


def ratings_csv(standings: Standings) -> str:
    """Return a rating list as CSV: a header and a line for each bot.

    Unknown values are empty. ``forfeits`` is the number of games that the bot forfeited.
    """
    rows = (
        (*(getattr(bot, name) for name in CSV_COLUMNS), sum(bot.forfeits.values()))
        for bot in standings.bots
    )
    return "".join(map(csv_line, [(*CSV_COLUMNS, "forfeits"), *rows]))


ColumnKind = tuple[str, Callable[[Standing], str]]
"""The title of a column, and a function that returns a bot's cell.

The first space in the title becomes a line break.
"""


def _print_bots(
    console: Console, standings: Standings, kinds: Sequence[ColumnKind]
) -> Sequence[NumberColumn]:
    """Print a row for each bot and a line between groups. Return the columns that were printed."""
    bots, groups = standings.bots, [bot.group for bot in standings.bots]
    names, all_kinds = [bot.bot for bot in bots], (*kinds, *_columns_in_use(standings))
    ranks = NumberColumn("#", [f"{bot.rank}" for bot in bots])
    columns = [NumberColumn(_title(kind), [kind[1](bot) for bot in bots]) for kind in all_kinds]
    sections = {
        row
        for row, (group, following) in enumerate(pairwise(groups))
        if group != following or bots[row].tested
    }
    return print_bots(console, names, columns, ranks, sections)


def _title(kind: ColumnKind) -> str:
    return kind[0].replace(" ", "\n", 1)


def _rating_cell(bot: Standing) -> str:
    if bot.rating is None or bot.rating_high is None:
        return "?"
    return f"{round(bot.rating):+} ±{bot.rating_high - bot.rating:4.0f}"


GAMES: ColumnKind = ("games", lambda bot: f"{bot.games}")
POINTS: ColumnKind = ("points", lambda bot: points_text(bot.points))
RESULTS: tuple[ColumnKind, ...] = (
    ("won", lambda bot: f"{bot.wins}"),
    ("drawn", lambda bot: f"{bot.draws}"),
    ("lost", lambda bot: f"{bot.losses}"),
)
RATING: ColumnKind = ("rating 95%", _rating_cell)
SUPERIORITY: ColumnKind = ("LOS", lambda bot: _percent_text(bot.los))
SUPERIORITY_NOTE = "LOS: the likelihood that a bot is stronger than the next one in the list"
SCORE: ColumnKind = ("score", lambda bot: f"{bot.points / bot.games:.1%}" if bot.games else "")
BYES: ColumnKind = ("byes", lambda bot: points_text(bot.extra_points))
DISTINCT: ColumnKind = ("distinct /games", lambda bot: f"{bot.distinct_games}/{bot.games}")
ACCURACY: ColumnKind = ("tie-break accuracy", lambda bot: _percent_text(bot.accuracy_tie_break))
FORFEITS: ColumnKind = ("forfeits", lambda bot: f"{sum(bot.forfeits.values())}")


def _games_column(standings: Standings) -> ColumnKind:
    """Return the table column for the number of games.

    If some games are repeated, it also shows the number of distinct games.
    """
    return GAMES if standings.games == standings.distinct_games else DISTINCT


def _columns_in_use(standings: Standings) -> list[ColumnKind]:
    """Return those of the rarely used columns that are not empty here."""
    bots = standings.bots
    kinds = {
        BYES: any(bot.extra_points for bot in bots),
        FORFEITS: any(bot.forfeits for bot in bots),
        ACCURACY: any(bot.accuracy_tie_break is not None for bot in bots),
    }
    return [kind for kind, is_used in kinds.items() if is_used]


def _percent_text(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"


def render_crosstable(standings: Standings, width: int) -> ConsoleRenderable:
    """Return the crosstable in ``width`` characters, or a message if it does not fit.

    Each bot has a row and a column with its rank. Cells show results (won, drawn, lost). If these
    do not fit, cells show points, and if points do not fit, the share of points in percent.
    """
    bots = standings.bots
    number = len(f"{len(bots)}")
    longest = max((cell_len(bot.bot) for bot in bots), default=0)
    met = {(bot.bot, other): encounter for bot in bots for other, encounter in bot.against.items()}
    for title, write in CELL_STYLES:
        cells = {pair: write(encounter) for pair, encounter in met.items()}
        widest = max([number, *map(len, cells.values())])
        name = width - (number + 1 + len(bots) * (1 + widest))
        if name >= min(CROSSTABLE_NAME_WIDTH, longest):
            table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0)
            table.add_column("#", justify="right", width=number, no_wrap=True)
            table.add_column("bot", width=min(name, longest), overflow="ellipsis", no_wrap=True)
            for bot in bots:
                table.add_column(f"{bot.rank}", justify="right", width=widest, no_wrap=True)
            for bot in bots:
                row = [
                    "·" if other is bot else cells.get((bot.bot, other.bot), "") for other in bots
                ]
                table.add_row(f"{bot.rank}", Text(bot.bot), *row)
            return Group(title, table)
    return Text(f"The crosstable of {len(bots)} bots is too wide for {width} columns.")


CELL_STYLES: tuple[tuple[str, Callable[[Encounter], str]], ...] = (
    ("Against each other: won, drawn, lost", lambda met: f"+{met.wins}={met.draws}-{met.losses}"),
    (
        "Against each other: points of the games",
        lambda met: f"{points_text(met.points)}/{met.games}",
    ),
    (
        "Against each other: share of the points, %",
        lambda met: f"{100 * met.points / met.games:.0f}",
    ),
)
"""Kinds of cells of a crosstable, widest first: a title, and a function that returns a cell."""


def table_notes(standings: Standings, columns: Sequence[NumberColumn]) -> Text:
    """Return the notes below a table: more numbers, and explanations of columns."""
    titles = {column.title for column in columns}
    games = [f"{standings.games} games, {standings.distinct_games} distinct"]
    if standings.void:
        games.append(f"{standings.void} more void")
    if standings.unrecorded_games:
        games.append(f"{standings.unrecorded_games} without their moves, each counted as distinct")
    lines = [", ".join(games)]
    if standings.first_advantage is not None and standings.draws is not None:
        low, high = standings.first_advantage_low or 0, standings.first_advantage_high or 0
        lines.append(
            f"Going first is worth {signed(standings.first_advantage)} Elo points "
            f"(95%: {signed(low)} to {signed(high)}); "
            f"equal bots draw {standings.draws:.1%} of their games "
            f"({standings.draws_low:.1%} to {standings.draws_high:.1%})"
        )
    are_apart = len({bot.group for bot in standings.bots if bot.games}) > 1
    if are_apart and _title(RATING) in titles:
        lines.append(
            "No games connect the groups of bots: ratings can be compared only within a group"
        )
    notes = {_title(SUPERIORITY): SUPERIORITY_NOTE, _title(ACCURACY): TIE_BREAK_NOTE}
    lines += [note for title, note in notes.items() if title in titles]
    if _title(POINTS) in titles and (ties := ties_text(standings)):
        lines.append(ties)
    if standings.apart:
        lines.append(apart_text(standings))
    return Text("\n".join(lines))
