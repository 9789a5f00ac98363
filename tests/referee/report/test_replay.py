"""A stored game as text: result, board, decisive move, moves with notes, faults."""

import io
from dataclasses import replace

import pytest
from c4_protocol.program.errors import ArenaError
from c4_protocol.records.events import FaultRecord
from c4_protocol.rules.variant import LINE8, STANDARD, Variant
from c4_protocol.terminal.console import SafeConsole
from c4_protocol.terminal.paragraphs import fitted_lines
from c4_referee.report.replay import Replay, game_page
from c4_referee.stats.solved import Change, GameAnalysis
from games import game_of

WON = "1212121"
SCORES = (-2, 0, 4, None, 0, -1, 1)
CHANGES = (
    Change(3, 4, 0, ("3",), ("3", "4"), ("5",)),
    Change(5, 0, -18, ("2", "5"), ("2", "1"), ("1",)),
)


def unknown(moves: int) -> GameAnalysis:
    """Return the analysis of a game of which no value is known."""
    return GameAnalysis((None,) * (moves + 1), ((),) * (moves + 1), ())


def analysed() -> GameAnalysis:
    """Return an analysis of ``WON`` with two changes."""
    return GameAnalysis((0,) * 8, (SCORES,) * 7 + ((),), CHANGES)


def page(game, analysis=None, width: int | None = None, **conditions: str) -> list[str]:
    """Return the lines of a game's page."""
    free = " " in game.moves
    moves = len(game.moves.split()) if free else len(game.moves)
    replayed = Replay.of(game, analysis or unknown(moves), conditions)
    console = SafeConsole(file=io.StringIO())
    return [line.plain for line in fitted_lines(console, game_page(replayed, width), width)]


def won(**fields: object):
    """Return a game that the first player wins."""
    return game_of(WON, "12", winner=1, ending="line", ms=[1.4, 20, 300, 4000, 50000.0], **fields)


def test_only_the_decisive_move_is_coloured_as_a_warning():
    """Only the last of two mistakes in the list has the style of a warning."""
    replayed = Replay.of(won(), analysed(), {})
    lines = [*fitted_lines(SafeConsole(file=io.StringIO()), game_page(replayed, None), None)]
    at = [line.plain for line in lines].index("Moves (columns from 1)")
    warned = [
        line.plain[span.start : span.end]
        for line in lines[at:]
        for span in line.spans
        if "on red" in str(span.style)
    ]
    assert warned == ["2??"]


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
