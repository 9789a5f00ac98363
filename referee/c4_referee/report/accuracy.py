"""The accuracy of bots on a terminal, drawn with rich."""

from collections.abc import Iterator

from c4_protocol.reports import AccuracyRecord, AccuracyReport
from c4_protocol.variant import Variant
from rich.console import Console
from rich.text import Text

from c4_referee.report.bar import Bar
from c4_referee.report.columns import Column, bots_table, fitting

COLUMNS = (
    ("judged", ""),
    ("kept", "Kept: the outcome stayed the best one, with the 95% interval of the share."),
    ("best", "Best: no other move was better."),
    ("wins\nthrown", "Wins thrown: won positions that became drawn or lost."),
    ("draws\nthrown", "Draws thrown: drawn positions that became lost."),
    ("moves\nlost", "Moves lost: wins came later by so many moves, or losses sooner."),
    ("kept by\nthirds", "Kept by thirds: of the board as it fills."),
)
"""Titles of columns, and what a footnote says of each."""
MORE_TIME = "--judge-seconds N, or judge_seconds in a file, gives more"


class JudgingProgress(Bar):
    """A bar of games judged; it has no thread to draw it, as the judge is started beside it."""

    def __init__(self) -> None:
        super().__init__("judging", threaded=False)

    def __call__(self, done: int, games: int) -> None:
        """Moves the bar to where the judging is."""
        self.move(done, games)


def print_accuracy(console: Console, report: AccuracyReport) -> None:
    """Print what the judge says of each bot's moves, and how many it judged."""
    if not any(record.total.judged for record in report.bots.values()):
        console.print(Text(_verdict(report)))
        return
    names = [*report.bots]
    cells = zip(*map(_cells, report.bots.values()), strict=True)
    columns = [Column(title, each) for (title, _), each in zip(COLUMNS, cells, strict=True)]
    shown = fitting(names, columns, console.width)
    console.print(bots_table(names, shown, console.width), "")
    footnotes = (note for _, note in COLUMNS[: len(shown)] if note)
    console.print(Text("\n".join((_verdict(report), *footnotes))))


def print_no_judge(console: Console, variant: Variant) -> None:
    """Print why there is no accuracy, and how to get it."""
    console.print(
        Text(
            f"No accuracy: c4-bot judges the 7x6 game only, not {variant}; "
            "--judge BOT, or judge in a file, names a bot that knows exact scores"
        )
    )


def _cells(record: AccuracyRecord) -> Iterator[str]:
    total = record.total
    yield str(total.judged)
    interval = f"\n{record.low:.0%}-{record.high:.0%}" if total.judged else ""
    yield f"{_percent(total.kept, total.judged)}{interval}"
    yield _percent(total.best, total.judged)
    yield f"{total.wins_drawn + total.wins_lost}/{total.wins}"
    yield f"{total.draws_lost}/{total.draws}"
    yield str(total.moves_lost)
    yield " ".join(_percent(phase.kept, phase.judged) for phase in record.phases)


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "-"


def _verdict(report: AccuracyReport) -> str:
    """Return who judged how many moves, and why not more."""
    judged = sum(record.total.judged for record in report.bots.values())
    moves = sum(record.moves for record in report.bots.values())
    if not moves:
        return "No accuracy: the bots made no moves that could be judged"
    if not report.judged_games:
        return f"No accuracy: {_why_stopped(report)} before {report.judge} had judged a game"
    games = f"{report.judged_games} of {report.games} different games"
    if not judged:
        return (
            f"No accuracy: {report.judge} could prove no position of {games}{_why_not_all(report)}"
        )
    unproven = sum(record.moves for record in report.bots.values()) > judged and not report.ended
    rest = "; the others it could not prove" if unproven else ""
    return (
        f"{report.judge} judged {judged} of {moves} moves, in {games}{_why_not_all(report)}{rest}."
    )


def _why_not_all(report: AccuracyReport) -> str:
    """Return why only some games were judged, to follow their number."""
    return f", drawn by lot, then {_why_stopped(report)}" if report.ended else ""


def _why_stopped(report: AccuracyReport) -> str:
    return f"time was up ({MORE_TIME})" if report.ended == "time" else "it was interrupted"
