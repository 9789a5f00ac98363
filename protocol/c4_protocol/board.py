"""The public class for a position, a thin layer over ``c4_protocol.rules.position``.

In ``Board`` a move is a column, as in messages. In ``Position`` a move is a cell.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from operator import index
from typing import TYPE_CHECKING, Any, Literal

from c4_protocol.program.errors import IllegalMove, NotationError, ProtocolError
from c4_protocol.program.numbers import checked_seconds, whole_number_of
from c4_protocol.program.text import shown
from c4_protocol.rules.notation import (
    WireMove,
    cell_of_wire,
    check_not_over,
    check_winner,
    grid_of,
    moves_text,
    replay,
    rows_of,
    shown_position,
    wire_move,
)
from c4_protocol.rules.position import Position, Seat
from c4_protocol.rules.variant import STANDARD, STEAL, Variant

if TYPE_CHECKING:
    import numpy as np

    from c4_protocol.records.messages import Precept

STONE_CHARACTERS = ".XO"
"""The characters for an empty cell, player 1 and player 2."""
MAX_COORDINATE = 10**9
"""Maximum of a number in a move. A larger one is not a column or a row on any board."""


class Board:
    """An immutable position of a game: ``play`` returns a new board.

    A move is a column, counting from 0. Where stones do not fall (``line8``) a move is a pair
    ``(column, row)``: both count from 0, rows from the top. In move strings columns count from 1.
    The steal of ``codingame`` and of other variants is the move -2, and ``s`` in move strings.

    ``Board()`` is the empty board of the standard game. ``Board("8x7")`` is the empty board of
    another variant. Raises ``VariantError`` for a variant that does not exist.

    >>> board = Board().play(3).play(2)
    >>> board.player, board.legal_moves
    (1, [0, 1, 2, 3, 4, 5, 6])
    """

    __slots__ = ("_cells", "_position")

    def __init__(self, variant: Variant | str = "standard") -> None:
        self._position = Position(_variant_named(variant))
        self._cells: tuple[int, ...] | None = ()

    @classmethod
    def from_moves(cls, moves: str, variant: Variant | str = "standard") -> "Board":
        """Return the board after the moves of a move string. Player 1 makes the first move.

        Columns in move strings count from 1. The columns after 9 are named a, b, ... Where stones
        do not fall, moves are cells with blanks between them, such as ``d4 d5``. The letter is the
        row (a is at the top), and the number is the column. Raises ``NotationError`` for a text
        that is not a move string and for moves after the end of the game, and ``IllegalMove`` for a
        move that the rules do not allow. The message of both errors contains the number of the
        move.

        >>> Board.from_moves("4453") == Board().play(3).play(3).play(4).play(2)
        True
        >>> Board.from_moves("44444445")
        Traceback (most recent call last):
        c4_protocol.program.errors.IllegalMove: move 7 ('4'): the column is full
        """
        if not isinstance(moves, str):
            raise NotationError(f"a move string is a text such as '4453', not {shown(moves)}")
        position, cells = replay(moves, _variant_named(variant))
        return cls.of_position(position, tuple(cells))

    @classmethod
    def from_grid(
        cls,
        grid: Sequence[Sequence[int]],
        variant: Variant | str | None = None,
        player: int | None = None,
    ) -> "Board":
        """Return the board that a grid shows.

        A grid is a list of columns from left to right. Each column lists its cells from the top:
        0 is empty, 1 and 2 are the players. Without ``variant`` the standard rules apply, on a
        board of the grid's size. Without ``player``, the player with fewer stones is to move, or
        player 1 if both have the same number. A finished game is accepted. Raises
        ``ProtocolError`` for anything that is not a grid. Raises ``ImpossiblePosition`` for a grid
        of the wrong size, for floating stones, for numbers of stones that differ by more than one,
        for a ``player`` with more stones than the opponent, and if both players or the player to
        move have a line.

        >>> print(Board.from_grid([[0, 0, 1], [0, 2, 1], [0, 0, 0]]))
        . . .
        . O .
        X X .
        0 1 2  (from 0)
        player 2 (O) to move
        """
        rules = {} if variant is None else asdict(_variant_named(variant))
        seat = player if (number := whole_number_of(player)) is None else number
        precept = _checked_precept({"grid": grid, "player": seat, **rules})
        position = shown_position(precept.grid, precept.variant(), precept.player)
        check_winner(position)
        return cls.of_position(position)

    @classmethod
    def from_array(
        cls, cells: "np.ndarray", variant: Variant | str | None = None, player: int | None = None
    ) -> "Board":
        """Return the board that an array of shape (height, width) shows, as from ``to_array``.

        ``variant`` and ``player`` are those of ``from_grid``. Raises the same errors.

        >>> board = Board.from_moves("4453")
        >>> Board.from_array(board.to_array()) == board
        True
        """
        if getattr(cells, "ndim", None) != 2:
            raise ProtocolError(f"expected an array with rows and columns, not {shown(cells)}")
        return cls.from_grid(cells.T.tolist(), variant, player)

    @classmethod
    def from_precept(cls, precept: str | bytes | Mapping[str, Any]) -> "Board":
        """Return the board of a precept, the line of JSON with which a referee asks for a move.

        Accepts the line or the decoded object. Raises ``ProtocolError`` for anything that is not a
        precept, and ``ImpossiblePosition`` for a position that breaks the rules or in which the
        game is over.

        >>> Board.from_precept('{"grid":[[0,0],[0,1],[0,0]],"connect":3}').player
        2
        """
        return cls.of_position(_checked_precept(precept).position())

    @classmethod
    def of_position(cls, position: Position, cells: tuple[int, ...] | None = None) -> "Board":
        """Return the board of an internal position, for the other packages of this project."""
        board = cls(position.variant)
        board._position, board._cells = position, cells
        return board

    @property
    def position(self) -> Position:
        """The internal representation, for the other packages of this project."""
        return self._position

    @property
    def variant(self) -> Variant:
        """The variant of the game."""
        return self._position.variant

    @property
    def player(self) -> Seat:
        """The player to move, 1 or 2."""
        return self._position.player

    @property
    def stones(self) -> int:
        """The number of stones on the board."""
        return self._position.ply

    @property
    def winner(self) -> Seat | Literal[0]:
        """The player who has a line, 1 or 2; 0 if no player has a line."""
        return self._position.winner

    @property
    def is_over(self) -> bool:
        """True if the game has ended: a player has a line, or the board is full."""
        return self._position.is_over

    @property
    def legal_moves(self) -> list[WireMove]:
        """The legal moves in ascending order; an empty list when the game is over."""
        if self.is_over:
            return []
        return sorted(wire_move(self.variant, cell) for cell in self._position.moves)

    def play(self, move: WireMove) -> "Board":
        """Return the board after a move.

        Raises ``IllegalMove`` for a move that the rules do not allow and when the game is over.

        >>> Board.from_moves("444444").play(3)
        Traceback (most recent call last):
        c4_protocol.program.errors.IllegalMove: 3 is column 4, which is full
        """
        if self.is_over:
            raise IllegalMove("the game is over: there are no more moves")
        cell = cell_of_wire(self._position, checked_move(move))
        cells = None if self._cells is None else (*self._cells, cell)
        return self.of_position(self._position.play(cell), cells)

    @property
    def move_string(self) -> str | None:
        """The moves from the empty board to this position, as a text that ``from_moves`` reads.

        Columns count from 1. ``None`` if the board was made from a grid or a precept, because these
        do not contain the order of the moves.
        """
        return None if self._cells is None else moves_text(self.variant, self._cells)

    @property
    def heights(self) -> list[int]:
        """The number of stones in each column, from left to right."""
        return [len(column) - column.count(0) for column in self.grid]

    def mirrored(self) -> "Board":
        """Return the mirror image: the leftmost column becomes the rightmost.

        >>> Board.from_moves("112").mirrored()
        Board.from_moves('776')
        """
        variant = self.variant
        cells = self._cells and tuple(
            cell
            if cell == STEAL
            else variant.cell(variant.width - 1 - variant.column_of(cell), variant.row_of(cell))
            for cell in self._cells
        )
        return self.of_position(self._position.mirrored(), cells)

    def to_array(self) -> "np.ndarray":
        """Return the cells as a numpy array of shape (height, width), from the top row.

        0 is an empty cell, 1 and 2 are the players.
        """
        import numpy as np  # noqa: PLC0415 - games do not need it

        return np.array(self.grid, np.int8).T

    @property
    def grid(self) -> list[list[int]]:
        """The columns from left to right, each from the top: 0 is empty, 1 and 2 are players."""
        return grid_of(self._position)

    def precept(self, seconds: float | None = None) -> str:
        """Return the precept of this position, as ``c4-bot`` reads it, without a line ending.

        ``seconds`` is the time for the move; ``None`` is no limit. Raises ``ImpossiblePosition``
        when the game is over, and ``UsageError`` for a time that is not a number or is negative.

        >>> Board("3x2").precept()
        '{"grid":[[0,0],[0,0],[0,0]],"height":2,"player":1,"width":3}'
        """
        from c4_protocol.dialects.jsonl import RefereeEnd  # noqa: PLC0415 - a slow import

        check_not_over(self._position)
        time_ms = None
        if seconds is not None:
            time_ms = 1000.0 * checked_seconds(seconds, "the time for a move")
        return RefereeEnd().write_precept(self._position, time_ms).decode().rstrip()

    def __eq__(self, other: object) -> bool:
        """Compare variant, stones and player to move. The order of the moves does not matter."""
        return isinstance(other, Board) and self._position == other._position

    def __hash__(self) -> int:
        return hash(self._position)

    def __str__(self) -> str:
        """Return the board with its column numbers, and the player to move or the result."""
        return "\n".join([*_board_rows(self), _line_with_state(self)])

    def _repr_svg_(self) -> str:
        """Return a picture, which notebooks show. Columns count from 0, as in ``play``."""
        from c4_protocol.rules.picture import board_svg  # noqa: PLC0415 - games do not need it

        last = self._cells[-1] if self._cells else None
        return board_svg(self._position, last, count_from=0)

    def __repr__(self) -> str:
        variant = "" if self.variant == STANDARD else f", {_variant(self.variant)}"
        if self.move_string is not None:
            return f"Board.from_moves({self.move_string!r}{variant})"
        return f"Board.from_grid({self.grid}{variant}, player={self.player})"


def _variant(variant: Variant) -> str:
    """Return Python code that passes the variant as an argument."""
    text = str(variant)
    return repr(variant) if " " in text else repr(text)


def _variant_named(variant: Variant | str) -> Variant:
    """Return the argument if it is a variant, otherwise the variant with this name."""
    return variant if isinstance(variant, Variant) else Variant.parse(variant)


def _checked_precept(precept: str | bytes | Mapping[str, Any]) -> "Precept":
    """Return the checked precept of a line or of a decoded object; raise ``ProtocolError``."""
    import orjson  # noqa: PLC0415 - these two imports take longer than all others

    from c4_protocol.dialects.jsonl import precept_of  # noqa: PLC0415

    if isinstance(precept, str | bytes):
        return precept_of(precept.encode(errors="replace") if isinstance(precept, str) else precept)
    try:
        line = orjson.dumps(precept, default=_with_plain_numbers, option=orjson.OPT_SERIALIZE_NUMPY)
    except TypeError as error:
        raise ProtocolError(f"this is not a precept: {error}") from None
    return precept_of(line)


def _with_plain_numbers(value: Any) -> object:  # noqa: ANN401 - whatever a caller passes
    """Return a whole number as ``int``, and anything else as a list."""
    return list(value) if (number := whole_number_of(value)) is None else number


def checked_move(move: Any) -> WireMove:  # noqa: ANN401 - whatever a caller passes
    """Return the move with its numbers, for example numpy's, converted to ``int``.

    Raises ``IllegalMove`` for anything that is not a move.
    """
    with suppress(TypeError, ValueError):
        if isinstance(move, tuple | list) or getattr(move, "shape", ()) == (2,):
            column, row = move
            return _checked_coordinate(column), _checked_coordinate(row)
        return _checked_coordinate(move)
    raise IllegalMove(f"a move is a column or (column, row), not {shown(move)}")


def _checked_coordinate(value: Any) -> int:  # noqa: ANN401 - whatever a caller passes
    """Return a number that an error message can show; raise ``TypeError`` or ``ValueError``."""
    number = index(value)
    if abs(number) > MAX_COORDINATE:
        raise ValueError
    return number


def _board_rows(board: Board) -> list[str]:
    """Return the rows from the top, then the column numbers.

    Without gravity, each row begins with its number. All numbers count from 0, which is said.
    """
    variant = board.variant
    width = len(str(variant.width - 1))
    margin = 0 if variant.gravity else len(str(variant.height - 1)) + 1
    lines = [
        " ".join(sign.rjust(width) for sign in row)
        for row in rows_of(board.position, STONE_CHARACTERS)
    ]
    numbers = " ".join(f"{column:>{width}}" for column in range(variant.width))
    if margin:
        lines = [f"{row:>{margin - 1}} {line}" for row, line in enumerate(lines)]
    return [*lines, f"{' ' * margin}{numbers}  (from 0)"]


def _line_with_state(board: Board) -> str:
    """Return a line that names the winner, or the player to move."""
    if board.winner:
        return f"player {board.winner} ({STONE_CHARACTERS[board.winner]}) has won"
    if board.is_over:
        return "a draw"
    return f"player {board.player} ({STONE_CHARACTERS[board.player]}) to move"
