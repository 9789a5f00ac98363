"""Iterative deepening alpha-beta with a transposition table.

``perfect`` and ``strong`` use it for positions that are not proven.

Each iteration searches one ply deeper than the iteration before, and first tries the best moves of
that iteration, which are in the table. Three cases need no search: a player with a winning cell
wins, a player against two threats loses, and against one threat there is only one move, which costs
no depth.
"""

from dataclasses import dataclass, field, replace

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
        """Return the best move of the deepest iteration that chose one within the limits.

        An iteration that is cut short counts if it finished its first move, which is the best one
        of the iteration before. The search ends early if the score is exact. Among equal moves the
        first one counts.
        """
        return _Run(self.evaluator, limits).deepen(position)


@dataclass
class _Run:
    """The state of one search: its budget and its table."""

    evaluator: Evaluator
    limits: Limits
    table: Table = field(default_factory=Table)

    def __post_init__(self) -> None:
        self.budget = Budget(self.limits)

    def deepen(self, position: Position) -> Result:
        moves = urgent_first(position)
        result = Result(moves[0], line=(moves[0],))
        for depth in range(1, self.limits.deepest(position) + 1):
            found, complete = self._root(position, depth, moves)
            if found is not None:
                result = found
                moves = [found.cell, *(cell for cell in moves if cell != found.cell)]
            if not complete or result.exact:
                break
        return replace(result, nodes=self.budget.nodes)

    def _root(self, position: Position, depth: int, moves: list[int]) -> tuple[Result | None, bool]:
        """Run one iteration; return its best finished move, and whether it finished all moves."""
        found, best, complete = None, -WIN, True
        try:
            for cell in moves:
                score = self._root_score(position, cell, depth, best)
                if score > best:
                    line = (cell, *self.table.line(position.play(cell), depth - 1))
                    found, best = Result(cell, score, depth=depth, line=line), score
        except OutOfBudget:
            complete = False
        if found is not None and complete:
            found = replace(found, exact=is_exact(best, depth, position))
        return found, complete

    def _root_score(self, position: Position, cell: int, depth: int, best: int) -> int:
        """Return the score of a root move; ``best`` is the best score of the moves before."""
        if position.play(cell).is_won:
            return won(position.ply + 1)
        return self._after(position, cell, depth - 1, -WIN, -best)

    def _after(self, position: Position, cell: int, depth: int, alpha: int, beta: int) -> int:
        """Return the score of a move that does not win; the window is the opponent's."""
        child = position.play(cell)
        return 0 if child.is_full else -self._visit(child, depth, alpha, beta)

    def _visit(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Return the score for the player to move, in a game that is not over.

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
        """Search the moves in the order of ``_ordered``, and store the result in the table."""
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
        """Return ``first``, then the moves after which the most free cells win, most first."""
        free = position.variant.board & ~position.occupied

        def promise(cell: int) -> int:
            if cell == first:
                return position.variant.cells
            return (completing_cells(position.own | 1 << cell, position.variant) & free).bit_count()

        return sorted(position.moves, key=promise, reverse=True)
