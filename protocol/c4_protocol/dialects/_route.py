"""Moves that lead to the position of a question, for dialects that send moves instead of a board.

A referee gives a dialect positions. The moves between two positions are found from the stones. If
there are several orders of moves, one of them is found.
"""

from c4_protocol.errors import ImpossiblePosition
from c4_protocol.position import Position
from c4_protocol.variant import cells_of


class Route:
    """Moves from the empty board of the standard game to the position of the last question.

    ``cells`` are the moves. They begin with the moves of the previous question if possible.
    """

    def __init__(self) -> None:
        self.position = Position()
        self.cells: list[int] = []

    def extend_to(self, goal: Position) -> None:
        """Add the moves that lead to ``goal``. If there are none, start from the empty board.

        The game must not be over at ``goal``. Raises ``ImpossiblePosition`` if no moves lead there.
        """
        added = cells_between(self.position, goal)
        if added is not None:
            cells = self.cells + added
        elif (whole := cells_between(Position(goal.variant), goal)) is not None:
            cells = whole
        else:
            raise ImpossiblePosition("no moves lead to the position")
        self.cells, self.position = cells, goal


def cells_between(start: Position, goal: Position) -> list[int] | None:
    """Return the cells of moves from ``start`` to ``goal``; ``None`` if no moves lead there.

    The game must not be over at ``goal``. Then it is not over at an earlier position either.
    """
    is_same_player = start.player == goal.player
    if is_same_player != ((goal.ply - start.ply) % 2 == 0):
        return None
    if any(stones & ~later for stones, later in zip(start.stones, goal.stones, strict=True)):
        return None
    hopeless = set()

    def search(position: Position) -> list[int] | None:
        if position.stones == goal.stones:
            return []
        mine = goal.stones[position.player - 1]
        for cell in cells_of(position.playable & mine):
            following = position.play(cell)
            if following.stones not in hopeless and (rest := search(following)) is not None:
                return [cell, *rest]
        hopeless.add(position.stones)
        return None

    return search(start)
