"""Positions as arrays of planes."""

import numpy as np
import pytest
from c4_bot.adapters.planes import planes_of, position_of
from c4_protocol.program.errors import ImpossiblePosition
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position, other_seat
from c4_protocol.rules.variant import STANDARD, Variant
from hypothesis import given
from hypothesis import strategies as st


def test_planes_are_as_pettingzoo_defines_them():
    """Row 0 is the top, and plane 0 holds the stones of the player who observes."""
    position = position_from_moves("445", STANDARD)
    planes = planes_of(position, 2)
    assert (planes.shape, planes.dtype) == ((6, 7, 2), np.int8)
    assert np.argwhere(planes[:, :, 0]).tolist() == [[4, 3]]
    assert np.argwhere(planes[:, :, 1]).tolist() == [[5, 3], [5, 4]]
    assert (planes_of(position, 1) == planes[:, :, ::-1]).all()


@given(position=st.from_type(Position))
def test_planes_hold_the_position(position):
    """The array of the player to move gives the position, and that of the opponent is refused."""
    rules = position.variant
    plain = Variant(rules.width, rules.height)
    position = Position(plain, position.stones, position.player)
    is_usual = position.player == 1 + position.ply % 2
    if not rules.gravity or position.is_over or not is_usual:
        return
    assert position_of(planes_of(position, position.player)) == position
    assert position_of(planes_of(position, position.player).tolist()) == position
    if position.ply % 2:
        with pytest.raises(ImpossiblePosition):
            position_of(planes_of(position, other_seat(position.player)))


@pytest.mark.parametrize(
    "observation",
    [
        np.zeros((6, 7)),
        np.zeros((2, 6, 7)),
        np.ones((6, 7, 2)),
        np.full((6, 7, 2), 0.5),
        planes_of(position_from_moves("1212121", STANDARD), 2),
        planes_of(Position(stones=(2, 0), player=2), 2),
        [],
    ],
    ids=["2 dimensions", "planes first", "two stones", "half a stone", "over", "floating", "none"],
)
def test_other_arrays_are_refused(observation):
    """An array that shows no position in which a player is to move is an error."""
    with pytest.raises(ImpossiblePosition):
        position_of(observation)
