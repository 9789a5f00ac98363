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
from c4_referee.stats.analysis import analyse
from c4_referee.stats.solved import Change, GameAnalysis
from games import DRAWN, game_of

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


def test_result_board_and_times_are_shown():
    """The page begins with the players and the result, and moves have their times."""
    lines = page(won(), time="200 ms a move")
    assert lines[:3] == [
        "Game 1: a (X) against b (O)",
        "1-0: a wins with 4 in a row",
        "variant: standard; time: 200 ms a move; opening: 12",
    ]
    assert "[X] O  .  .  .  .  ." in lines
    assert "( ) is the last move, [ ] the line." in lines
    at = lines.index("Moves (columns from 1)")
    assert lines[at + 1 :] == [
        "1. 1    opening  2. 2    opening",
        "3. 1       1 ms  4. 2      20 ms",
        "5. 1     300 ms  6. 2    4000 ms",
        "7. 1   50000 ms",
    ]


def test_changes_are_marked_and_the_last_is_decisive():
    """Both mistakes are marked in the list. The last has its board, values and refutation."""
    lines = page(won(), analysed())
    at = lines.index("The decisive move")
    assert lines[at + 1] == "-2  0 +4     0 -1 +1"
    assert lines[at + 9 : at + 12] == [
        "Move 6 of 7: b (O) plays 2??: threw away the draw; better: 2 or 5 (draw)",
        "  refutation: 1",
        "  better line: 2 1",
    ]
    assert any(line.startswith("3. 1       1 ms  4. 2?     20 ms") for line in lines)
    assert "    O 2? threw away the win: now a draw; better: 3 (wins)" in lines


def test_reason_of_the_decisive_move_replaces_its_words():
    """A known reason is below the decisive move. The list of moves keeps its short words."""
    reason = "Column 2 turns a draw into a loss: it gives the opponent row 4; column 5 draws."
    changes = (CHANGES[0], replace(CHANGES[1], reason=reason))
    lines = page(won(), replace(analysed(), changes=changes))
    at = lines.index("The decisive move")
    assert lines[at + 9 : at + 13] == [
        "Move 6 of 7: b (O) plays 2??",
        f"  {reason}",
        "  refutation: 1",
        "  better line: 2 1",
    ]
    assert "    O 2?? threw away the draw; better: 2 or 5 (draw)" in lines


def test_game_that_a_fault_decided_has_no_decisive_move():
    """The moves that changed its value stay marked, but the fault decided the game."""
    fault = FaultRecord("b", "late", "forfeit", 7, 1, 1, "no line")
    game = game_of(WON[:6], winner=1, ending="forfeit", fault=fault)
    assert analyse(game, {}).by_fault
    lines = page(game, GameAnalysis((0,) * 7, (SCORES,) * 7, CHANGES, by_fault=True))
    assert "The decisive move" not in lines
    assert "No move of the bots changed the result." not in lines
    assert any("O 2?? threw away the draw" in line for line in lines)


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


def test_remarks_are_below_their_moves():
    """A remark of a bot is below its move. Nothing is below other moves."""
    lines = page(won(remarks=["", "depth 3", "", "", "sure\x1b[2J"]))
    at = lines.index("Moves (columns from 1)")
    notes = [line for line in lines[at:] if line.startswith("    ")]
    assert notes == ["    O 2: depth 3", "    X 1: sure\\x1b[2J"]


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


def test_values_that_do_not_fit_above_columns_are_a_list():
    """On a terminal with room for the board alone, the values are in a line below it."""
    lines = page(won(), analysed(), width=20)
    text = " ".join(" ".join(lines).split())
    assert "values: 1: -2, 2: 0, 3: +4, 5: 0, 6: -1, 7: +1" in text


def test_faults_have_line_and_standard_error():
    """All faults are listed with what the bot wrote."""
    fault = FaultRecord("b", "bad move", "forfeit", 4, 12.6, 1, "column 9 is no column", "9")
    note = FaultRecord("a", "late", "note", 3, 250, 1, "after 250 ms")
    game = game_of("4444", fault=fault, notes=[note], ending="forfeit", winner=1,
                   ms=[1.0] * 4, stderr={"b": "one\ntwo\x07\t.\n", "a": " \n"})  # fmt: skip
    lines = page(game)
    assert lines[1] == "1-0: a wins: b forfeits, bad move"
    assert lines[lines.index("Faults") + 1 :] == [
        "move 5, b: bad move after 13 ms (forfeit): column 9 is no column",
        "  it wrote '9'",
        "move 4, a: late after 250 ms (note): after 250 ms",
        "Standard error of b:",
        "  one",
        "  two\\x07    .",
        "a wrote nothing to standard error.",
    ]


def test_void_game_without_moves_says_so():
    """A void game has no result, and no moves."""
    lines = page(game_of("", ending="void"))
    assert lines[1] == "void: the game does not count"
    assert lines[-1] == "No move was made."


def test_draw_is_a_draw():
    """A full board is a draw, and no line is mentioned."""
    lines = page(game_of(DRAWN))
    assert lines[1] == "1/2-1/2: a draw, the board is full"
    assert "( ) is the last move." in lines


def test_game_without_changes_says_so_if_all_values_are_known():
    """A game in which all values are known says that no move changed the result."""
    sentence = "No move of the bots changed the result."
    assert sentence in page(won(), replace(analysed(), changes=()))
    assert sentence not in page(won())


def test_impossible_moves_are_refused():
    """Moves that are not a game raise an error of one line."""
    with pytest.raises(ArenaError):
        page(game_of("1111111"))


def test_steal_is_named_and_its_stone_is_marked():
    """Parentheses mark the stone that the steal took over, and the list explains its name."""
    lines = page(game_of("4s", variant=Variant(7, 6, steal=True), ms=[1, 2], ending="void"))
    assert " .  .  . (O) .  .  ." in lines
    at = lines.index("Moves (columns from 1, s steals the first stone)")
    assert lines[at + 1] == "1. 4       1 ms  2. s       2 ms"


def test_missed_steal_has_its_value():
    """Before the second move, the value of the steal is below the board."""
    game = game_of("41", variant=Variant(7, 6, steal=True), ms=[1, 2], ending="void")
    scores = (-4, -2, -2, -1, -2, -2, -4)
    analysis = GameAnalysis((0, 1, 4), ((), scores, ()), (Change(1, 1, -4, ("s",), ("s", "4")),))
    lines = page(game, analysis)
    at = lines.index("s (the steal): +1")
    assert lines[at + 1].startswith("Move 2 of 2: b (O) plays 1??: threw away the win: now a loss")
    assert lines[at + 2] == "  better line: s 4"
