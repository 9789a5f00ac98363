"""Tables of bots show as many columns as fit."""

from io import StringIO

import pytest
from c4_referee.report.columns import NumberColumn, bots_table, fitting_columns, print_bots
from rich.console import Console

COLUMNS = [NumberColumn(title, ["1", "20"]) for title in ("aa", "b", "c\nccc")]
RANKS = NumberColumn("#", ["1.", "2."])


def shown(names, columns, width, **settings) -> list[str]:
    """Return the lines of a table on a terminal of ``width`` columns."""
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(bots_table(names, columns, width, **settings))
    return [line.rstrip() for line in capture.get().splitlines()]


def test_width_of_a_column_is_that_of_its_longest_line():
    """A column is as wide as the longest line of its title. Wide characters count twice."""
    assert [column.width for column in COLUMNS] == [2, 2, 3]
    assert NumberColumn("t", ["四子"]).width == 4


@pytest.mark.parametrize(
    ("width", "count"), [(100, 3), (3 + 4 + 4 + 5, 3), (3 + 4 + 4 + 4, 2), (3 + 4 + 3, 1), (1, 1)]
)
def test_columns_that_fit_are_shown(width, count):
    """As many columns as fit are shown, and at least one.

    In these tables the column of names is as wide as ``bot``.
    """
    assert fitting_columns(["x", "yy"], COLUMNS, width) == COLUMNS[:count]


def test_ranks_and_names_take_room():
    """Ranks and names take room. Names over twelve characters count as twelve, as they fold."""
    assert fitting_columns(["x"], COLUMNS, 3 + 4 + 4 + 5, RANKS) == COLUMNS[:2]
    assert fitting_columns(["n" * 40], COLUMNS, 12 + 4 + 4 + 5) == COLUMNS
    assert fitting_columns(["n" * 40], COLUMNS, 12 + 4 + 4 + 4) == COLUMNS[:2]


def test_long_names_are_folded_evenly():
    """Long names are folded into lines of at most twelve characters."""
    lines = shown(["n" * 16, "y"], COLUMNS[:1], 15 + 4)
    assert lines[2:5] == ["nnnnnnnnnnnn   1", "nnnn", "y             20"]


def test_sections_end_with_a_line():
    """A line follows each row whose index is in ``sections``."""
    lines = shown(["x", "y"], COLUMNS[:1], 40, ranks=RANKS, sections={0})
    assert [line.split() for line in lines if line.strip(" ─")] == [
        ["#", "bot", "aa"],
        ["1.", "x", "1"],
        ["2.", "y", "20"],
    ]
    assert [not line.strip(" ─") for line in lines] == [False, True, False, True, False]


def test_narrow_table_becomes_a_list() -> None:
    """Below 80 columns, bots with long names stand one below the other, with whole numbers."""
    names, columns = ["n" * 30, "m"], [NumberColumn("as\nfirst", ["+1 =0 -0", "+0 =0 -1"])] * 4
    console = Console(width=50, file=StringIO())
    assert print_bots(console, names, columns, NumberColumn("#", ["1", "2"])) == columns
    assert console.file.getvalue().splitlines()[:3] == [
        f"1. {names[0]}",
        "    as first +1 =0 -0, as first +1 =0 -0,",
        "    as first +1 =0 -0, as first +1 =0 -0",
    ]


def test_list_has_no_title_without_a_value() -> None:
    """In a list, a bot has only the numbers that are known, and titles are not broken."""
    columns = [NumberColumn("tie-break", ["", "1%"]), NumberColumn("x" * 30, ["1", "1"])]
    console = Console(width=50, file=StringIO())
    print_bots(console, ["n" * 30, "m"], columns)
    assert console.file.getvalue().splitlines() == [
        "n" * 30,
        f"    {'x' * 30} 1",
        "m",
        f"    tie-break 1%, {'x' * 30} 1",
        "",
    ]
