"""The public ``Board``: what it reads, prints and refuses."""

import json
import subprocess
import sys

import numpy as np
import pytest
import steals
from c4_protocol import (
    ArenaError,
    Board,
    IllegalMove,
    ImpossiblePosition,
    NotationError,
    ProtocolError,
    UsageError,
    Variant,
    VariantError,
)
from c4_protocol.rules.position import Position
from hypothesis import given
from hypothesis import strategies as st

WON = "1213141"


def moves_of(position: Position, picks: list[int]) -> Board:
    """Return a board of the position's variant after some moves, at most until the game ends."""
    board = Board(position.variant)
    for pick in picks:
        legal = board.legal_moves
        if not legal:
            break
        board = board.play(legal[pick % len(legal)])
    return board


@given(st.from_type(Position) | steals.POSITIONS, st.lists(st.integers(0, 99), max_size=60))
def test_all_forms_lead_back_to_the_board(position, picks):
    """The move string, grid and precept of a board are read as the same board."""
    board = moves_of(position, picks)
    assert Board.from_moves(board.move_string, board.variant) == board
    if not board.is_over:
        assert Board.from_precept(board.precept()) == board
        assert Board.from_grid(board.grid, board.variant, board.player) == board


@given(st.from_type(Position) | steals.POSITIONS, st.lists(st.integers(0, 99), max_size=60))
def test_code_form_leads_back_to_the_board(position, picks):
    """The ``repr`` of a board is Python code for an equal board."""
    board = moves_of(position, picks)
    assert eval(repr(board), {"Board": Board, "Variant": Variant}) == board


@given(st.from_type(Position) | steals.POSITIONS, st.lists(st.integers(0, 99), max_size=60))
def test_arrays_heights_and_mirror_images_show_the_board(position, picks):
    """An array has rows from the top, and a mirror image has the mirrored moves."""
    board = moves_of(position, picks)
    cells, mirrored = board.to_array(), board.mirrored()
    assert cells.shape == (board.variant.height, board.variant.width)
    assert Board.from_array(cells, board.variant, board.player) == board
    assert (mirrored.to_array() == cells[:, ::-1]).all()
    assert mirrored.mirrored() == board
    assert Board.from_moves(mirrored.move_string, board.variant) == mirrored
    assert board.heights == np.count_nonzero(cells, axis=0).tolist()


def test_code_form_of_a_board_without_moves():
    """The ``repr`` of a board from a grid contains the grid."""
    board = Board.from_grid([[0, 1], [0, 2], [0, 0]])
    assert repr(board) == "Board.from_grid([[0, 1], [0, 2], [0, 0]], '3x2x4', player=1)"


def test_moves_are_not_known_from_a_grid():
    """A board from a grid or a precept has no move string, even after later moves."""
    board = Board.from_moves("44")
    for read in (Board.from_grid(board.grid), Board.from_precept(board.precept())):
        assert read.move_string is None
        assert read.play(0).move_string is None


def test_without_gravity_a_move_is_column_and_row():
    """Without gravity, rows count from the top, and the printed board numbers rows and columns."""
    board = Board("line8").play((2, 0))
    assert board.move_string == "a3"
    assert (2, 0) not in board.legal_moves
    assert str(board).splitlines()[0] == "0 . . X . . . . ."
    assert str(board).splitlines()[8] == "  0 1 2 3 4 5 6 7  (from 0)"


def test_rows_line_up_on_a_high_board():
    """Rows are aligned if their numbers have two digits."""
    lines = str(Board(Variant(3, 12, 3, gravity=False))).splitlines()
    assert lines[9:13] == [" 9 . . .", "10 . . .", "11 . . .", "   0 1 2  (from 0)"]


def test_precept_holds_the_time_in_milliseconds():
    """A precept has the time in milliseconds, and no time without seconds."""
    assert json.loads(Board().precept(0.25))["time_ms"] == 250
    assert "time_ms" not in json.loads(Board().precept())


def test_columns_line_up_on_a_wide_board():
    """Columns are aligned if their numbers have two digits."""
    stones, numbers, state = str(Board("12x2").play(11)).splitlines()[1:]
    assert stones == " .  .  .  .  .  .  .  .  .  .  .  X"
    assert numbers == " 0  1  2  3  4  5  6  7  8  9 10 11  (from 0)"
    assert state == "player 2 (O) to move"


def test_won_game():
    """A won game has a winner and no legal moves, and its grid can be read again."""
    board = Board.from_moves(WON)
    assert (board.winner, board.is_over, board.legal_moves) == (1, True, [])
    assert str(board).endswith("player 1 (X) has won")
    assert Board.from_grid(board.grid).winner == 1


