"""Find the length of a line where a driver does not send it.

The course's 2024 driver can play for five in a row or more, but never writes that into a precept
(the line of JSON that holds the state of a game). The user can set it with ``--connect``. If the
user does not, the board shows it later: if the game continues although a player has four in a row,
the goal is a longer line.
"""

from dataclasses import replace

from c4_protocol.messages import Precept
from c4_protocol.notation import check_not_over
from c4_protocol.position import Position, Seat
from c4_protocol.variant import MAX_SIDE


def position_with_goal(
    precept: Precept, default_player: Seat | None = None, connect: int | None = None
) -> Position:
    """Return the position to move in.

    ``default_player`` is the player to move, and ``connect`` the length of a line, where the
    precept does not say them. If a player already has a line of this length, but a cell is still
    free, the goal is the shortest longer line that neither player has. If lines of all lengths up
    to the maximum are complete, the position is one that has been won.

    Raises ``ImpossiblePosition`` for a grid that no game leads to, for a full board, and for a
    finished game whose precept states the length of a line.
    """
    if precept.connect is not None:
        return precept.position(default_player)
    position = precept.shown(default_player, connect)
    if position.is_full:
        check_not_over(position)
    return _longer_game(position) if position.winner else position


def _longer_game(position: Position) -> Position:
    """Return the same stones in the game with the shortest longer line that is not complete."""
    for length in range(position.variant.connect + 1, MAX_SIDE + 1):
        position = replace(position, variant=replace(position.variant, connect=length))
        if not position.winner:
            break
    return position
