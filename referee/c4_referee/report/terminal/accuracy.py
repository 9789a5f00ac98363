"""The accuracy of bots as a table on a terminal."""

from collections.abc import Iterator

from c4_protocol.records.reports import AccuracyRecord, AccuracyReport
from c4_protocol.rules.variant import Variant
from rich.console import Console
from rich.text import Text

from c4_referee.report.terminal.bot_tables import NumberColumn, print_bots

TITLES = (
    "judged",
    "kept",
    "best",
    "wins\nthrown",
    "draws\nthrown",
    "moves\nlost",
    "kept by\nthirds",
)
MORE_TIME = "--judge-seconds N, or judge_seconds in a file, gives more"
"""Hint that is printed if the time limit stopped the judging."""


def print_accuracy(console: Console, report: AccuracyReport) -> None:
    """Print the accuracy of each bot's moves, and how many moves were judged."""
    if any(record.total.judged for record in report.bots.values()):
        cells = zip(*map(_bot_cells, report.bots.values()), strict=True)
        columns = [NumberColumn(title, each) for title, each in zip(TITLES, cells, strict=True)]
        print_bots(console, [*report.bots], columns)
    console.print(Text(_summary_text(report)))


def print_no_judge(console: Console, variant: Variant) -> None:
    """Print the reason why no accuracy is known for the variant, and a way to get it."""
    console.print(
        Text(
            f"No accuracy: c4-bot judges the 7x6 game only, not {variant}; "
            "--judge BOT, or judge in a file, names another bot that knows exact scores"
        )
    )


def _bot_cells(record: AccuracyRecord) -> Iterator[str]:
    total = record.total
    yield str(total.judged)
    interval = f"\n{record.low:.0%}-{record.high:.0%}" if total.judged else ""
    yield f"{_percent_text(total.kept, total.judged)}{interval}"
    yield _percent_text(total.best, total.judged)
    yield f"{total.wins_drawn + total.wins_lost}/{total.wins}"
    yield f"{total.draws_lost}/{total.draws}"
    yield str(total.moves_lost)
    yield " ".join(_percent_text(phase.kept, phase.judged) for phase in record.phases)


def _percent_text(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "-"


def _summary_text(report: AccuracyReport) -> str:
    """Return a sentence with the judge, the number of judged moves, and why others were not."""
    judged = sum(record.total.judged for record in report.bots.values())
    moves = sum(record.moves for record in report.bots.values())
    if not moves:
        return "No accuracy: the bots made no moves that could be judged"
    if not report.judged_games:
        return f"No accuracy: {_why_stopped(report)} before {report.judge} had judged a game"
    games = f"{report.judged_games} of {report.games} different games"
    if not judged:
        cause = f"{report.judge} could not solve any position of {games}"
        return f"No accuracy: {cause}{_why_not_all(report)}"
    unproven = sum(record.moves for record in report.bots.values()) > judged and not report.ended
    rest = "; it could not solve the others" if unproven else ""
    return (
        f"{report.judge} judged {judged} of {moves} moves, in {games}{_why_not_all(report)}{rest}."
    )


def _why_not_all(report: AccuracyReport) -> str:
    """Return the reason why only some games were judged, as the end of a sentence."""
    return f", chosen at random; then {_why_stopped(report)}" if report.ended else ""


def _why_stopped(report: AccuracyReport) -> str:
    return f"time was up ({MORE_TIME})" if report.ended == "time" else "it was interrupted"
