"""Positions and moves as texts and lists: grids, wire moves, move strings and coordinates.

A grid is a list of columns, left to right, each listing its cells from the top: 0 empty, 1 and 2
the players. A wire move is a column counting from 0, or ``(column, row)`` with the row counting
from the top where stones do not fall.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_letters

from c4_protocol.errors import IllegalMove, ImpossiblePosition, NotationError
from c4_protocol.position import Position, Seat, has_line
from c4_protocol.variant import Variant, cells_of

WireMove = int | tuple[int, int]
COLUMN_NAMES = "123456789" + ascii_letters
"""Columns in move strings, which count from 1; letters go on where digits end."""
ROW_NAMES = ascii_letters
"""Rows in coordinates, from the top."""


def position_from_grid(
    grid: Sequence[Sequence[int]], variant: Variant, player: Seat | None = None
) -> Position:
    """Return the position that a grid shows, with ``player`` to move.

    Raises ``ImpossiblePosition`` as ``shown_position`` does, and for a game that is over.
    """
    position = shown_position(grid, variant, player)
    check_not_over(position)
    return position


def shown_position(
    grid: Sequence[Sequence[int]], variant: Variant, player: Seat | None = None
) -> Position:
    """Return the position that a grid shows, with ``player`` to move, even if the game is over.

    Without ``player`` it is the one with fewer stones, player 1 when equal. Raises
    ``ImpossiblePosition`` for a grid of another shape than the variant's, for floating stones
    under gravity, and for stone counts further than one apart.
    """
    _check_shape(grid, variant)
    stones = [0, 0, 0]
    for x, column in enumerate(grid):
        top = (x + 1) * variant.stride - 2
        for i, value in enumerate(column):
            if value:
                stones[value] |= 1 << (top - i)
    first, second = stones[1], stones[2]
    if player is None:
        player = 2 if second.bit_count() < first.bit_count() else 1
    position = Position(variant, (first, second), player)
    _check_possible(position)
    return position


def _check_shape(grid: Sequence[Sequence[int]], variant: Variant) -> None:
    if len(grid) != variant.width:
        raise ImpossiblePosition(f"the grid has {len(grid)} columns, but width is {variant.width}")
    for x, column in enumerate(grid):
        if len(column) != variant.height:
            raise ImpossiblePosition(
                f"grid[{x}] has {len(column)} cells, but columns are {variant.height} high"
            )


def _check_possible(position: Position) -> None:
    variant, occupied = position.variant, position.occupied
    if variant.gravity and occupied & (occupied + variant.bottom):
        column = _floating_column(position)
        raise ImpossiblePosition(f"a stone floats over an empty cell in grid[{column}]")
    first, second = (stones.bit_count() for stones in position.stones)
    if abs(first - second) > 1:
        raise ImpossiblePosition(f"player 1 has {first} stones and player 2 has {second}")


def check_one_winner(position: Position) -> None:
    """Raise ``ImpossiblePosition`` if both players have a line."""
    if all(has_line(stones, position.variant) for stones in position.stones):
        raise ImpossiblePosition(f"both players have {position.variant.connect} in a row")


def check_not_over(position: Position) -> None:
    """Raises ``ImpossiblePosition`` for a game that has ended."""
    if winner := position.winner:
        in_a_row = f"player {winner} has {position.variant.connect} in a row"
        raise ImpossiblePosition(f"the game is over: {in_a_row}")
    if position.is_full:
        raise ImpossiblePosition("the game is over: the board is full")


def _floating_column(position: Position) -> int:
    """The first column with a gap below a stone."""
    floating = position.occupied & (position.occupied + position.variant.bottom)
    return position.variant.column_of(next(cells_of(floating)))


def grid_of(position: Position) -> list[list[int]]:
    """The grid of a position."""
    first, second = position.stones
    return [column_of(first, second, column) for column in position.variant.columns]


def column_of(first: int, second: int, column: int) -> list[int]:
    """A grid's column of the players' stones, told by the board of its cells."""
    from_the_top = reversed([*cells_of(column)])
    return [(first >> cell & 1) | (second >> cell & 1) << 1 for cell in from_the_top]


def wire_move(variant: Variant, cell: int) -> WireMove:
    """What goes over the wire for a stone on ``cell``."""
    column = variant.column_of(cell)
    if variant.gravity:
        return column
    return column, variant.height - 1 - variant.row_of(cell)


def cell_of_wire(position: Position, move: WireMove) -> int:
    """The cell of a wire move; raises ``IllegalMove``."""
    gravity = position.variant.gravity
    if isinstance(move, int):
        if not gravity:
            raise IllegalMove(f"move {move} names no row: without gravity say [column, row]")
        return position.check(move)
    if gravity:
        raise IllegalMove(f"move {list(move)} names a row: stones fall, say the column alone")
    column, row = move
    return position.check(column, row)


def cell_name(variant: Variant, cell: int) -> str:
    """A move as people write it: ``4`` for the fourth column, ``d5`` where stones do not fall."""
    return COLUMN_NAMES[variant.column_of(cell)] if variant.gravity else place_name(variant, cell)


def wire_name(move: WireMove) -> str:
    """A wire move as people write it, like ``cell_name``."""
    return COLUMN_NAMES[move] if isinstance(move, int) else f"{ROW_NAMES[move[1]]}{move[0] + 1}"


def place_name(variant: Variant, cell: int) -> str:
    """A cell of any board, as ``d5``: the letter of its row from the top, its column from the left.

    So in the console of seed document 003_042b791f4f409f5b.txt.
    """
    row = ROW_NAMES[variant.height - 1 - variant.row_of(cell)]
    return f"{row}{variant.column_of(cell) + 1}"


def moves_text(variant: Variant, cells: Iterable[int]) -> str:
    """A game's moves: ``4453`` under gravity (Pons notation), ``d4 d5`` without."""
    return ("" if variant.gravity else " ").join(cell_name(variant, cell) for cell in cells)


