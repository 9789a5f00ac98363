"""Positions after random moves."""

from random import Random

from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant


def random_position(variant: Variant, plies: int, draw: Random) -> tuple[Position, list[int]]:
    """Return a position after at most ``plies`` random moves, and the cells of these moves.

    There are fewer moves if the next one would end the game.
    """
    position, cells = Position(variant), []
    for _ in range(plies):
        cell = draw.choice(position.moves)
        if position.play(cell).is_over:
            break
        position = position.play(cell)
        cells.append(cell)
    return position, cells
