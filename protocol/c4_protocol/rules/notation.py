"""Positions and moves as texts and lists: grids, wire moves, move strings and coordinates.

A grid is a list of columns from left to right. Each column lists its cells from the top: 0 is
empty, 1 and 2 are the players. A wire move is a column, counting from 0. Where stones do not fall a
wire move is ``(column, row)``, and rows count from 0 at the top. The steal is ``STEAL`` as a wire
move, and ``s`` in move strings.
"""

import re
from collections.abc import Iterable, Sequence

from c4_protocol.program.errors import IllegalMove, ImpossiblePosition, NotationError
from c4_protocol.program.text import shortened
from c4_protocol.rules.position import Position, Seat, has_line, seat_at
from c4_protocol.rules.variant import STEAL, Variant, cells_of

WireMove = int | tuple[int, int]
NAME_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # importing string takes 1 ms
COLUMN_NAMES = "123456789" + NAME_LETTERS
"""Names of the columns in move strings, from the left: 1 to 9, then a, b, ..."""
ROW_NAMES = NAME_LETTERS
"""Names of the rows in coordinates, from the top."""
STEAL_NAME = "s"
"""Name of the steal in move strings."""


def shown_position(
    grid: Sequence[Sequence[int]], variant: Variant, player: Seat | None = None
) -> Position:
    """Return the position that a grid shows, with ``player`` to move, even if the game is over.

    Without ``player``, the player with fewer stones is to move, or player 1 if both have the same
    number. Raises ``ImpossiblePosition`` for a grid whose size is not the variant's, for floating
    stones in a variant with gravity, for numbers of stones that differ by more than one, and if
    ``player`` has more stones than the opponent: they move in turn, and either may move first.
    """
    _check_grid_size(grid, variant)
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
    _check_stones_are_possible(position)
    return position


def _check_grid_size(grid: Sequence[Sequence[int]], variant: Variant) -> None:
    if len(grid) != variant.width:
        raise ImpossiblePosition(f"the grid has {len(grid)} columns, but width is {variant.width}")
    for x, column in enumerate(grid):
        if len(column) != variant.height:
            raise ImpossiblePosition(
                f"grid[{x}] has {len(column)} cells, but columns are {variant.height} high"
            )


def _check_stones_are_possible(position: Position) -> None:
    variant, occupied = position.variant, position.occupied
    if variant.gravity and (floating := occupied & (occupied + variant.bottom)):
        column = variant.column_of(next(cells_of(floating)))
        raise ImpossiblePosition(f"a stone floats over an empty cell in grid[{column}]")
    first, second = (stones.bit_count() for stones in position.stones)
    counts = f"player 1 has {first} stones and player 2 has {second}"
    if abs(first - second) > 1:
        raise ImpossiblePosition(counts)
    if position.own.bit_count() > position.other.bit_count():
        raise ImpossiblePosition(f"it cannot be player {position.player}'s turn: {counts}")


def check_winner(position: Position) -> None:
    """Raise ``ImpossiblePosition`` if both players have a line, or the player to move has one."""
    in_a_row = f"{position.variant.connect} in a row"
    if all(has_line(stones, position.variant) for stones in position.stones):
        raise ImpossiblePosition(f"both players have {in_a_row}")
    if position.winner == position.player:
        raise ImpossiblePosition(
            f"it cannot be player {position.player}'s turn: player {position.player} has {in_a_row}"
        )


def check_not_over(position: Position) -> None:
    """Raise ``ImpossiblePosition`` for a game that has ended."""
    if winner := position.winner:
        in_a_row = f"player {winner} has {position.variant.connect} in a row"
        raise ImpossiblePosition(f"the game is over: {in_a_row}")
    if position.is_full:
        raise ImpossiblePosition("the game is over: the board is full")


def grid_of(position: Position) -> list[list[int]]:
    """Return the grid of a position."""
    first, second = position.stones
    return [column_of_grid(first, second, column) for column in position.variant.columns]


def rows_of(position: Position, marks: str) -> list[str]:
    """Return the rows of the board from the top, with a character for each cell.

    ``marks`` are the characters for an empty cell, player 1 and player 2.
    """
    rows = zip(*grid_of(position), strict=True)
    return ["".join(marks[owner] for owner in row) for row in rows]