def win_score(variant: Variant, ply: int) -> int:
    """The score, in Pons notation, of a game won with ``ply`` stones on the board.

    1 for a win with the winner's last stone, one more for each stone he keeps; on 7x6 that is 22
    minus his stones on the board.
    """
    return (variant.cells + 2 - ply) // 2


def position_from_moves(text: str, variant: Variant) -> Position:
    """The position after the moves of a text, player 1 having opened.

    Raises ``NotationError`` for a text that names no moves and for moves after the end, and
    ``IllegalMove`` for a move that the rules do not allow, each with the number of the move.
    """
    *_, (position, _) = _replay(text, variant)
    return position


def cells_from_moves(text: str, variant: Variant) -> list[int]:
    """The cells of the moves of a text, in their order; raises as ``position_from_moves`` does."""
    return [cell for _, cell in _replay(text, variant) if cell is not None]


def _replay(text: str, variant: Variant) -> Iterator[tuple[Position, int | None]]:
    """The positions of a game, at first the empty one, and the moves that led to them."""
    position = Position(variant)
    yield position, None
    for number, name in enumerate(text if variant.gravity else text.split(), 1):
        if position.is_over:
            raise NotationError(f"move {number} ({name!r}) comes after the end of the game")
        try:
            cell = _cell_named(position, name)
            position = position.play(cell)
        except (IllegalMove, NotationError) as error:
            raise type(error)(f"move {number} ({name!r}): {error}") from None
        yield position, cell


def _cell_named(position: Position, name: str) -> int:
    if position.variant.gravity:
        return position.check(_column_named(position, name))
    variant = position.variant
    row, digits = ROW_NAMES.find(name[0]), name[1:]
    if row < 0 or not re.fullmatch("[0-9]{1,4}", digits):
        raise NotationError("not a cell: they are called a1, a2, ... b1, ...")
    column = int(digits) - 1
    if not (0 <= column < variant.width and row < variant.height):
        last = f"{ROW_NAMES[variant.height - 1]}{variant.width}"
        raise IllegalMove(f"no such cell: they are called a1 to {last}, the row first")
    cell = variant.cell(column, variant.height - 1 - row)
    if position.occupied >> cell & 1:
        raise IllegalMove("the cell is taken")
    return cell


def _column_named(position: Position, name: str) -> int:
    """Return the column with that name, counting from 0; errors show the name, which counts from 1.

    Raises ``NotationError`` or ``IllegalMove``.
    """
    variant, column = position.variant, COLUMN_NAMES.find(name)
    if column < 0:
        raise NotationError("not a column: they are called 1 to 9, then a, b, ...")
    if column >= variant.width:
        last = COLUMN_NAMES[variant.width - 1]
        raise IllegalMove(f"the last column is {last}, counting from 1")
    if not position.playable & variant.columns[column]:
        raise IllegalMove("the column is full")
    return column
