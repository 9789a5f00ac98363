"""Moves that lead from one position to another, if only the two positions are known."""

from c4_protocol.program.errors import ImpossiblePosition
from c4_protocol.rules.position import Position, Seat, other_seat, seat_at
from c4_protocol.rules.variant import STEAL, cells_of

MAX_POSITIONS = 20_000
"""Maximum number of positions that are tried to find moves between two positions."""


class Route:
    """Moves from the empty board of the standard game to the position of the last question.

    A referee gives a dialect positions, but some dialects send moves. ``cells`` are the moves. They
    begin with the moves of the previous question if possible. Player 1 makes the first of them: if
    player 2 opened the game, the players are exchanged in ``position``.
    """

    def __init__(self) -> None:
        self.position = Position()
        self.cells: list[int] = []

    def extend_to(self, goal: Position) -> None:
        """Add the moves that lead to ``goal``. If there are none, start from the empty board.

        Raises ``ImpossiblePosition`` if no moves lead there.
        """
        if goal.player != seat_at(goal.ply):
            goal = Position(goal.variant, goal.stones[::-1], other_seat(goal.player))
        added = moves_between(self.position, goal.stones, goal.player)
        if added is None:
            self.position, self.cells = Position(goal.variant), []
            added = moves_between(self.position, goal.stones, goal.player)
        if added is None:
            raise ImpossiblePosition("no moves lead to the position")
        self.cells, self.position = self.cells + added, goal


def moves_between(
    start: Position, stones: tuple[int, int], player: Seat | None = None
) -> list[int] | None:
    """Return legal moves from a position to a board with these stones, as cells.

    If the same stones can be played in several orders, the result is one of them, which leaves
    ``player`` to move. Returns ``None`` if none is found among ``MAX_POSITIONS`` positions.
    """
    waiting: list[tuple[Position, tuple[int, ...]]] = [(start, ())]
    visited = set[Position]()  # after a steal, the same stones can be another player's turn
    while waiting and len(visited) < MAX_POSITIONS:
        position, cells = waiting.pop()
        if position.stones == stones and player in {None, position.player}:
            return [*cells]
        if position in visited or not _stones_can_become(position, stones) or position.is_over:
            continue
        visited.add(position)
        wanted = stones[position.player - 1]
        if position.steal_is_ahead:
            wanted |= stones[1]
        moves = [*cells_of(position.playable & wanted), *([STEAL] if position.can_steal else [])]
        waiting += [(position.play(cell), (*cells, cell)) for cell in reversed(moves)]
    return None


def _stones_can_become(position: Position, stones: tuple[int, int]) -> bool:
    """Return whether no stone is on a wrong cell, except one that can be stolen."""
    first, second = (own & ~wanted for own, wanted in zip(position.stones, stones, strict=True))
    return not second and (not first or position.can_steal)
