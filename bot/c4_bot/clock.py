"""How long to think: from what the referee and the user allow, a moment to stop at."""

from c4_protocol.messages import Clock, Precept
from c4_protocol.position import Position

RESERVE_MS = 10.0
RESERVE_SHARE = 0.1
"""Kept back from every budget for writing the answer and for the machine to do other things first:
with four busy processes to a core, one that wants to run waits up to 10 ms, and may have to wait
again."""
MOVES_AHEAD = 20
"""A game clock is shared out over at most so many of the player's own moves to come."""


def deadline(
    precept: Precept, position: Position, arrived: float, user_ms: float | None
) -> float | None:
    """When the answer must be there, in seconds of ``time.monotonic()``; ``None`` for no limit.

    ``arrived`` is when the precept did; ``user_ms`` is the user's limit for a move. The tightest of
    all that is said holds.
    """
    budgets = [user_ms, precept.time_ms]
    if precept.clock is not None:
        budgets.append(_share(precept.clock, position))
    given = [budget for budget in budgets if budget is not None]
    if not given:
        return None
    budget = min(given)
    return arrived + max(0.0, budget - RESERVE_MS - RESERVE_SHARE * budget) / 1000


def _share(clock: Clock, position: Position) -> float:
    """The milliseconds of a game clock that one move may use."""
    own_moves = max(1, (position.variant.cells - position.ply + 1) // 2)
    share = clock.remaining_ms / min(own_moves, MOVES_AHEAD) + clock.increment_ms
    return min(share, clock.remaining_ms)
