"""Reads keys of the opening book."""

from c4_protocol.rules.position import Position, seat_at
from c4_protocol.rules.variant import Variant


def position_of(word: int, variant: Variant) -> Position:
    """Return the position that a key stands for."""
    own = occupied = 0
    for x in range(0, variant.bits, variant.stride):
        column = word >> x & ((1 << variant.stride) - 1)
        above = 1 << (column.bit_length() - 1)
        own |= (column - above) << x
        occupied |= (above - 1) << x
    stones = own, occupied ^ own
    player = seat_at(occupied.bit_count())
    return Position(variant, stones if player == 1 else stones[::-1], player)
