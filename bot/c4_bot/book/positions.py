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

from c4_bot.book.book_file import one_sided_key

Boards = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]


def many(variant: Variant, own: Boards, other: Boards) -> Position:
    """Return positions from the stones of the players to move and of their opponents."""
    return Position(variant, (own, other))  # type: ignore[arg-type]


def pick(positions: Position, which: Mask | npt.NDArray[np.intp] | slice) -> Position:
    """Return the positions that a mask, an array of indexes or a slice selects."""
    own, other = boards(positions)
    return many(positions.variant, own[which], other[which])


def boards(positions: Position) -> tuple[Boards, Boards]:
    """Return the stones of the players to move, and of their opponents."""
    return _board(positions.own), _board(positions.other)


def _board(bits: object) -> Boards:
    """Return a board as an array. It is an array already, but the type checker expects an int."""
    return np.asarray(bits, np.uint64)


def keys(positions: Position) -> Boards:
    """Return the key of each position (see ``c4_bot.book.book_file.key``)."""
    both = one_sided_key(positions), one_sided_key(positions.mirrored())
    return _board(np.minimum(*both))


def can_win(positions: Position) -> Mask:
    """Return a mask of the positions in which the player to move has a winning cell."""
    return np.not_equal(_board(positions.winning_cells), 0)


def is_quiet(positions: Position) -> Mask:
    """Return a mask of the positions in which no player has a winning cell."""
    return ~can_win(positions) & np.equal(_board(positions.opponent_winning_cells), 0)


def children(positions: Position) -> Iterator[tuple[npt.NDArray[np.intp], Position]]:
    """Yield, for each column, the indexes of some positions, and the positions after a move there.

    The indexes select the positions in which the move is legal and does not win.
    """
    variant = positions.variant
    own, other = boards(positions)
    cells = _board(positions.playable & ~positions.winning_cells)
    for column in variant.columns:
        parents = np.flatnonzero(cells & column)
        moved = own[parents] | cells[parents] & np.uint64(column)
        yield parents, many(variant, other[parents], moved)


def all_positions(variant: Variant, plies: int) -> Iterator[Position]:
    """Yield all positions of 0, 1, 2, ..., ``plies`` stones in which no player has won.

    One of two mirror images is left out. Positions with the same parent are next to each other, and
    so are positions with the same grandparent.
    """
    positions = many(variant, np.zeros(1, np.uint64), np.zeros(1, np.uint64))
    yield positions
    for _ in range(plies):
        positions = _next_ply(positions)
        yield positions


def _next_ply(positions: Position) -> Position:
    following = list(children(positions))
    order = np.argsort(np.concatenate([parents for parents, _ in following]), kind="stable")
    own, other = (
        np.concatenate(part)[order]
        for part in zip(*(boards(child) for _, child in following), strict=True)
    )
    together = many(positions.variant, own, other)
    _, first = np.unique(keys(together), return_index=True)
    return pick(together, np.sort(first))
