"""Positions to ask about, for any variant: the same ones every time."""

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache

from c4_protocol.position import Position, Seat, completing_cells
from c4_protocol.variant import Variant, cells_of

STONES_DRAWN = 4000
"""How many stones to set in search of a game that fills the board: a hundred games on 7x6, of which
one in a few does."""


TRIES = 200
"""Maximum number of games drawn in search of a position with columns of given heights."""


@lru_cache(maxsize=64)
def game(variant: Variant, seed: int = 0, opener: Seat = 1) -> tuple[Position, ...]:
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


def middle(variant: Variant, seed: int = 0, opener: Seat = 1) -> Position:
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


@lru_cache(maxsize=64)
def with_heights(variant: Variant, heights: tuple[int, ...]) -> Position | None:
    """Return a position whose columns hold so many stones each, without a line; maybe ``None``.

    Found by drawing moves by lot, so a variant of short lines may have one that is not found.
    """
    lots = random.Random(0)
    for _ in range(TRIES):
        position = _fill(Position(variant), heights, lots)
        if position is not None:
            return position
    return None


def edges(variant: Variant) -> Iterator[Position]:
    """Yield positions in which only the first column, and only the last one, has room.

    None where stones do not fall, and where no such position is found.
    """
    full = (variant.height,) * (variant.width - 1)
    for heights in ((0, *full), (*full, 0)) if variant.gravity else ():
        position = with_heights(variant, heights)
        if position is not None:
            yield position


def _fill(position: Position, heights: Sequence[int], lots: random.Random) -> Position | None:
    """Return the position after moves drawn by lot, up to the heights; ``None`` at a dead end."""
    variant = position.variant
    goal = sum(
        1 << variant.cell(column, row)
        for column, height in enumerate(heights)
        for row in range(height)
    )
    while position.ply < sum(heights):
        cells = list(cells_of(_quiet(position) & goal))
        if not cells:
            return None
        position = position.play(lots.choice(cells))
    return position


def drawn(position: Position) -> str:
    """Return a picture of a position, the columns' numbers on the wire, and the legal moves."""
    variant = position.variant
    lines = []
    for row in reversed(range(variant.height)):
        cells = (variant.cell(column, row) for column in range(variant.width))
        lines.append(" ".join(_sign(position, cell) for cell in cells))
    numbers = " ".join(f"{column % 10}" for column in range(variant.width))
    legal = sorted({variant.column_of(cell) for cell in position.moves})
    lines.append("-" * len(numbers))
    lines.append(f"{numbers}  columns from 0; with room: {', '.join(map(str, legal))}")
    lines.append(f"player {position.player} is to move")
    return "\n".join(lines)


def _sign(position: Position, cell: int) -> str:
    """Return what stands on a cell: a player's number, or a point."""
    return next((str(i + 1) for i in (0, 1) if position.stones[i] >> cell & 1), ".")


@lru_cache(maxsize=8)
def won_by_either(variant: Variant) -> Position | None:
    """Return a position in which both players have a winning move, in columns of their own."""
    for position in _many(variant):
        own, other = winning(position), threats(position)
        if own.bit_count() == other.bit_count() == 1 and own != other:
            return position
    return None
