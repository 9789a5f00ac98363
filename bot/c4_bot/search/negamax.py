"""Negamax with alpha-beta pruning to a fixed depth. Each root move is searched separately.

Source: ``negamax`` and ``parallel-negamax`` of 004_ed209d24a05543cb.txt. Leaves are evaluated for
the player who moves at the root. Among equal moves the last one (the highest column) is chosen, as
by Clojure's ``min-key``.

Two things differ from the document. After the root, moves near the centre are tried first. The
document shuffles them, which changes the number of nodes but no score. And a sooner win has a
higher score. In the document all wins are equally infinite, so its program may put off a win for
ever. Without ``sooner_wins``, this search may do so, too.
"""

from dataclasses import dataclass

from c4_protocol.rules.position import Position

from c4_bot.contract import WIN, Budget, Evaluator, Limits, Result, won
from c4_bot.search._roots import search_roots


@dataclass(frozen=True)
class Negamax:
    """Negamax search. The C++ version is ``bot/native/search/negamax.hpp``."""

    evaluator: Evaluator
    sooner_wins: bool = True

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the best move of a search to ``limits.depth`` plies; ``None`` sets no limit.

        Each root move is searched with the full window, so its score is exact at that depth.
        """
        return search_roots(
            position, limits, self._after_root, preference=1, proves=self.sooner_wins
        )

    def _after_root(self, position: Position, depth: int, budget: Budget) -> int:
        return -self._score_of_position(position, depth, -WIN, WIN, -1, budget)

    def _score_of_position(
        self, position: Position, depth: int, alpha: int, beta: int, sign: int, budget: Budget
    ) -> int:
        """Return the score for the player to move.

        ``sign`` is 1 if this is the player who moves at the root, otherwise -1. ``alpha`` and
        ``beta`` are from the point of view of the player to move. Fail-soft: a score between them
        is exact at this depth, a score of at most ``alpha`` is an upper bound, and a score of at
        least ``beta`` is a lower bound.
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
            score = -self._score_of_position(
                position.play(cell), depth - 1, -beta, -alpha, -sign, budget
            )
            best = max(best, score)
            alpha = max(alpha, score)
            if alpha >= beta:
                break
        return best