def test_drawn_game():
    """A full board without a line is over and has no winner."""
    board = Board.from_moves("1122", "2x2x3")
    assert (board.winner, board.is_over) == (0, True)
    assert str(board).endswith("a draw")


def test_board_is_a_key():
    """Boards with the same stones are equal keys, even after different orders of moves."""
    assert len({Board.from_moves("123"), Board.from_moves("321"), Board.from_moves("12")}) == 2
    assert Board() != "4453"


@pytest.mark.parametrize(
    ("mistake", "error", "reason"),
    [
        (lambda: Board("9x"), VariantError, "9x"),
        (lambda: Variant(True), VariantError, "width is a whole number, not True"),
        (lambda: Variant(gravity=1), VariantError, "gravity is true or false, not 1"),
        (lambda: Variant(7, 6, 4.5), VariantError, "connect is a whole number"),
        (lambda: Board.from_moves("4?"), NotationError, r"move 2 \('\?'\)"),
        (lambda: Board.from_moves("48"), IllegalMove, r"move 2 \('8'\)"),
        (lambda: Board.from_moves(WON + "1"), NotationError, "move 8"),
        (lambda: Board().play(7), IllegalMove, "7 would be column 8"),
        (lambda: Board().play(3.5), IllegalMove, "not 3.5"),
        (lambda: Board().play((3, 3)), IllegalMove, r"\[3, 3\]"),
        (lambda: Board("line8").play(3), IllegalMove, "3 is column 4"),
        (lambda: Board.from_moves(WON).play(5), IllegalMove, "the game is over"),
        (lambda: Board.from_moves(WON).precept(), ImpossiblePosition, "the game is over"),
        (lambda: Board().precept(-1), UsageError, "at least 0 seconds"),
        (lambda: Board().precept(10**30), UsageError, "at least 0 seconds"),
        (lambda: Board().precept(float("inf")), UsageError, "at least 0 seconds"),
        (lambda: Board.from_grid([[3]]), ProtocolError, r"grid\[0\]\[0\]"),
        (lambda: Board.from_grid([[0, 0]], player=3), ProtocolError, "player: "),
        (lambda: Board.from_grid([[1, 0]]), ImpossiblePosition, r"grid\[0\]"),
        (lambda: Board.from_grid([[0] * 6] * 6, "7x6"), ImpossiblePosition, "6 columns"),
        (lambda: Board.from_grid([[1, 1], [2, 2]], "2x2x2"), ImpossiblePosition, "both players"),
        (
            lambda: Board.from_grid([[1, 1], [0, 2], [0, 0], [0, 2]], "4x2x2"),
            ImpossiblePosition,
            "it cannot be player 1's turn: player 1 has 2 in a row",
        ),
        (lambda: Board.from_precept("4453"), ProtocolError, "a JSON number, not an object"),
        (lambda: Board.from_precept("{"), ProtocolError, "not JSON"),
        (lambda: Board.from_precept("\ud800"), ProtocolError, "not JSON"),
    ],
)
def test_mistake_is_refused_in_one_line(mistake, error, reason):
    """Each mistake raises its own exception, which says in one line what is wrong.

    ``test_public_arguments.py`` has values of other types.
    """
    with pytest.raises(error, match=reason) as caught:
        mistake()
    assert isinstance(caught.value, ArenaError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("package", ["c4_protocol", "c4_bot", "c4_referee"])
def test_import_loads_nothing_else(package):
    """The import of a package loads no other module, because every command does it."""
    program = f"import sys, {package}; print(*sys.modules)"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    ours = {name for name in loaded if name.startswith("c4_")}
    assert ours == {package, "c4_protocol", "c4_protocol.program", "c4_protocol.program.lazy"}
    assert not loaded & {"numpy", "orjson", "pydantic", "rich"}


def test_steal_is_a_move_of_its_own():
    """The steal is the move -2, which is legal once. It exchanges the stone's player."""
    board = Board.from_moves("5", "codingame")
    assert board.legal_moves == [-2, *range(9)]
    stolen = board.play(-2)
    assert (stolen.move_string, stolen.player, stolen.stones) == ("5s", 1, 1)
    assert stolen.grid[4] == [0] * 6 + [2]
    assert stolen.legal_moves == [*range(9)]
    assert stolen == Board.from_grid(stolen.grid, "codingame") != board
    assert str(stolen).endswith("0 1 2 3 4 5 6 7 8  (from 0)\nplayer 1 (X) to move")
    assert 'd="M5 7h0"' in stolen._repr_svg_()
    assert repr(stolen.play(4)) == "Board.from_moves('5s5', 'codingame')"
    assert "steal" in stolen.precept()