def column_of_grid(first_stones: int, second_stones: int, column_cells: int) -> list[int]:
    """Return one column of a grid.

    ``first_stones`` and ``second_stones`` are the stones of the players and ``column_cells`` the
    cells of the column, all as bitboards.
    """
    from_the_top = reversed([*cells_of(column_cells)])
    return [(first_stones >> cell & 1) | (second_stones >> cell & 1) << 1 for cell in from_the_top]


def wire_move(variant: Variant, cell: int) -> WireMove:
    """Return the wire move that puts a stone on ``cell``, or that steals one."""
    if cell == STEAL:
        return STEAL
    column = variant.column_of(cell)
    if variant.gravity:
        return column
    return column, variant.height - 1 - variant.row_of(cell)


def cell_of_wire(position: Position, move: WireMove) -> int:
    """Return the cell of a wire move; raise ``IllegalMove``."""
    return position.check(move) if isinstance(move, int) else position.check(*move)


def cell_name(variant: Variant, cell: int) -> str:
    """Return the name of a move: ``4`` for the fourth column, ``d5`` where stones do not fall.

    The name of the steal is ``s``.
    """
    if cell == STEAL:
        return STEAL_NAME
    return COLUMN_NAMES[variant.column_of(cell)] if variant.gravity else place_name(variant, cell)


def wire_name(move: WireMove) -> str:
    """Return the name of a wire move, written like the names of ``cell_name``."""
    if move == STEAL:
        return STEAL_NAME
    return COLUMN_NAMES[move] if isinstance(move, int) else f"{ROW_NAMES[move[1]]}{move[0] + 1}"


def with_moves(sentence: str, variant: Variant, whose: str = "") -> str:
    """Return a sentence for a program: each column, cell, line or steal has its moves beside it.

    "Column 4 wins" becomes "Column 4 (move 3) wins". ``whose`` is added to the moves.
    """
    noun, name = "column", f"[{COLUMN_NAMES[: variant.width]}]"
    if not variant.gravity:
        noun, name = "cell", r"[a-zA-Z]\d+"
    name = rf"\b(?:{name}{'|' + STEAL_NAME if variant.steal else ''})\b"
    names = f"{name}(?:(?:, | and | or | ){name})*"

    def move(found: re.Match[str]) -> str:
        if variant.steal and found[0] == STEAL_NAME:
            return str(STEAL)
        if variant.gravity:
            return str(COLUMN_NAMES.index(found[0]))
        return f"[{int(found[0][1:]) - 1}, {ROW_NAMES.index(found[0][0])}]"

    def shown(found: re.Match[str]) -> str:
        moves, count = re.subn(name, move, found[1] or STEAL_NAME)
        return f"{found[0]} (move{'s' if count > 1 else ''} {moves}{whose})"

    sentence = re.sub(f"(: )(?={name})|the moves ", rf"\1{noun}s ", sentence)
    return re.sub(f"(?i:{noun}s? )({names})|[Tt]he steal", shown, sentence)


def without_moves(sentence: str) -> str:
    """Return a sentence for people: without the moves that ``with_moves`` added."""
    return re.sub(r"(?i)((?:column|cell|steal)[^()]*) \(moves? [^()]+\)", r"\1", sentence)


def place_name(variant: Variant, cell: int) -> str:
    """Return the name of a cell, such as ``d5``: its row from the top, its column from the left.

    The console of seed document 003_042b791f4f409f5b.txt uses these names.
    """
    row = ROW_NAMES[variant.height - 1 - variant.row_of(cell)]
    return f"{row}{variant.column_of(cell) + 1}"


def moves_text(variant: Variant, cells: Iterable[int]) -> str:
    """Return the move string of a game: ``4453`` (Pons notation), or ``d4 d5`` without gravity."""
    return ("" if variant.gravity else " ").join(cell_name(variant, cell) for cell in cells)


def move_names(text: str, variant: Variant) -> Sequence[str]:
    """Return the names of the moves in a move string, whose moves are not checked."""
    return text if variant.gravity else text.split()


