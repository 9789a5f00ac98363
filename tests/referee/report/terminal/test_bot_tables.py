"""Tables of bots show as many columns as fit."""

import pytest
from c4_referee.report.terminal.bot_tables import NumberColumn, fitting_columns

COLUMNS = [NumberColumn(title, ["1", "20"]) for title in ("aa", "b", "c\nccc")]
RANKS = NumberColumn("#", ["1.", "2."])
LONG = "n" * 40
"""Name that is folded, so that it takes twelve characters."""


@pytest.mark.parametrize(
    ("name", "room", "ranks", "count"),
    [
        *(("x", 3 + 4 + 4 + 5, None, 3), ("x", 3 + 4 + 4 + 4, None, 2), ("x", 1, None, 1)),
        *(("x", 3 + 4 + 3, None, 1), ("x", 3 + 4 + 4 + 5, RANKS, 2)),
        *((LONG, 12 + 4 + 4 + 5, None, 3), (LONG, 12 + 4 + 4 + 4, None, 2)),
    ],
)
def test_columns_that_fit_are_shown(name, room, ranks, count):
    """As many columns as fit are shown, and at least one. Ranks and names take room."""
    assert fitting_columns([name], COLUMNS, room, ranks) == COLUMNS[:count]
