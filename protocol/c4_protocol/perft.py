"""Counts positions: the same number from two programs means that they know the same rules."""

from dataclasses import dataclass

from c4_protocol.position import Position


@dataclass(frozen=True, slots=True)
class Perft:
    """The question how many positions there are within ``depth`` plies of one."""

    position: Position
    depth: int


def perft(position: Position, depth: int) -> int:
    """The nodes of the tree of all games from a position, itself included, to so many plies.

    A position that the player who moved last has won has no moves. Published values for the empty
    7x6 board: 8, 57, 400, 2801, 19608, 137257, 960793, 6634027 at depths 1 to 8 (the assignment
    behind seed document 001_1294e05e20fb963c.txt).
    """
    if depth <= 0 or position.is_won:
        return 1
    return 1 + sum(perft(position.play(cell), depth - 1) for cell in position.moves)
