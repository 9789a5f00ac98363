"""Positions to ask about, for any variant: the same ones every time."""

import random
from collections.abc import Iterator
from functools import lru_cache

from c4_protocol.position import Position, completing_cells
from c4_protocol.variant import Variant, cells_of

STONES_DRAWN = 4000
"""How many stones to set in search of a game that fills the board: a hundred games on 7x6, of which
one in a few does."""


@lru_cache(maxsize=64)
def game(variant: Variant, seed: int = 0, opener: int = 1) -> tuple[Position, ...]:
    """The positions of one game, in each of which there is a move to make.

    Moves are drawn by lot, and both sides pass up their wins, so that the board fills: this is the
    longest of a few such games.
    """
    lots = random.Random(seed)
    longest: tuple[Position, ...] = ()
    for _ in range(STONES_DRAWN // variant.cells + 1):
        longest = max(longest, _draw(Position(variant, player=opener), lots), key=len)
        if len(longest) == variant.cells:
            break
    return longest


def middle(variant: Variant, seed: int = 0, opener: int = 1) -> Position:
    """A position of about the eighth move, with the opener to move."""
    positions = game(variant, seed, opener)
    return positions[min(8, len(positions) - 1) // 2 * 2]


def centre_full(variant: Variant) -> Position:
    """A position in which the most central column, or both of them, is full."""
    position = Position(variant)
    for _ in range(variant.height * (2 - variant.width % 2)):
        quiet = _quiet(position)
        following = [position.play(cell) for cell in position.moves if quiet >> cell & 1]
        if not following or following[0].is_full:
            break
        position = following[0]
    return position


def winnable(variant: Variant) -> Position | None:
    """A position in which one move wins, if the variant has one."""
    return next((position for position in _many(variant) if winning(position)), None)


def threatened(variant: Variant) -> Position | None:
    """A position without a win in which one move stops the other side's, if there is one."""
    for position in _many(variant):
        if not winning(position) and threats(position).bit_count() == 1:
            return position
    return None


def winning(position: Position) -> int:
    """The cells that win for the player to move."""
    return completing_cells(position.own, position.variant) & position.playable


def threats(position: Position) -> int:
    """The cells on which the other player would win."""
    return completing_cells(position.other, position.variant) & position.playable


def _many(variant: Variant) -> Iterator[Position]:
    for seed in range(3):
        yield from game(variant, seed)


def _draw(position: Position, lots: random.Random) -> tuple[Position, ...]:
    positions = []
    while not position.is_full:
        positions.append(position)
        cells = list(cells_of(_quiet(position)))
        if not cells:
            break
        position = position.play(lots.choice(cells))
    return tuple(positions)


def _quiet(position: Position) -> int:
    """The moves that win nothing."""
    return position.playable & ~winning(position)
