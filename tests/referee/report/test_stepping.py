"""Keys lead through a game and its variations, and the screen shows where one is."""

import io
from dataclasses import replace

import pytest
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.variant import LINE8, STANDARD
from c4_protocol.terminal.console import SafeConsole
from c4_protocol.terminal.paragraphs import fitted_lines
from c4_referee.report.replay import Replay
from c4_referee.report.stepping import HELP, Step, all_steps, screen
from c4_referee.stats.solved import Change, GameAnalysis
from games import game_of

MOVES = "4455667"
"""Moves of a game that player 1 wins."""
CHANGES = (
    Change(2, 4, 0, ("3",), ("3", "4"), ("5",)),
    Change(5, 0, -18, ("7", "3"), ("7", "3"), ("7", "2", "3")),
)


def begin() -> Step:
    """Return the beginning of a game with two changes."""
    scores = ((0,) * 7,) * 7 + ((),)
    analysis = GameAnalysis((0, 1, -1, 0, 0, 0, 3, -3), scores, CHANGES)
    return Step(Replay.of(game_of(MOVES, winner=1, ending="line"), analysis, {}), 0)


def after(*keys: str) -> Step:
    """Return the step after some keys."""
    step = begin()
    for key in keys:
        step = step.press(key)
    return step


def where(*keys: str) -> tuple[int, int]:
    """Return the ply after some keys, and the number of moves of a variation."""
    step = after(*keys)
    return step.ply, step.shown


@pytest.mark.parametrize(
    ("keys", "ply"),
    [
        ("", 0),
        ("right", 1),
        ("left", 0),
        ("end", 7),
        ("end right", 7),
        ("end left", 6),
        ("end home", 0),
        ("right right left", 1),
        ("d", 3),
        ("d d", 6),
        ("d d d", 3),
        ("end d", 3),
        ("x", 0),
        ("right r", 1),
        ("right b", 1),
    ],
)
def test_keys_move_through_the_game(keys, ply):
    """Keys step through the game and stop at its ends. Other keys change nothing."""
    assert where(*keys.split()) == (ply, 0)


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        ("d d r", (6, 1)),
        ("d d r r r r", (6, 3)),
        ("d d r right left", (6, 1)),
        ("d d r left", (6, 0)),
        ("d d r right d", (3, 0)),
        ("d d r home", (0, 0)),
        ("d d b", (5, 1)),
        ("d d b b left left", (5, 0)),
    ],
)
def test_refutation_and_better_line_are_variations(keys, place):
    """A variation begins after the mistake or in its place, and ``left`` leads back to the game."""
    assert where(*keys.split()) == place


def test_variation_is_on_the_board():
    """The position of a variation has the moves of the game before it and its own."""
    position, last = after("d", "d", "r", "r").board()
    before = position_from_moves("445566", STANDARD)
    assert position.ply == 8
    assert position.occupied & ~(1 << last) == before.play(STANDARD.cell(6, 0)).occupied
    better, _ = after("d", "d", "b").board()
    assert better == position_from_moves("445567", STANDARD)


def console(width: int, height: int) -> SafeConsole:
    """Return the console of a terminal of some size."""
    return SafeConsole(file=io.StringIO(), width=width, height=height, highlight=False)


@pytest.mark.parametrize("size", [(80, 24), (40, 20), (20, 10), (200, 60), (5, 3)])
@pytest.mark.parametrize("keys", ["", "d d", "d d r", "end"])
def test_screen_has_the_size_of_the_terminal(size, keys):
    """The screen fills the terminal and no more, with the help in its last lines."""
    width, height = size
    lines = screen(console(width, height), after(*keys.split())).plain.split("\n")
    assert len(lines) == height
    assert max(map(len, lines)) <= max(width, 10)
    if width >= len(HELP):
        assert lines[-1] == HELP


def test_board_does_not_move():
    """The board is in the same lines in every position and variation."""
    seen = set()
    for keys in ("", "right", "d d", "d d r", "d d b", "end"):
        lines = screen(console(80, 24), after(*keys.split())).plain.split("\n")
        seen.add(lines.index("  1   2   3   4   5   6   7") if "  1   2   3" in str(lines)
                 else lines.index(" 1  2  3  4  5  6  7"))  # fmt: skip
    assert len(seen) == 1


def test_last_move_and_its_change_are_told():
    """After a mistake, the screen says what it changed, and who is to move."""
    text = screen(console(120, 24), after("d", "d")).plain
    assert "Move 6 of 7: b (O) plays 6??: threw away the draw; better: 7 or 3 (draw)" in text
    assert "  refutation: 7 2 3" in text
    assert "a (X) is to move and can win (+3)" in text
    assert (
        "Variation after 6 of 7 moves: 7 2 3"
        in screen(console(120, 24), after("d", "d", "r")).plain
    )


def test_reason_of_a_change_replaces_its_words():
    """A known reason is below the move, in lines of the terminal."""
    replay = begin().replay
    reason = "Column 6 turns a draw into a loss: it gives the opponent row 4 of column 6; " * 2
    changes = (CHANGES[0], replace(CHANGES[1], reason=reason.rstrip()))
    replay = replace(replay, analysis=replace(replay.analysis, changes=changes))
    text = screen(console(80, 24), Step(replay, 6)).plain
    assert "plays 6??\n  Column 6 turns a draw" in text
    assert "threw away" not in text
    assert " ".join(text.split()).count("row 4 of column 6;") == 2


def test_all_positions_are_printed_one_after_another():
    """Without keys, every position follows, each with its board."""
    shown = fitted_lines(console(80, 24), all_steps(begin().replay, None), None)
    lines = [line.plain for line in shown]
    assert lines.count(" 1  2  3  4  5  6  7") == 8
    assert [line[:11] for line in lines if line.startswith("Move")] == [
        f"Move {number} of 7" [:11] for number in range(1, 8)
    ]  # fmt: skip


def test_game_without_gravity_and_values():
    """A game without gravity has rows with letters, and variations with cells."""
    changes = (Change(1, 0, -5, ("b1",), ("b1",), ("d4", "e5")),)
    analysis = GameAnalysis((None,) * 4, ((),) * 4, changes)
    game = game_of("a1 b2 c3", variant=LINE8, ending="forfeit")
    step = Step(Replay.of(game, analysis, {}), 0).press("d").press("r").press("r")
    rows = screen(console(80, 24), step).plain.split("\n")
    assert any(row.startswith("e .  .  .  . (X)") or "(" in row for row in rows)
    assert "Variation after 2 of 3 moves: d4 e5" in rows
