"""The time at which an answer has to be ready, from the limits of the referee and the user."""

from c4_protocol.messages import Clock, Precept
from c4_protocol.position import Position

RESERVE_MS = 10.0
RESERVE_SHARE = 0.1
"""Parts of every budget that are not used: ``RESERVE_MS`` milliseconds, and the fraction
``RESERVE_SHARE`` of the budget. This time is for writing the answer and for delays by other
processes. With four busy processes on each core, a process waits up to 10 ms before it runs, and
may have to wait more than once."""
MOVES_AHEAD = 20
"""Maximum number of moves among which the remaining time of a game clock is divided."""


def deadline(
    precept: Precept, position: Position, arrived: float, user_ms: float | None
) -> float | None:
    """Return the time at which the answer has to be ready; ``None`` if there is no limit.

    ``arrived`` is the time at which the precept arrived. Both times are in seconds of
    ``time.monotonic()``. ``user_ms`` is the user's limit for a move, in milliseconds. The shortest
    limit applies.
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
    """Return the milliseconds of a game clock that one move may use."""
    own_moves = max(1, (position.variant.cells - position.ply + 1) // 2)
    share = clock.remaining_ms / min(own_moves, MOVES_AHEAD) + clock.increment_ms
    return min(share, clock.remaining_ms)
