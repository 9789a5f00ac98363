"""Plain minimax to a fixed depth, without pruning.

Source: 000_ccbf42599ea318ee.txt (its minimax) and 001_1294e05e20fb963c.txt (likewise, from which
come the "null nodes": a full column has no child). Every position up to the depth is visited, and
the leaves are judged for the player who moves at the root.

Where the documents are silent: of equal moves the first counts (lowest column), as it does in a
loop over columns from the left that keeps what is better than the best so far.

Two faults are kept for those who want to see them. To the program of 000 a finished game is "best
or worst", one win like another: without ``sooner_wins`` it puts off a win that it has, as long as
it likes. The program of 001 does not test for wins, it goes on below them and leaves it to the
evaluation to count fours, its own and those that come after the end: without ``ends_at_wins``.
"""

from dataclasses import dataclass

from c4_protocol.position import Position

from c4_bot.contract import Budget, Evaluator, Limits, Result, won
from c4_bot.search._roots import search_roots


@dataclass(frozen=True)
class Minimax:
    """The search; native twin in ``bot/native/search/minimax.hpp``."""

    evaluator: Evaluator
    sooner_wins: bool = True
    ends_at_wins: bool = True

    def search(self, position: Position, limits: Limits) -> Result:
        """The best move at ``limits.depth`` plies (to the end of the game where ``None``)."""
        proves = self.sooner_wins and self.ends_at_wins
        return search_roots(position, limits, self._after_root, preference=-1, proves=proves)

    def _after_root(self, position: Position, depth: int, budget: Budget) -> int:
        return -self._visit(position, depth, -1, budget)

    def _visit(self, position: Position, depth: int, sign: int, budget: Budget) -> int:
        """The score for the player to move; ``sign`` is 1 for the root's player, else -1."""
        budget.visit()
        if self.ends_at_wins and position.is_won:
            return -won(position.ply if self.sooner_wins else position.variant.cells)
        if self.ends_at_wins and position.is_full:
            return 0
        if depth == 0 or position.is_full:
            root = position.player if sign == 1 else 3 - position.player
            return sign * self.evaluator.evaluate(position, root)
        return max(
            -self._visit(position.play(cell), depth - 1, -sign, budget) for cell in position.moves
        )
