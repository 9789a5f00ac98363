"""The share of the limits that the solver gets, from what it can prove within them.

Far from the end of a game, the solver cannot find out who wins in time. Then all time is for the
deepening search. The number of nodes that a proof takes depends mainly on the number of free cells,
and hardly on the size of the board. These are medians in games of the deepening search, of 10
positions each, where the solver was asked who wins:

    free cells      20       25       30       34       38
    7x6             33      339    2,494   94,978
    8x7             33      424    6,551   20,877   83,026
    10x8, five       6      452   11,142   98,931
"""

import math
import time

from c4_protocol.rules.position import Position

from c4_bot.contract import Limits

NODES_PER_SECOND = 2_000_000
"""Nodes that a thread of the solver visits in a second, roughly."""
MAX_RATIO = 16
"""The solver gets its whole share if a proof is expected to take at most this many times the nodes
that it can visit. Many positions are much easier than the median."""
MIN_HOPE = 0.05
"""Minimum fraction of its share that the solver gets. Below this it gets nothing."""


def hope_of_proof(position: Position, limits: Limits) -> float:
    """Return the fraction of its share that the solver gets, 0 to 1."""
    hope = MAX_RATIO * nodes_within(limits) / expected_nodes(position)
    return 0 if hope < MIN_HOPE else min(1, hope)


def nodes_within(limits: Limits) -> float:
    """Return how many nodes the solver can visit within the limits; infinity if it has no limit."""
    max_nodes = math.inf if limits.nodes is None else limits.nodes
    if limits.deadline is None:
        return max_nodes
    seconds = max(0, limits.deadline - time.monotonic())
    return min(max_nodes, seconds * NODES_PER_SECOND * limits.threads)


def expected_nodes(position: Position) -> float:
    """Return how many nodes a proof of who wins takes, roughly."""
    free = position.variant.cells - position.ply
    return 2 ** min(0.72 * (free - 12), 1000)