def win_score(variant: Variant, ply: int) -> int:
    """Return the winner's score of a game that ends with ``ply`` stones on the board.

    This is Pascal Pons's convention: the score is 1 plus the number of stones that the winner has
    left. On 7x6 that is 22 minus the winner's stones on the board.
    """
    return (variant.cells + 2 - ply) // 2


def position_from_moves(text: str, variant: Variant) -> Position:
    """Return the position after the moves of a move string; raise the errors of ``replay``."""
    return replay(text, variant)[0]


def cells_from_moves(text: str, variant: Variant) -> list[int]:
    """Return the cells of the moves of a move string; raise the errors of ``replay``."""
    return replay(text, variant)[1]


def replay(text: str, variant: Variant) -> tuple[Position, list[int]]:
    """Return the position after the moves of a move string, and their cells.

    Player 1 makes the first move. Raises ``NotationError`` for a text that is not a move string and
    for moves after the end of the game, and ``IllegalMove`` for a move that the rules do not allow.
    The message of both errors contains the number of the move.
    """
    if variant.gravity and (dropped := _replay_quickly(text, variant)):
        return dropped
    position = Position(variant)
    cells: list[int] = []
    for number, name in enumerate(move_names(text, variant), 1):
        if position.is_over:
            raise NotationError(
                f"move {number} ({shortened(name)}) comes after the end of the game"
            )
        try:
            cells.append(cell_named(position, name))
        except (IllegalMove, NotationError) as error:
            raise type(error)(f"move {number} ({shortened(name)}): {error}") from None
        position = position.play(cells[-1])
    return position, cells


def _replay_quickly(text: str, variant: Variant) -> tuple[Position, list[int]] | None:
    """Return the position and the cells of a move string; ``None`` if a move is wrong.

    This takes a tenth of the time of playing the moves one by one, because lines are searched only
    once, on the board before the last move. A line that ended the game too early is on this board.
    """
    height, stride = variant.height, variant.stride
    heights = [0] * variant.width
    stones, cells = [0, 0], []
    for ply, column in enumerate(map(COLUMN_NAMES.find, text)):
        if not (0 <= column < variant.width and heights[column] < height):
            return None
        cells.append(column * stride + heights[column])
        heights[column] += 1
        stones[ply & 1] |= 1 << cells[-1]
    last = 1 << cells[-1] if cells else 0
    if any(has_line(own & ~last, variant) for own in stones):
        return None
    return Position(variant, (stones[0], stones[1]), seat_at(len(cells))), cells


def cell_named(position: Position, name: str) -> int:
    """Return the cell of the move with this name (``cell_name``).

    Raises ``NotationError`` or ``IllegalMove`` if there is no such move.
    """
    if position.variant.steal and name == STEAL_NAME:
        return position.check(STEAL)
    if position.variant.gravity:
        return position.check(_column_with_name(position, name))
    variant = position.variant
    row, digits = ROW_NAMES.find(name[0]), name[1:]
    if row < 0 or not re.fullmatch("[0-9]{1,4}", digits):
        raise NotationError("not a cell: cells are a1, a2, ... b1, ...")
    column = int(digits) - 1
    if not (0 <= column < variant.width and row < variant.height):
        last = f"{ROW_NAMES[variant.height - 1]}{variant.width}"
        raise IllegalMove(f"no such cell: cells are a1 to {last}, the row first")
    cell = variant.cell(column, variant.height - 1 - row)
    if position.occupied >> cell & 1:
        raise IllegalMove("the cell is taken")
    return cell


def _column_with_name(position: Position, name: str) -> int:
    """Return the column with this name, counting from 0.

    Raises ``NotationError`` or ``IllegalMove``. In their messages columns count from 1.
    """
    variant, column = position.variant, COLUMN_NAMES.find(name)
    if column < 0:
        raise NotationError("not a column: columns are 1 to 9, then a, b, ...")
    if column >= variant.width:
        last = COLUMN_NAMES[variant.width - 1]
        raise IllegalMove(f"the last column is {last}, counting from 1")
    if not position.playable & variant.columns[column]:
        raise IllegalMove("the column is full")
    return column
