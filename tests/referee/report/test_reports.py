"""Reports on a terminal: boards with column numbers, forfeits by fault, tie-breaks."""

import io
import re
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from c4_protocol.records.events import FaultRecord, GameEnded
from c4_referee.report.faults import forfeit_records, print_forfeits
from c4_referee.report.rich_tables import print_ratings, print_standings
from c4_referee.report.standings import standings
from c4_referee.stats.ranking import rank_players
from kept import record
from rich.console import Console

WIN = np.array([1, 0, 0])


def shown(draw, width: int = 80) -> str:
    """Return what a function prints on a console."""
    console = Console(width=width, file=io.StringIO())
    draw(console)
    return console.file.getvalue()


def fault(bot: str, kind: str, detail: str, policy: str = "forfeit") -> FaultRecord:
    """Return a fault at the fourth ply."""
    return FaultRecord(bot, kind, policy, 3, 1.0, 1.0, detail, "hello")


def forfeited(number: int, *faults: FaultRecord) -> GameEnded:
    """Return a game that ended by faults. With two faults it is void."""
    ending = "void" if len(faults) > 1 else "forfeit"
    return record(number, ending=ending, fault=faults[0], notes=list(faults[1:]))


GAMES = [
    forfeited(1, fault("a", "failed to start", "not played, as the bot is barred", "bar")),
    forfeited(2, fault("a", "failed to start", "no such file", "bar")),
    forfeited(3, fault("a", "late", "no whole line within 220 ms")),
    forfeited(
        4, fault("b", "exited", "with code 1", "void"), fault("a", "exited", "code 2", "void")
    ),
    forfeited(5, fault("a", "late", "no whole line within 440 ms")),
    forfeited(6, fault("a", "late", "no whole line within 660 ms")),
    record(7, notes=[fault("b", "ignored the end of the game", "it went on", "note")]),
]


def test_all_reasons_are_counted_with_an_example() -> None:
    """All faults are counted, with the first game that was played as the example.

    Notes without consequences do not count.
    """
    found = forfeit_records(["a", "b", "c"], GAMES)
    assert {
        bot: [(one.fault, one.games, one.void, one.unplayed, one.game) for one in records]
        for bot, records in found.items()
    } == {
        "a": [("late", 3, 0, 0, 3), ("failed to start", 2, 0, 1, 2), ("exited", 1, 1, 0, 4)],
        "b": [("exited", 1, 1, 0, 4)],
    }
    assert found["a"][0].detail == "no whole line within 220 ms"


def test_all_reasons_are_shown() -> None:
    """Each fault is shown in its own line below the name of the bot."""
    text = shown(lambda console: print_forfeits(console, forfeit_records("ab", GAMES)))
    assert "late: 3 games; game 3, move 4: no whole line within 220 ms; it wrote 'hello'" in text
    assert "failed to start: 2 games (1 not played); game 2, move 4: no such file" in text
    assert "exited: 1 game (1 void); game 4, move 4: with code 1" in text
    assert shown(lambda console: print_forfeits(console, {})) == ""


def tied(bots: int = 3) -> np.ndarray:
    """Return results in which each bot has beaten each other bot once."""
    results = np.zeros((bots, bots, 3), np.int64)
    for first in range(bots):
        for second in range(bots):
            if first != second:
                results[first, second] += WIN
    return results


def test_accuracy_orders_bots_that_are_tied_in_all_else() -> None:
    """Accuracy orders bots that are tied in all else; with equal accuracy they share a rank."""
    table = rank_players("abc", tied(), accuracy={"a": 0.5, "b": 0.9, "c": 0.5})
    assert [(row.rank, row.name, row.accuracy) for row in table] == [
        (1, "b", 0.9), (2, "a", 0.5), (2, "c", 0.5)
    ]  # fmt: skip


def test_accuracy_comes_after_points_and_rankings() -> None:
    """Accuracy does not override points or the ranking of a knockout."""
    results = tied(2)
    results[0, 1] += WIN
    accuracy = {"a": 0.1, "b": 0.9}
    assert [row.name for row in rank_players("ab", results, accuracy=accuracy)] == [
        "a", "b"
    ]  # fmt: skip
    ranked = rank_players("ab", tied(2), ranking="ab", accuracy=accuracy)
    assert [(row.name, row.accuracy) for row in ranked] == [("a", None), ("b", None)]


def test_table_says_that_accuracy_broke_the_tie() -> None:
    """A table has a column for accuracy only if accuracy broke a tie."""
    games = [replace(record(1), ending="full board"), replace(record(2), ending="full board")]
    games[1] = replace(games[1], first="b", second="a")
    with_accuracy = standings("ab", games, accuracy={"a": 0.25, "b": 0.75})
    assert [(bot.bot, bot.accuracy_tie_break) for bot in with_accuracy.bots] == [
        ("b", 0.75), ("a", 0.25)
    ]  # fmt: skip
    text = shown(lambda console: print_standings(console, with_accuracy))
    assert "tie-break" in text
    assert "75.0%" in text
    without = shown(lambda console: print_standings(console, standings("ab", games)))
    assert "tie-break" not in without


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("draw", [print_standings, print_ratings])
def test_narrow_tables_break_no_number(draw, width) -> None:
    """A table leaves out columns or becomes a list, and never cuts or breaks numbers and names."""
    names = ["needed", "minimal-with-a-long-name", "c4-bot --plays random --seed 1"]
    games = [
        replace(
            record(number), first=first, second=second, winner=1, ending="line", moves=f"{number}"
        )
        for number, (first, second) in enumerate(permutations(names, 2), 1)
    ]
    text = shown(lambda console: draw(console, standings(names, games)), width)
    assert max(map(len, text.splitlines())) <= width
    table = text.split("Against")[0].split("The crosstable")[0].split("6 games")[0]
    assert "…" not in table
    assert len(re.findall(r"[+-]\d+ ± *\d+", table)) == 3
    letters = re.sub(r"[\s\d.]", "", table)
    assert all(word in letters for word in ("needed", "minimal-with-a", "--seed"))
