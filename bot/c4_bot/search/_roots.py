"""What searches to a fixed depth have in common: each root move is searched by itself."""

from collections.abc import Callable
from dataclasses import replace

from c4_protocol.position import Position

from c4_bot.contract import WIN, Budget, Limits, OutOfBudget, Result, Scored, is_exact, urgent_first

Visit = Callable[[Position, int, Budget], int]
"""The score of a position for who has just moved there, searched so many plies deeper."""


def search_roots(
    position: Position, limits: Limits, visit: Visit, *, preference: int, proves: bool
) -> Result:
    """The best move at ``limits.depth`` plies (to the end of the game where ``None``).

    Each move has a budget of its own, so that they can be searched in parallel. Where time or
    nodes are bounded, depths 1, 2, ... are tried in turn and the last complete one counts. Of
    equal moves the highest cell is taken where ``preference`` is 1, the lowest where it is -1.
    Only where ``visit`` ``proves`` what it finds, distance included, are scores exact.
    """
    left = position.variant.cells - position.ply
    last = left if limits.depth is None else max(1, min(limits.depth, left))
    first = urgent_first(position)[0]
    result, nodes = Result(first, line=(first,)), 0
    for depth in range(1 if limits.is_bounded else last, last + 1):
        try:
            result = _root(position, depth, limits, visit, preference, proves)
        except OutOfBudget:
            break
        nodes += result.nodes
        if result.exact:
            break
    return replace(result, nodes=nodes)


def _root(
    position: Position, depth: int, limits: Limits, visit: Visit, preference: int, proves: bool
) -> Result:
    """One depth: the best root move, the scores of all of them, and their nodes."""
    nodes, best, scores = 0, (-WIN, 0), []
    for cell in position.moves:
        budget = Budget(limits)
        score = visit(position.play(cell), depth - 1, budget)
        nodes += budget.nodes
        scores.append(Scored(cell, score, proves and is_exact(score, depth, position)))
        best = max(best, (score, preference * cell))
    score, cell = best[0], preference * best[1]
    exact = proves and is_exact(score, depth, position)
    return Result(cell, score, exact, depth, nodes, (cell,), scores=tuple(scores))
