"""All positions with a given number of stones, as arrays.

Here a ``Position`` stands for many positions with the same number of stones: its boards are numpy
arrays. Methods that only compute with bits (``own``, ``playable``, ``mirrored``,
``winning_cells``) work on all these positions at the same time. In each of them player 1 is to
move.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.book.book_file import key_of_one_side

BoardArray = npt.NDArray[np.uint64]
BooleanArray = npt.NDArray[np.bool_]


def positions_of(variant: Variant, own: BoardArray, other: BoardArray) -> Position:
    """Return positions from the stones of the players to move and of their opponents."""
    return Position(variant, (own, other))  # type: ignore[arg-type]


def selected_positions(
    positions: Position, which: BooleanArray | npt.NDArray[np.intp] | slice
) -> Position:
    """Return the positions that a mask, an array of indexes or a slice selects."""
    own, other = boards_of(positions)
    return positions_of(positions.variant, own[which], other[which])


def boards_of(positions: Position) -> tuple[BoardArray, BoardArray]:
    """Return the stones of the players to move, and of their opponents."""
    return _as_array(positions.own), _as_array(positions.other)


def _as_array(bits: object) -> BoardArray:
    """Return a board as an array. It is an array already, but the type checker expects an int."""
    return np.asarray(bits, np.uint64)


def position_keys(positions: Position) -> BoardArray:
    """Return the key of each position (see ``c4_bot.book.book_file.position_key``)."""
    both = key_of_one_side(positions), key_of_one_side(positions.mirrored())
    return _as_array(np.minimum(*both))


def can_win_now(positions: Position) -> BooleanArray:
    """Return a mask of the positions in which the player to move has a winning cell."""
    return np.not_equal(_as_array(positions.winning_cells), 0)


def are_quiet(positions: Position) -> BooleanArray:
    """Return a mask of the positions in which no player has a winning cell."""
    return ~can_win_now(positions) & np.equal(_as_array(positions.opponent_winning_cells), 0)


def children_by_column(positions: Position) -> Iterator[tuple[npt.NDArray[np.intp], Position]]:
    """Yield, for each column, the indexes of some positions, and the positions after a move there.

    The indexes select the positions in which the move is legal and does not win.
    """
    variant = positions.variant
    own, other = boards_of(positions)
    cells = _as_array(positions.playable & ~positions.winning_cells)
    for column in variant.columns:
        parents = np.flatnonzero(cells & column)
        moved = own[parents] | cells[parents] & np.uint64(column)
        yield parents, positions_of(variant, other[parents], moved)


def all_positions(variant: Variant, plies: int) -> Iterator[Position]:
    """Yield all positions of 0, 1, 2, ..., ``plies`` stones in which no player has won.

    One of two mirror images is left out. Positions with the same parent are next to each other, and
    so are positions with the same grandparent.
    """
    positions = positions_of(variant, np.zeros(1, np.uint64), np.zeros(1, np.uint64))
    yield positions
    for _ in range(plies):
        positions = _next_ply(positions)
        yield positions


def _next_ply(positions: Position) -> Position:
    following = list(children_by_column(positions))
    order = np.argsort(np.concatenate([parents for parents, _ in following]), kind="stable")
    own, other = (
        np.concatenate(part)[order]
        for part in zip(*(boards_of(child) for _, child in following), strict=True)
    )
    together = positions_of(positions.variant, own, other)
    _, first = np.unique(position_keys(together), return_index=True)
    return selected_positions(together, np.sort(first))
