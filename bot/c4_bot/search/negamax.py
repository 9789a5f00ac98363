"""Negamax with alpha-beta pruning to a fixed depth, each root move searched by itself.

Source: 004_ed209d24a05543cb.txt (its ``negamax`` and ``parallel-negamax``). The evaluation is
always made for the player who moves at the root, whoever is to move at the leaf. Of equal moves
the last counts (highest column), as Clojure's ``min-key`` has it.

Two choices where the document leaves the program free: inner moves are tried centre first (it
shuffles them, which changes the nodes visited but no score), and a win counts the more the
sooner it comes. The document's infinities are all alike, so that it may put off a win for ever:
it does without ``sooner_wins``.
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
        """The best move at ``limits.depth`` plies (to the end of the game where ``None``).

        Root moves get the full window each, so their scores are exact at that depth.
        """
        return search_roots(
            position, limits, self._after_root, preference=1, proves=self.sooner_wins
        )

    def _after_root(self, position: Position, depth: int, budget: Budget) -> int:
        return -self._negamax(position, depth, -WIN, WIN, -1, budget)

    def _negamax(
        self, position: Position, depth: int, alpha: int, beta: int, sign: int, budget: Budget
    ) -> int:
        """The score for the player to move; ``sign`` is 1 where that is the root's player, else -1.

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
