"""Iterative deepening alpha-beta with a transposition table.

``perfect`` and ``strong`` use it for positions that are not proven.

Each iteration searches one ply deeper than the previous iteration. It first tries the best moves of
the previous iteration, which are in the table. Some positions need no search. If the player to move
has a winning cell, this player wins. If the opponent has two threats, the player to move loses. If
the opponent has one threat, only the move that stops it is searched, and this move costs no depth.

The first move of a node is searched with the whole window. The others are only asked whether they
are better, with a window of one point, and searched again if they are (principal variation search,
J. Pearl, "Scout: A Simple Game-Searching Algorithm With Proven Optimal Properties", 1980).

With ``reduces``, late moves are first searched less deep, and again to the full depth if they seem
better. So the search looks further ahead, but does not find the minimax value of its depth. Wins
and losses that it finds are certain, but there may be a sooner one.
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

REDUCED = ((3, 2), (5, 4))
"""Pairs of a move's index and the depth that is left after the move. For each pair that a move
reaches, it is searched one ply less deep."""


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
        reduces = self.reduces and limits.depth is None
        return _Run(self.evaluator, limits, reduces).deepen(position)


@dataclass
class _Run:
    """The state of one search: its budget and its table."""

    evaluator: Evaluator
    limits: Limits
    reduces: bool
    table: Table = field(default_factory=Table)

    def __post_init__(self) -> None:
        self.budget = Budget(self.limits)

    def deepen(self, position: Position) -> Result:
        moves = urgent_first(position)
        result = Result(moves[0], line=(moves[0],))
        depth, last = 1, self.limits.deepest(position)
        while depth <= last and not result.exact:
            found, complete = self._root(position, depth, moves)
            if found is not None:
                result = found
                moves = [found.cell, *(cell for cell in moves if cell != found.cell)]
            if not complete:
                break
            if result.exact and self.reduces:
                result = replace(result, exact=False)
                self._stop_reducing()
            else:
                depth += 1
        return replace(result, nodes=self.budget.nodes)

    def _stop_reducing(self) -> None:
        """Search all moves to the full depth from now on, and forget what was found before."""
        self.reduces, self.table = False, Table()

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
        child = position.play(cell)
        if child.is_won:
            return won(position.ply + 1)
        if best == -WIN:
            return self._after(child, depth - 1, -WIN, WIN)
        return self._score_if_better(child, 0, depth - 1, best, WIN)

    def _score_if_better(
        self, child: Position, less: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the score of a later move, for the player who makes it: ``child`` is after it.

        If ``less`` is not 0, the move is first searched to ``depth - less``. It is searched to
        ``depth`` only if it seems better than ``alpha``.
        """
        if less:
            score = self._after(child, depth - less, -alpha - 1, -alpha)
            if score <= alpha:
                return score
        score = self._after(child, depth, -alpha - 1, -alpha)
        return self._after(child, depth, -beta, -alpha) if alpha < score < beta else score

    def _after(self, child: Position, depth: int, alpha: int, beta: int) -> int:
        """Return the score of a move that does not win, for the player who makes it.

        ``child`` is the position after the move. ``alpha`` and ``beta`` are from the opponent's
        point of view.
        """
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
            return self._after(position.play(threats.bit_length() - 1), depth, -beta, -alpha)
        if depth <= 0:
            return self.evaluator.evaluate(position, position.player)
        return self._expand(position, depth, alpha, beta)

    def _expand(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Search the moves in the order of ``_ordered``, and store the result in the table."""
        entry = self.table.find(position)
        if entry is not None and entry.answers(depth, alpha, beta):
            return entry.score
        best, best_cell, floor = -WIN, -1, alpha
        for index, cell in enumerate(self._ordered(position, -1 if entry is None else entry.cell)):
            score = self._score_of_child(position.play(cell), index, depth - 1, floor, beta)
            if score > best:
                best, best_cell = score, cell
            floor = max(floor, score)
            if floor >= beta:
                break
        self.table.store(position, depth, best, bound_of(best, alpha, beta), best_cell)
        return best

    def _score_of_child(
        self, child: Position, index: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the score of the move that is tried at ``index``, from 0: ``child`` is after it.

        A move that threatens to win at once is never searched less deep.
        """
        if index == 0:
            return self._after(child, depth, -beta, -alpha)
        less = 0
        if self.reduces and not child.opponent_winning_cells:
            less = sum(index >= late and depth >= far for late, far in REDUCED)
        return self._score_if_better(child, less, depth, alpha, beta)

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
