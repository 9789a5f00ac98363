"""Plain minimax to a fixed depth, without pruning.

Source: the minimax of 000_ccbf42599ea318ee.txt, and that of 001_1294e05e20fb963c.txt, which has the
"null nodes": a full column has no child. Every position up to the depth is visited. Leaves are
evaluated for the player who moves at the root.

The documents do not say how to choose among equal moves. Here the lowest column is chosen, as in a
loop over the columns from the left that remembers the first best move.

Two faults of the documents can be switched on. In the program of 000 a finished game is "best or
worst", and all wins are equal. Without ``sooner_wins`` this search does the same, and may put off a
win for ever. The program of 001 does not test for wins. Without ``ends_at_wins`` this search
continues after a win, and the evaluation counts all fours, including fours that are made after the
win.
"""

from dataclasses import dataclass

from c4_protocol.rules.position import Position

from c4_bot.contract import Budget, Evaluator, Limits, Result, won
from c4_bot.search._roots import search_roots


@dataclass(frozen=True)
class Minimax:
    """Minimax search. The C++ version is ``bot/native/search/minimax.hpp``."""

    evaluator: Evaluator
    sooner_wins: bool = True
    ends_at_wins: bool = True

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the best move of a search to ``limits.depth`` plies; ``None`` sets no limit."""
        proves = self.sooner_wins and self.ends_at_wins
        return search_roots(position, limits, self._after_root, preference=-1, proves=proves)

    def _after_root(self, position: Position, depth: int, budget: Budget) -> int:
        return -self._score_of_position(position, depth, -1, budget)

    def _score_of_position(self, position: Position, depth: int, sign: int, budget: Budget) -> int:
        """Return the score for the player to move.

        ``sign`` is 1 if this is the player who moves at the root, otherwise -1.
        """
        budget.visit()
        if self.ends_at_wins and position.is_won:
            return -won(position.ply if self.sooner_wins else position.variant.cells)
        if self.ends_at_wins and position.is_full:
            return 0
        if depth == 0 or position.is_full:
            root = position.player if sign == 1 else 3 - position.player
            return sign * self.evaluator.evaluate(position, root)
        return max(
            -self._score_of_position(position.play(cell), depth - 1, -sign, budget)
            for cell in position.moves
        )
