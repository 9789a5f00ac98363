"""A simple solver: alpha-beta with a dictionary. It is slow, and solves any variant.

It knows only the rules, so that the fast solver can be checked against it.
"""

from c4_protocol.rules.notation import check_not_over, win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.contract import Budget, Limits, OutOfBudget, urgent_first
from c4_bot.solve.score import Solution


class ReferenceSolver:
    """A solver of positions of any variant that remembers what it found."""

    def __init__(self) -> None:
        self._by_variant: dict[Variant, dict[tuple[int, int], tuple[int, int]]] = {}
        self._known: dict[tuple[int, int], tuple[int, int]] = {}  # of the current variant

    def forget(self) -> None:
        """Forget all positions."""
        self._by_variant.clear()

    def solve(self, position: Position, low: int, high: int, limits: Limits) -> Solution:
        """Return the score of a game that is not over, for the player to move.

        If the score is not between ``low`` and ``high``, the returned bounds show this, but may not
        be equal. If the limits are reached first, the returned bounds are those that are certain
        without a search. Raises ``ImpossiblePosition`` when the game is over.
        """
        check_not_over(position)
        budget = Budget(limits)
        variant = position.variant
        self._known = self._by_variant.setdefault(variant, {})
        widest = -win_score(variant, position.ply + 2), win_score(variant, position.ply + 1)
        alpha, beta = max(low, widest[0]), min(high, widest[1])
        try:
            score = self._score_within(position, alpha, beta, budget)
        except OutOfBudget:
            return Solution(*widest, budget.nodes)
        best = score if score > alpha else widest[0], score if score < beta else widest[1]
        return Solution(*best, budget.nodes)

    def _score_within(self, position: Position, alpha: int, beta: int, budget: Budget) -> int:
        """Return the score for the player to move if it is between alpha and beta.

        Otherwise return a bound. A result of at most alpha is an upper bound of the score. A result
        of at least beta is a lower bound.
        """
        budget.visit()
        if position.is_won:
            return -win_score(position.variant, position.ply)
        if position.is_full:
            return 0
        key = position.own, position.other
        low, high = self._known.get(key, (-position.variant.cells, position.variant.cells))
        alpha, beta = max(alpha, low), min(beta, high)
        if alpha >= beta:
            return alpha if low >= beta else beta
        score = self._best_score(position, alpha, beta, budget)
        self._known[key] = (score if score > alpha else low, score if score < beta else high)
        return score

    def _best_score(self, position: Position, alpha: int, beta: int, budget: Budget) -> int:
        best = -position.variant.cells
        for cell in urgent_first(position):
            score = -self._score_within(position.play(cell), -beta, -max(alpha, best), budget)
            best = max(best, score)
            if best >= beta:
                break
        return best
