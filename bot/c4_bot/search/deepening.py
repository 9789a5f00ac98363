"""Iterative deepening alpha-beta with a transposition table.

``perfect`` and ``strong`` use it for positions that are not proven.

Each iteration searches one ply deeper than the previous iteration. It first tries the best moves of
the previous iteration, which are in the table. Some positions need no search. If the player to move
has a winning cell, this player wins. If the opponent has two threats, the player to move loses. If
the opponent has one threat, only the move that stops it is searched, and this move costs no depth.
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
    """Search by iterative deepening. The C++ version is ``bot/native/search/deepening.hpp``."""

    evaluator: Evaluator

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the best move of the deepest iteration that chose one within the limits.

        An iteration that is cut short counts if it finished its first move, which is the best move
        of the previous iteration. The search ends early if the score is exact. Among equal moves,
        the move that was tried first is chosen.
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
        """Return the score of a root move; ``best`` is the best score of the previous moves."""
        if position.play(cell).is_won:
            return won(position.ply + 1)
        return self._after(position, cell, depth - 1, -WIN, -best)

    def _after(self, position: Position, cell: int, depth: int, alpha: int, beta: int) -> int:
        """Return the score of a move that does not win, for the player who makes it.

        ``alpha`` and ``beta`` are from the opponent's point of view.
        """
        child = position.play(cell)
        return 0 if child.is_full else -self._visit(child, depth, alpha, beta)

    def _visit(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Return the score for the player to move, in a game that is not over.

        ``alpha`` and ``beta`` are from this player's point of view. Fail-soft: a score between them
        is exact at this depth, a score of at most ``alpha`` is an upper bound, and a score of at
        least ``beta`` is a lower bound.
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
        """Return the legal moves in the order in which to try them: ``first``, then the others.

        The others are sorted by the number of free cells on which the player could complete a line
        after the move. The largest number comes first. Raises ``OutOfBudget`` if the time is over.
        """
        variant, own = position.variant, position.own
        free = variant.board & ~position.occupied

        def promise(cell: int) -> int:
            self.budget.check_clock()
            if cell == first:
                return variant.cells
            return (completing_cells(own | 1 << cell, variant) & free).bit_count()

        return sorted(position.moves, key=promise, reverse=True)
