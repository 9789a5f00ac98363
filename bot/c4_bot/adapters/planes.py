"""Positions as the arrays that PettingZoo's ``connect_four_v3`` defines.

An array has the shape (rows, columns, 2). Row 0 is the top. Plane 0 holds the stones of the player
who observes, and plane 1 those of the opponent: 1 is a stone, 0 is none.
"""

import numpy as np
from c4_protocol.program.errors import ImpossiblePosition
from c4_protocol.rules.notation import check_not_over, grid_of, shown_position
from c4_protocol.rules.position import SEATS, Position, Seat, other_seat
from c4_protocol.rules.variant import Variant
from numpy.typing import ArrayLike, NDArray


def planes_of(position: Position, seat: Seat) -> NDArray[np.int8]:
    """Return what the player in this seat observes."""
    rows = np.array(grid_of(position), np.int8).T
    return np.stack([rows == seat, rows == other_seat(seat)], axis=2).astype(np.int8)


def position_of(observation: ArrayLike) -> Position:
    """Return the position that the player to move observes, in a game of four in a row.

    Raises ``ImpossiblePosition`` if no such position exists, or if the game is over.
    """
    planes = np.asarray(observation)
    if planes.ndim != 3 or planes.shape[2] != 2:
        raise ImpossiblePosition(f"an observation has the shape (6, 7, 2), not {planes.shape}")
    own, other = planes[:, :, 0].astype(int), planes[:, :, 1].astype(int)
    if not set(np.unique(planes)) <= {0, 1} or (own & other).any():
        raise ImpossiblePosition("an observation is 0 or 1, and each cell has one stone at most")
    seat = SEATS[int(own.sum() < other.sum())]
    grid = (seat * own + other_seat(seat) * other).T.tolist()
    position = shown_position(grid, Variant(planes.shape[1], planes.shape[0]), seat)
    check_not_over(position)
    return position
