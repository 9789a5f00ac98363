"""Iterative deepening that orders moves by the threats that they make.

``perfect`` and ``strong`` use it for positions that are not proven. The loop is that of
``c4_bot.search._iterations``. Each iteration first tries the best moves of the previous iteration,
which are in the table.
"""

from dataclasses import dataclass

from c4_protocol.rules.position import Position, completing_cells

from c4_bot.contract import Evaluator, Limits, Result, urgent_first
from c4_bot.search._iterations import Iterations


@dataclass(frozen=True)
class Deepening:
    """Search by iterative deepening. The C++ version is ``bot/native/search/deepening.hpp``.

    With ``reduces``, late moves are searched less deep if the limits contain no depth.
    """

    evaluator: Evaluator
    reduces: bool = False

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the best move of the deepest iteration that chose one within the limits.

        An iteration that is cut short counts if it finished its first move, which is the best move
        of the previous iteration. The search ends early if the score is exact. Among equal moves,
        the move that was tried first is chosen.
        """
        return DeepeningRun(self.evaluator, limits, reduces=self.reduces).deepen(
            position, urgent_first(position)
        )


class DeepeningRun(Iterations):
    """The state of one search by ``Deepening``, or by a search that inherits from it."""

    reductions = ((3, 2), (5, 4))

    def __init__(self, evaluator: Evaluator, limits: Limits, *, reduces: bool) -> None:
        super().__init__(limits, reduces=reduces)
        self.evaluator = evaluator

    def _evaluate(self, position: Position) -> int:
        return self.evaluator.evaluate(position, position.player)

    def _ordered(
        self, position: Position, cells: int, first: int, last: int, depth: int
    ) -> list[int]:
        """Return the legal moves in the order in which to try them: ``first``, then the others.

        The others are sorted by the number of free cells on which the player could complete a line
        after the move. The largest number comes first.
        """
        variant, own = position.variant, position.own
        free = variant.board & ~position.occupied

        def promise(cell: int) -> int:
            self.budget.check_clock()
            if cell == first:
                return variant.cells
            return (completing_cells(own | 1 << cell, variant) & free).bit_count()

        return sorted(position.moves, key=promise, reverse=True)
