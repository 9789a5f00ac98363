"""Grids, wire moves, move strings and coordinates are converted to positions and back."""

import re

import pytest
import steals
from c4_protocol.program.errors import IllegalMove, ImpossiblePosition, NotationError
from c4_protocol.rules.notation import (
    cell_name,
    cell_of_wire,
    check_not_over,
    grid_of,
    moves_text,
    position_from_moves,
    replay,
    shown_position,
    win_score,
    wire_move,
    wire_name,
)
from c4_protocol.rules.position import Position, Seat, other_seat
from c4_protocol.rules.variant import CODINGAME, LINE8, MAX_SIDE, STANDARD, STEAL, Variant
from hypothesis import given
from hypothesis import strategies as st

VARIANTS = st.from_type(Variant) | steals.VARIANTS
POSITIONS = st.from_type(Position) | steals.POSITIONS
TWO = Variant(2, 2, 3)
"""A board of two columns with two cells, on which no player can win."""
TWO_FREE = Variant(2, 2, 3, gravity=False)


@given(POSITIONS)
def test_grid_of_a_position_is_read_back(position: Position) -> None:
    """A grid and the player to move define a position."""
    grid = grid_of(position)
    assert shown_position(grid, position.variant, position.player) == position


@given(POSITIONS)
def test_grid_lists_columns_from_the_top(position: Position) -> None:
    """``grid[x][i]`` is the cell of column x that is i below the top."""
    variant = position.variant
    for x, column in enumerate(grid_of(position)):
        for i, value in enumerate(column):
            cell = variant.cell(x, variant.height - 1 - i)
            assert value == sum(
                player for player in (1, 2) if position.stones[player - 1] >> cell & 1
            )


@pytest.mark.parametrize(
    ("grid", "named", "player"),
    [
        ([[0, 0], [0, 0]], None, 1),
        ([[0, 1], [0, 0]], None, 2),
        ([[0, 2], [0, 0]], None, 1),
        ([[0, 1], [0, 2]], None, 1),
        ([[1, 2], [0, 1]], None, 2),
        ([[1, 2], [0, 2]], None, 1),
        ([[0, 0], [0, 0]], 1, 1),
        ([[0, 0], [0, 0]], 2, 2),
        ([[0, 1], [0, 0]], 2, 2),
        ([[0, 2], [0, 0]], 1, 1),
        ([[0, 1], [0, 2]], 2, 2),
    ],
)
def test_player_who_is_named_or_has_fewer_stones_is_to_move(
    grid: list[list[int]], named: Seat | None, player: int
) -> None:
    """The named player is to move, otherwise the one with fewer stones, and player 1 if equal.

    Either player may open a game, so each can be named with as many stones as the other.
    """
    assert shown_position(grid, TWO, named).player == player


@given(POSITIONS)
def test_player_to_move_never_has_more_stones(position: Position) -> None:
    """A position is refused if the player who is said to move has one stone more."""
    grid, mover = grid_of(position), position.player
    first, second = (stones.bit_count() for stones in position.stones)
    if first == second:
        assert shown_position(grid, position.variant, other_seat(mover)).player != mover
        return
    reason = f"it cannot be player {other_seat(mover)}'s turn: player 1 has {first} stones"
    with pytest.raises(ImpossiblePosition, match=f"^{reason} and player 2 has {second}$"):
        shown_position(grid, position.variant, other_seat(mover))


