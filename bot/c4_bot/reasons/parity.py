"""Games that the parity of free cells decides: who has to play below a threat in the end.

L. V. Allis, "A Knowledge-based Approach of Connect-Four" (1988), chapter 3, calls this zugzwang. A
player who answers every move directly above it gets the *upper* cells: those with an even number of
cells above them, on 7x6 the cells of the even rows. The rules here are those of
``bot/native/solver/follow_up.hpp``, which says why they hold. They are for quiet positions: no
player can complete a line with the next move. The *follower* is the player who is not to move.
"""

from c4_protocol.rules.position import Position, completing_cells, has_line
from c4_protocol.rules.variant import Variant, cells_of

from c4_bot.evaluate.zugzwang import lowest_cells_of_columns


def decisive_threats(position: Position) -> int:
    """Return the threats of the follower below which the opponent has to play in the end.

    The result is a bitboard with the lowest such cell of each column. It is 0 if these rules do not
    prove that the follower wins.
    """
    variant, occupied = position.variant, position.occupied
    if not variant.gravity or not is_quiet(position):
        return 0
    free = variant.board & ~occupied
    later = free & ~position.playable
    wins = completing_cells(position.other, variant) & later
    upper = upper_cells(variant)
    if (variant.cells - position.ply) % 2 == 0:
        traps = lowest_cells_of_columns(wins & upper, variant)
        return traps if traps and _holds(position, later & upper, traps) else 0
    for trap in cells_of(lowest_cells_of_columns(wins & ~upper, variant)):
        column = variant.columns[variant.column_of(trap)]
        below = column & ((1 << trap) - 1)
        sure = (later & ((upper & ~column) | (below & ~upper))) | 1 << trap
        traps = lowest_cells_of_columns((wins & sure) | 1 << trap, variant)
        if _holds(position, sure, traps):
            return traps
    return 0


def answers_above_hold(position: Position) -> bool:
    """Return whether the opponent completes no line if the follower answers above each move.

    All columns have an even number of free cells, so the follower always has this answer.
    """
    variant, occupied = position.variant, position.occupied
    upper = upper_cells(variant)
    if not variant.gravity or not is_quiet(position) or position.playable & upper:
        return False
    return _holds(position, variant.board & ~occupied & upper, 0)


def is_quiet(position: Position) -> bool:
    """Return whether no player could complete a line with the next move."""
    return not (position.winning_cells or position.opponent_winning_cells)


def upper_cells(variant: Variant) -> int:
    """Return the cells with an even number of cells above them, as a bitboard."""
    return sum(variant.bottom << row for row in range(variant.height - 1, -1, -2))


def _holds(position: Position, sure: int, traps: int) -> bool:
    """Return whether the opponent completes no line if the follower gets the ``sure`` cells.

    The game ends when the follower reaches one of ``traps``, so no cell above them is filled.
    """
    variant = position.variant
    ended = sum(
        variant.columns[variant.column_of(trap)] & ~((1 << trap) - 1) for trap in cells_of(traps)
    )
    free = variant.board & ~position.occupied
    return not has_line(position.own | (free & ~sure & ~(ended << 1)), variant)
