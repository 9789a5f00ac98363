"""The solver of games with the steal.

It asks the solver of the game without the steal. ``c4_bot.player.steal`` explains why a position in
which the steal is possible is worth the absolute value of its score without the steal.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.contract import Limits, first_moves
from c4_bot.solve.score import Bounds, Solution
from c4_bot.solve.solver import HASH_MB, WITHOUT_LIMITS, Solver

if TYPE_CHECKING:
    from c4_bot.book.book_file import Book


class StealSolver(Solver):
    """A solver of positions of a variant with the steal.

    ``book`` holds scores of the game without the steal.
    """

    def __init__(
        self, variant: Variant, hash_mb: int = HASH_MB, book: "Book | None" = None
    ) -> None:
        super().__init__(variant.without_steal, hash_mb, book)

    def solve(
        self, position: Position, limits: Limits = WITHOUT_LIMITS, wanted: Bounds | None = None
    ) -> Solution:
        """Return the score of a game that is not over; see ``Solver.solve``."""
        if position.can_steal:
            return self._solve_with_steal(position.without_steal, limits, wanted)
        if position.steal_is_ahead:
            return self._solve_first_move(position, limits, wanted)
        return super().solve(position.without_steal, limits, wanted)

    def solve_moves(
        self, moves: bytes, limits: Limits = WITHOUT_LIMITS, wanted: Bounds | None = None
    ) -> tuple[Solution, int] | None:
        """Return the score after the moves of a move string; see ``Solver.solve_moves``.

        The core does not know the steal. It refuses ``s``, and is not asked about first moves.
        """
        return super().solve_moves(moves, limits, wanted) if len(moves) > 1 else None

    def move_scores(
        self, position: Position, limits: Limits = WITHOUT_LIMITS, wanted: Bounds | None = None
    ) -> Iterator[tuple[int, Solution]]:
        """Yield each legal move with its score; see ``Solver.move_scores``.

        While the steal is ahead, each move is solved by itself, within limits of its own.
        """
        if not position.steal_is_ahead:
            yield from super().move_scores(position.without_steal, limits, wanted)
            return
        for cell in position.moves:
            yield cell, self.solve_move(position, cell, limits, wanted)

    def _solve_with_steal(
        self, position: Position, limits: Limits, wanted: Bounds | None
    ) -> Solution:
        """Return the absolute value of the score of a position without the steal.

        To compare it with ``wanted``, the score must be known between the negative and the positive
        upper bound.
        """
        most = None if wanted is None else max(1, wanted[1])
        both = None if most is None else (-most, most)
        solution = super().solve(position, limits, both)
        low = max(0, solution.low, -solution.high)
        return Solution(low, max(-solution.low, solution.high), solution.nodes)

    def _solve_first_move(
        self, position: Position, limits: Limits, wanted: Bounds | None
    ) -> Solution:
        """Return the score of the best first move. One of two mirror images is solved.

        No first move is worth more than a draw, because the opponent may steal its stone.
        """
        low, high = wanted or self._all_scores
        best = Solution(-position.variant.cells, -position.variant.cells)
        for cell in first_moves(position):
            left = limits
            if limits.nodes is not None:
                left = limits.capped_at(max(0, limits.nodes - best.nodes))
            solution = self.solve_move(position, cell, left, (max(low, best.low), min(0, high)))
            bounds = max(best.low, solution.low), max(best.high, solution.high)
            best = Solution(*bounds, best.nodes + solution.nodes)
            if best.low >= min(0, high):
                return Solution(best.low, 0, best.nodes)
        return Solution(best.low, min(0, best.high), best.nodes)


def solver_of(variant: Variant, hash_mb: int = HASH_MB, book: "Book | None" = None) -> Solver:
    """Return a solver of a variant. The book, if any, is that of the game without the steal."""
    return (StealSolver if variant.steal else Solver)(variant, hash_mb, book)