@pytest.mark.parametrize(
    ("variant", "grid", "reason"),
    [
        (TWO, [], "the grid has 0 columns, but width is 2"),
        (TWO, [[0, 0]], "the grid has 1 columns, but width is 2"),
        (TWO, [[0, 0]] * 3, "the grid has 3 columns, but width is 2"),
        (TWO, [[0, 0], [0]], "grid[1] has 1 cells, but columns are 2 high"),
        (TWO, [[0, 0, 0], [0, 0]], "grid[0] has 3 cells, but columns are 2 high"),
        (TWO, [[0, 0], [1, 0]], "a stone floats over an empty cell in grid[1]"),
        (TWO, [[1, 1], [0, 0]], "player 1 has 2 stones and player 2 has 0"),
        (TWO, [[2, 2], [1, 2]], "player 1 has 1 stones and player 2 has 3"),
        (TWO, [[1, 2], [2, 1]], "the game is over: the board is full"),
        (TWO_FREE, [[1, 0], [1, 0]], "player 1 has 2 stones and player 2 has 0"),
        (Variant(2, 2, 2), [[0, 1], [2, 1]], "the game is over: player 1 has 2 in a row"),
        (Variant(2, 2, 2), [[1, 2], [0, 2]], "the game is over: player 2 has 2 in a row"),
        (Variant(2, 2, 2), [[1, 1], [2, 2]], "the game is over: player 1 has 2 in a row"),
        (
            STANDARD,
            grid_of(position_from_moves("1122334", STANDARD)),
            "the game is over: player 1 has 4 in a row",
        ),
    ],
)
def test_impossible_grid_is_refused_with_the_reason(
    variant: Variant, grid: list[list[int]], reason: str
) -> None:
    """A grid is refused for a wrong shape, floating stones, wrong counts or a finished game."""
    with pytest.raises(ImpossiblePosition, match=f"^{re.escape(reason)}$"):
        check_not_over(shown_position(grid, variant))


def test_stones_may_float_where_they_do_not_fall() -> None:
    """Without gravity, a stone may lie over an empty cell."""
    assert shown_position([[1, 0], [0, 0]], TWO_FREE).stones == (1 << 1, 0)


@given(POSITIONS, st.data())
def test_wire_move_of_a_legal_move_is_read_back(position: Position, data: st.DataObject) -> None:
    """A legal move, written as a column or as column and row, is read again."""
    cell = data.draw(st.sampled_from(position.moves))
    assert cell_of_wire(position, wire_move(position.variant, cell)) == cell


@pytest.mark.parametrize(
    ("variant", "move", "reason"),
    [
        (STANDARD, (3, 0), "[3, 0] is column 4, row 1 from the top: stones fall"),
        (LINE8, 3, "3 is column 4: without gravity say [column, row]"),
        (STANDARD, 7, "7 would be column 8: moves are 0 to 6, columns 1 to 7"),
        (STANDARD, -1, "-1 would be column 0"),
        (LINE8, (3, 8), "[3, 8] would be column 4, row 9"),
        (LINE8, (8, 3), "[8, 3] would be column 9, row 4"),
        (STANDARD, -2, "-2 would be column -1"),
        (CODINGAME, -1, "-1 would be column 0"),
        (CODINGAME, -2, "only the first move of player 2 can be the steal"),
        (CODINGAME, (-2, 0), "[-2, 0] would be column -1"),
    ],
)
def test_wire_move_of_another_game_is_refused(
    variant: Variant, move: int | tuple[int, int], reason: str
) -> None:
    """A move off the board is refused, and so is a row with gravity or no row without it."""
    with pytest.raises(IllegalMove, match=re.escape(reason)):
        cell_of_wire(Position(variant), move)


def test_move_string_names_columns_from_one() -> None:
    """``4453`` puts two stones into the middle column, and one on each side of it."""
    grid = grid_of(position_from_moves("4453", STANDARD))
    assert [column[-2:] for column in grid[2:5]] == [[0, 2], [2, 1], [0, 1]]
    assert sum(map(sum, grid)) == 6


def test_columns_after_the_ninth_are_letters() -> None:
    """The tenth column is ``a``, and the eleventh is ``b``."""
    grid = grid_of(position_from_moves("ab", Variant(11, 1)))
    assert grid == [[0]] * 9 + [[1], [2]]


def test_coordinates_are_row_letter_and_column_digit() -> None:
    """In ``d4``, the letter is the row from the top, and the digit is the column from the left."""
    grid = grid_of(position_from_moves("d4 d5 a1 h8", LINE8))
    assert (grid[3][3], grid[4][3], grid[0][0], grid[7][7]) == (1, 2, 1, 2)


@given(VARIANTS, st.lists(st.integers(0, 99), max_size=60))
def test_text_of_a_game_is_read_back(variant: Variant, picks: list[int]) -> None:
    """The text of a game's moves leads to the same position."""
    position, cells = Position(variant), []
    for pick in picks:
        if position.is_over:
            break
        cells.append(position.moves[pick % len(position.moves)])
        position = position.play(cells[-1])
    assert position_from_moves(moves_text(variant, cells), variant) == position


