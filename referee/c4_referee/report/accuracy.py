"""The accuracy of bots on a terminal, drawn with rich."""

from collections.abc import Iterator
from itertools import islice

from c4_protocol.records import AccuracyRecord, AccuracyReport
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from c4_referee.report.bar import Bar

NAME_WIDTH = 12
"""Of a bot's name, at least: on a narrow terminal the last of the numbers are left out."""
TITLES = (
    "judged",
    "kept",
    "best",
    "wins\nthrown",
    "draws\nthrown",
    "moves\nlost",
    "kept by\nthirds",
)


class JudgingProgress(Bar):
    """A bar of games judged; it has no thread to draw it, as the judge is started beside it."""

    def __init__(self) -> None:
        super().__init__("judging", threaded=False)

    def __call__(self, done: int, games: int) -> None:
        """Moves the bar to where the judging is."""
        self.move(done, games)


def print_accuracy(console: Console, report: AccuracyReport) -> None:
    """What the judge says of each bot's moves, and of how many."""
    tables = (_table(report, columns) for columns in range(len(TITLES), 0, -1))
    fitting = (table for table in tables if _least_width(console, table) <= console.width)
    console.print(next(fitting, _table(report, 1)))
    console.print(Text(_legend(report)))


def _least_width(console: Console, table: Table) -> int:
    """What a table needs with folded names, however wide the terminal is."""
    names = table.columns[0]
    names.max_width = NAME_WIDTH
    needed = console.measure(table, options=console.options.update(width=1000)).minimum
    names.max_width = None
    return needed


def _table(report: AccuracyReport, columns: int) -> Table:
    """The first so many columns of numbers."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("bot", overflow="fold", min_width=NAME_WIDTH)
    for title in TITLES[:columns]:
        table.add_column(title, justify="right", no_wrap=True)
    for bot, record in report.bots.items():
        table.add_row(Text(bot), *islice(_cells(record), columns))
    return table


def _cells(record: AccuracyRecord) -> Iterator[str]:
    total = record.total
    yield str(total.judged)
    yield f"{_percent(total.kept, total.judged)}\n{record.low:.0%}-{record.high:.0%}"
    yield _percent(total.best, total.judged)
    yield f"{total.wins_drawn + total.wins_lost}/{total.wins}"
    yield f"{total.draws_lost}/{total.draws}"
    yield str(total.moves_lost)
    yield " ".join(_percent(phase.kept, phase.judged) for phase in record.phases)


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "-"


def _legend(report: AccuracyReport) -> str:
    """Who judged how much, and what ended it."""
    judged = sum(record.total.judged for record in report.bots.values())
    moves = sum(record.moves for record in report.bots.values())
    why = {
        None: "",
        "time": ", drawn by lot, as its time was up (--judge-seconds, or judge_seconds in a file)",
        "interrupt": ", drawn by lot, as it was interrupted",
    }[report.ended]
    return (
        f"{report.judge} judged {judged} of {moves} moves, in {report.judged_games} of "
        f"{report.games} different games{why}.\n"
        "Kept: the outcome, with its 95% interval; and by thirds of the board as it fills. "
        "Best: no move is better. Moves lost: by which wins came later, and losses sooner."
    )
