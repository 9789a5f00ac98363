"""Exact scores of moves on 7x6, from the solver and the opening book."""

from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD

from c4_bot.book import default_book
from c4_bot.solve.solver import HASH_MB, Solver


class ExactScores:
    """A function from a position of 7x6, in which the game is not over, to the scores of its moves.

    The result maps cells to scores, as ``c4_bot.reasons`` needs them. Without the native core it is
    empty, because the solver in Python takes too long.
    """

    def __init__(self) -> None:
        self._solver = Solver(STANDARD, HASH_MB, default_book())

    def __call__(self, position: Position) -> dict[int, int]:
        """Return the scores of all moves by cell."""
        if not self._solver.is_native:
            return {}
        return {cell: found.low for cell, found in self._solver.move_scores(position)}
