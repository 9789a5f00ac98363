"""The text about accuracy: judge, judged moves, or the reason for missing accuracy."""

import io

import pytest
from c4_protocol.records.reports import AccuracyRecord, AccuracyReport, MoveTally
from c4_protocol.rules.variant import Variant
from c4_referee.report.accuracy import print_accuracy, print_no_judge
from rich.console import Console


def tally(judged: int) -> MoveTally:
    """Return a tally of moves that were all best moves."""
    return MoveTally(judged, judged, judged, judged, 0, 0, 0, 0, 0)


def report(moves: int, judged: int, games: int, judged_games: int, ended=None) -> AccuracyReport:
    """Return a report about one bot."""
    record = AccuracyRecord(
        moves, 1.0 if judged else None, 0.5, 1.0, *[tally(judged)] * 3, (tally(judged),) * 3
    )
    return AccuracyReport("the judge", games, judged_games, ended, {"bot": record})


def shown(found: AccuracyReport, width: int = 200) -> str:
    """Return what is printed, joined to one line."""
    console = Console(width=width, file=io.StringIO())
    print_accuracy(console, found)
    return " ".join(console.file.getvalue().split())


@pytest.mark.parametrize(
    ("found", "expected", "unexpected"),
    [
        (report(9, 9, 2, 2), "the judge judged 9 of 9 moves, in 2 of 2 different games.", "time"),
        (report(9, 5, 2, 2), "2 of 2 different games; it could not solve the others.", "time"),
        (
            report(9, 5, 2, 1, "time"),
            "at random; then time was up (--judge-seconds N",
            "solve",
        ),
        (report(9, 5, 2, 1, "interrupt"), "chosen at random; then it was interrupted.", "seconds"),
        (
            report(9, 0, 2, 2),
            "No accuracy: the judge could not solve any position of 2",
            "time",
        ),
        (
            report(9, 0, 2, 1, "time"),
            "could not solve any position of 1 of 2 different",
            "kept",
        ),
        (report(9, 0, 2, 0, "time"), "No accuracy: time was up (--judge-seconds N, or", "prove"),
        (report(9, 0, 2, 0, "interrupt"), "No accuracy: it was interrupted before", "seconds"),
        (report(0, 0, 0, 0), "No accuracy: the bots made no moves that could be judged", "time"),
    ],
)
def test_reason_for_missing_accuracy_is_shown(found, expected, unexpected) -> None:
    """The reason for missing accuracy is shown: unsolved positions, time, or an interrupt."""
    text = shown(found)
    assert expected in text
    assert unexpected not in text


def test_variant_without_a_judge_is_reported_with_a_remedy() -> None:
    """A variant without a judge causes one line with the variant and the option --judge."""
    console = Console(width=200, file=io.StringIO())
    print_no_judge(console, Variant.parse("8x7"))
    text = console.file.getvalue()
    assert text.count("\n") == 1
    assert "not 8x7x4" in text
    assert "--judge BOT" in text
