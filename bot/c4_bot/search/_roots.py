"""The root of searches to a fixed depth: each root move is searched separately."""

from collections.abc import Callable

from c4_protocol.rules.position import Position

from c4_bot.contract import WIN, Budget, Limits, OutOfBudget, Result, Scored, is_exact, urgent_first

VisitFunction = Callable[[Position, int, Budget], int]
"""Function that searches a position some plies deeper and returns its score for the player who just
moved."""


def search_roots(
    position: Position, limits: Limits, visit: VisitFunction, *, preference: int, proves: bool
) -> Result:
    """Return the best move of a search to ``limits.depth`` plies; ``None`` sets no limit.

    If time or nodes are limited, the search goes 1, 2, ... plies deep, and the last complete search
    counts. Among equal moves the highest cell is chosen if ``preference`` is 1, the lowest if it is
    -1. ``proves`` is true if ``visit`` finds the nearest end of a game. If it is false, no score is
    marked as exact.
    """
    last = limits.max_depth(position)
    first = urgent_first(position)[0]
    result, budget = Result(first, line=(first,)), Budget(limits)
    for depth in range(1 if limits.is_bounded else last, last + 1):
        best, scores = (-WIN, 0), []
        try:
            for cell in position.moves:
                score = visit(position.play(cell), depth - 1, budget)
                scores.append(Scored(cell, score, proves and is_exact(score, depth, position)))
                best = max(best, (score, preference * cell))
        except OutOfBudget:
            break
        score, cell = best[0], preference * best[1]
        exact = proves and is_exact(score, depth, position)
        result = Result(cell, score, exact, depth, budget.nodes, (cell,), scores=tuple(scores))
        if exact:
            break
    return result
