"""Iterative deepening alpha-beta with a transposition table.

``perfect`` and ``strong`` look ahead with it where nothing is proven.

One iteration searches a depth completely, the next one a ply more, helped by the moves that the
table remembers. Wins in one are seen without searching, a single threat of the opponent leaves
one move and costs no depth, two of them lose.
"""

from dataclasses import dataclass, field

from c4_protocol.position import Position, completing_cells

from c4_bot.contract import (
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
from c4_bot.search._table import Table, bound_of


@dataclass(frozen=True)
class Deepening:
    """The search; native twin in ``bot/native/search/deepening.hpp``."""

    evaluator: Evaluator

    def search(self, position: Position, limits: Limits) -> Result:
        """The best move of the deepest iteration that chose one within the limits.

        An iteration that is cut short counts if it finished its first move, which is the best of
        the iteration before. Ends early when the score is exact. Of equal moves the first counts.
        """
        return _Run(self.evaluator, limits).deepen(position, limits.depth)


@dataclass
class _Run:
    """One search: its budget, its table, and the best result so far."""

    evaluator: Evaluator
    limits: Limits
    table: Table = field(default_factory=Table)

    def __post_init__(self) -> None:
        self.budget = Budget(self.limits)

    def deepen(self, position: Position, most: int | None) -> Result:
        left = position.variant.cells - position.ply
        moves = urgent_first(position)
        result = Result(moves[0], line=(moves[0],))
        for depth in range(1, (left if most is None else max(1, min(most, left))) + 1):
            found, complete = self._root(position, depth, moves)
            if found is not None:
                result = found
                moves = [found.cell, *(cell for cell in moves if cell != found.cell)]
            if not complete or result.exact:
                break
        return Result(
            result.cell, result.score, result.exact, result.depth, self.budget.nodes, result.line
        )

    def _root(self, position: Position, depth: int, moves: list[int]) -> tuple[Result | None, bool]:
        """One iteration: its best move if it finished one, and whether it finished all."""
        best, best_cell, complete = -WIN, -1, True
        try:
            for cell in moves:
                score = self._root_score(position, cell, depth, best)
                if score > best:
                    best, best_cell = score, cell
                    line = (cell, *self._line(position.play(cell), depth - 1))
        except OutOfBudget:
            complete = False
        if best_cell < 0:
            return None, complete
        exact = complete and is_exact(best, depth, position)
        return Result(best_cell, best, exact, depth, 0, line), complete

    def _root_score(self, position: Position, cell: int, depth: int, best: int) -> int:
        """The score of a root move, of which others have reached ``best``."""
        if position.play(cell).is_won:
            return won(position.ply + 1)
        return self._after(position, cell, depth - 1, -WIN, -best)

    def _after(self, position: Position, cell: int, depth: int, alpha: int, beta: int) -> int:
        """The score of a move that wins nothing; the window is the opponent's."""
        child = position.play(cell)
        return 0 if child.is_full else -self._visit(child, depth, alpha, beta)

    def _visit(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """The score for the player to move, in a game that is not over.

        Fail-soft: inside the window it is exact at this depth; a value at or below ``alpha`` is
        an upper bound, one at or above ``beta`` a lower bound.
        """
        self.budget.visit()
        if position.winning_cells:
            return won(position.ply + 1)
        if threats := position.opponent_winning_cells:
            if threats & (threats - 1):
                return -won(position.ply + 2)
            return self._after(position, threats.bit_length() - 1, depth, -beta, -alpha)
        if depth <= 0:
            return self.evaluator.evaluate(position, position.player)
        return self._expand(position, depth, alpha, beta)

    def _expand(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Tries the moves, the table's first, then those that make the most winning cells."""
        entry = self.table.find(position)
        if entry is not None and entry.answers(depth, alpha, beta):
            return entry.score
        best, best_cell, floor = -WIN, -1, alpha
        for cell in self._ordered(position, -1 if entry is None else entry.cell):
            score = self._after(position, cell, depth - 1, -beta, -floor)
            if score > best:
                best, best_cell = score, cell
            floor = max(floor, score)
            if floor >= beta:
                break
        self.table.store(position, depth, best, bound_of(best, alpha, beta), best_cell)
        return best

    def _ordered(self, position: Position, first: int) -> list[int]:
        """The moves: ``first``, then by how many free cells would complete a line after them."""
        free = position.variant.board & ~position.occupied

        def promise(cell: int) -> int:
            if cell == first:
                return position.variant.cells
            return (completing_cells(position.own | 1 << cell, position.variant) & free).bit_count()

        return sorted(position.moves, key=promise, reverse=True)

    def _line(self, position: Position, most: int) -> list[int]:
        """The moves expected from here, as far as the table remembers them."""
        line: list[int] = []
        while len(line) < most and not position.is_over:
            entry = self.table.find(position)
            if entry is None:
                break
            line.append(entry.cell)
            position = position.play(entry.cell)
        return line
