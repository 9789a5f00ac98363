"""A stored game as text fits into any terminal. ``test_outputs.py`` has the texts."""

import io
from dataclasses import replace

import pytest
from c4_protocol.program.errors import ArenaError
from c4_protocol.records.events import FaultRecord
from c4_protocol.rules.variant import LINE8, STANDARD, Variant
from c4_protocol.terminal.console import SafeConsole
from c4_protocol.terminal.paragraphs import fitted_lines
from c4_referee.records.stats.solved import GameAnalysis
from c4_referee.report.terminal.replay import game_page
from games import game_of

WON = "1212121"


def page(game, width: int | None = None) -> list[str]:
    """Return the lines of a game's page."""
    console = SafeConsole(file=io.StringIO())
    paragraphs = game_page(GameAnalysis.unknown(game), {}, width)
    return [line.plain for line in fitted_lines(console, paragraphs, width)]


@pytest.mark.parametrize("width", [40, 24, 13, 80])
@pytest.mark.parametrize(
    ("moves", "variant"),
    [(WON, STANDARD), ("a1 b2 c3", LINE8), ("abc1", Variant(12, 9)), ("", STANDARD)],
)
def test_page_fits_into_narrow_terminals(moves, variant, width):
    """No line is longer than the terminal is wide, whatever the names and texts are."""
    fault = FaultRecord("a" * 200, "late", "forfeit", 3, 1, 1, "words " * 30, "\x1b" * 50)
    game = replace(
        game_of(moves, variant=variant, fault=fault, ending="forfeit", winner=2),
        first="a" * 200, second="\u4e2d" * 100, stderr={"a" * 200: "x" * 500 + "\n\ttab"},
    )  # fmt: skip
    lines = page(game, width=width)
    assert max(map(len, lines)) <= width
    assert ("The board is left out" in " ".join(lines)) == (2 * variant.width > width)


def test_impossible_moves_are_refused():
    """Moves that are not a game raise an error of one line."""
    with pytest.raises(ArenaError):
        page(game_of("1111111"))
