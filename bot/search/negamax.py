"""Negamax with alpha-beta pruning to a fixed depth, each root move searched by itself.

Source: 004_ed209d24a05543cb.txt (its ``negamax`` and ``parallel-negamax``). The evaluation is
always made for the player who moves at the root, whoever is to move at the leaf.

Two choices where the document leaves the program free: inner moves are tried centre first (it
shuffles them, which changes the nodes visited but no score), and a win counts the more the
sooner it comes (the document's infinities are all alike, so it may put off a win for ever).
"""

from dataclasses import dataclass

from bot.contract import (
    WIN,
    Budget,
    Evaluator,
    Limits,
    OutOfBudget,
    Result,
    is_exact,
    urgent_first,
    won,
)
from protocol.position import Position


@dataclass(frozen=True)
class Negamax:
    """The search; native twin in ``bot/_native/search/negamax.hpp``."""

    evaluator: Evaluator

    def search(self, position: Position, limits: Limits) -> Result:
        """The best move at ``limits.depth`` plies (to the end of the game where ``None``).

        Root moves get the full window each, so their scores are exact at that depth and can be
        found in parallel. Of equal moves the last counts (highest column), as Clojure's
        ``min-key`` has it. Where time or nodes are bounded, depths 1, 2, ... are tried in turn
        and the last complete one counts; ``nodes`` bounds each root move of each depth.
        """
        left = position.variant.cells - position.ply
        last = left if limits.depth is None else max(1, min(limits.depth, left))
        first = urgent_first(position)[0]
        result = Result(first, line=(first,))
        nodes = 0
        for depth in range(1 if limits.is_bounded else last, last + 1):
            try:
                found = self._root(position, depth, limits)
            except OutOfBudget:
                break
            nodes += found.nodes
            result = found
            if found.exact:
                break
        return Result(result.cell, result.score, result.exact, result.depth, nodes, result.line)

    def _root(self, position: Position, depth: int, limits: Limits) -> Result:
        """One depth: the best root move, and the nodes of all of them."""
        nodes, best = 0, (-WIN, -1)
        for cell in position.moves:
            budget = Budget(limits)
            score = -self._negamax(position.play(cell), depth - 1, -WIN, WIN, -1, budget)
            nodes += budget.nodes
            best = max(best, (score, cell))
        score, cell = best
        return Result(cell, score, is_exact(score, depth, position), depth, nodes, (cell,))

    def _negamax(
        self, position: Position, depth: int, alpha: int, beta: int, sign: int, budget: Budget
    ) -> int:
        """The score for the player to move; ``sign`` is 1 where that is the root's player, else -1.

        Fail-soft: inside the window it is exact; a value at or below ``alpha`` is an upper bound,
        one at or above ``beta`` a lower bound.
        """
        budget.visit()
        if position.is_won:
            return -won(position.ply)
        if position.is_full:
            return 0
        if depth == 0:
            root = position.player if sign == 1 else 3 - position.player
            return sign * self.evaluator.evaluate(position, root)
        best = -WIN
        for cell in position.moves:
            score = -self._negamax(position.play(cell), depth - 1, -beta, -alpha, -sign, budget)
            best = max(best, score)
            alpha = max(alpha, score)
            if alpha >= beta:
                break
        return best
