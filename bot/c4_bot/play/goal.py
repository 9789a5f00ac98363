"""The length of a line in games whose driver does not send it.

The course's 2024 driver can play for five in a row or more, but never writes this length into a
precept (the line of JSON that holds the state of a game). The user can set the length with
``--connect``. If the user does not, the board shows later that the length is not four: the game
continues although a player has four in a row.
"""

from dataclasses import replace

from c4_protocol.records.messages import Precept
from c4_protocol.rules.notation import check_not_over
from c4_protocol.rules.position import Position, Seat
from c4_protocol.rules.variant import MAX_SIDE


def position_with_goal(
    precept: Precept, default_player: Seat | None = None, connect: int | None = None
) -> Position:
    """Return the position of a precept, with the length of a line that the game must have.

    ``default_player`` is the player to move if neither the precept nor the numbers of stones say
    who is to move. ``connect`` is the length of a line if the precept does not contain it. If a
    player already has a line of this length, but a cell is still free, the returned position has
    the shortest longer length for which no player has a line. If a player has a line of the maximum
    length, the returned position is won.

    Raises ``ImpossiblePosition`` for a position that breaks the rules, for a full board, and for a
    finished game whose precept contains the length of a line.
    """
    if precept.connect is not None:
        return precept.position(default_player)
    position = precept.shown(default_player, connect)
    if position.is_full:
        check_not_over(position)
    length = position.variant.connect
    while position.winner and length < MAX_SIDE:
        length += 1
        position = replace(position, variant=replace(position.variant, connect=length))
    return position
