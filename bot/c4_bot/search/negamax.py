"""Negamax with alpha-beta pruning to a fixed depth, each root move searched by itself.

Source: ``negamax`` and ``parallel-negamax`` of 004_ed209d24a05543cb.txt. Evaluations are always
made for the player who moves at the root. Among equal moves the last one counts (the highest
column), as with Clojure's ``min-key``.

Two things differ from the document. Inner moves are tried centre first; the document shuffles them,
which changes the number of nodes but no score. And a sooner win has a higher score; in the document
all wins are equally infinite, so it may put off a win for ever. Without ``sooner_wins``, this
search does so too.
"""

from dataclasses import dataclass

from c4_protocol.position import Position

from c4_bot.contract import WIN, Budget, Evaluator, Limits, Result, won
from c4_bot.search._roots import search_roots


@dataclass(frozen=True)
class Negamax:
    """The search; native twin in ``bot/native/search/negamax.hpp``."""

    evaluator: Evaluator
    sooner_wins: bool = True

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the best move at ``limits.depth`` plies (``None``: to the end of the game).

        Each root move is searched with the full window, so its score is exact at that depth.
        """
        return search_roots(
            position, limits, self._after_root, preference=1, proves=self.sooner_wins
        )

    def _after_root(self, position: Position, depth: int, budget: Budget) -> int:
        return -self._negamax(position, depth, -WIN, WIN, -1, budget)

    def _negamax(
        self, position: Position, depth: int, alpha: int, beta: int, sign: int, budget: Budget
    ) -> int:
        """Return the score for the player to move; ``sign`` is 1 for the root's player or -1.

        Fail-soft: inside the window it is exact; a value at or below ``alpha`` is an upper bound,
        one at or above ``beta`` a lower bound.
        """
        budget.visit()
        if position.is_won:
            return -won(position.ply if self.sooner_wins else position.variant.cells)
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