@pytest.mark.parametrize(
    ("variant", "text", "error", "reason"),
    [
        (STANDARD, "48", IllegalMove, "move 2 ('8'): the last column is 7"),
        (STANDARD, "4444444", IllegalMove, "move 7 ('4'): the column is full"),
        (STANDARD, "40", NotationError, "move 2 ('0'): not a column"),
        (STANDARD, "4 4", NotationError, "move 2 (' '): not a column"),
        (STANDARD, "?", NotationError, "move 1 ('?'): not a column"),
        (STANDARD, "A", IllegalMove, "move 1 ('A'): the last column is 7"),
        (STANDARD, "11223344", NotationError, "move 8 ('4') comes after the end of the game"),
        (TWO, "11221", NotationError, "move 5 ('1') comes after the end of the game"),
        (STANDARD, "4s", IllegalMove, "move 2 ('s'): the last column is 7"),
        (CODINGAME, "s", IllegalMove, "move 1 ('s'): only the first move of player 2"),
        (CODINGAME, "5ss", IllegalMove, "move 3 ('s'): only the first move of player 2"),
        (CODINGAME, "55s", IllegalMove, "move 3 ('s'): only the first move of player 2"),
        (CODINGAME, "5S", IllegalMove, "move 2 ('S'): the last column is 9"),
        (Variant(1, 1, steal=True), "1s", NotationError, "move 2 ('s') comes after the end"),
        (LINE8, "d4 d4", IllegalMove, "move 2 ('d4'): the cell is taken"),
        (LINE8, "i1", IllegalMove, "move 1 ('i1'): no such cell: cells are a1 to h8"),
        (LINE8, "a9", IllegalMove, "move 1 ('a9'): no such cell: cells are a1 to h8"),
        (LINE8, "a0", IllegalMove, "move 1 ('a0'): no such cell: cells are a1 to h8"),
        (LINE8, "a", NotationError, "move 1 ('a'): not a cell"),
        (LINE8, "4d", NotationError, "move 1 ('4d'): not a cell"),
        (LINE8, "D4", IllegalMove, "move 1 ('D4'): no such cell: cells are a1 to h8"),
        (LINE8, "d-1", NotationError, "move 1 ('d-1'): not a cell"),
        (LINE8, "d00011", NotationError, "move 1 ('d00011'): not a cell"),
    ],
)
def test_wrong_text_is_refused_with_the_move_and_the_reason(
    variant: Variant, text: str, error: type[Exception], reason: str
) -> None:
    """Text that is no move raises ``NotationError``, and an illegal move ``IllegalMove``."""
    with pytest.raises(error, match="^" + re.escape(reason)):
        position_from_moves(text, variant)


@pytest.mark.parametrize("gravity", [True, False])
def test_every_cell_of_the_largest_board_has_a_name_of_its_own(gravity: bool) -> None:
    """On 52x52, all columns, and all cells without gravity, have different names."""
    variant = Variant(MAX_SIDE, MAX_SIDE, gravity=gravity)
    moves = Position(variant).moves
    assert len({cell_name(variant, cell) for cell in moves}) == len(moves)


@pytest.mark.parametrize(("ply", "score"), [(7, 18), (8, 18), (9, 17), (10, 17), (41, 1), (42, 1)])
def test_win_on_the_standard_board_scores_22_less_the_stones(ply: int, score: int) -> None:
    """A win scores 18 with the fourth stone of a player, and 1 with the last stone."""
    assert win_score(STANDARD, ply) == score


def test_steal_has_a_name_and_is_no_stone() -> None:
    """The steal is ``s`` in a move string. The cell that it names is that of no stone."""
    position, cells = replay("5s5", CODINGAME)
    assert cells == [CODINGAME.cell(4, 0), STEAL, CODINGAME.cell(4, 1)]
    assert grid_of(position)[4] == [0] * 5 + [1, 2]
    assert (position.player, position.ply) == (2, 2)
    assert (cell_name(CODINGAME, STEAL), wire_move(CODINGAME, STEAL), wire_name(STEAL)) == (
        "s", -2, "s",
    )  # fmt: skip
