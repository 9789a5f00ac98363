"""Iterative deepening alpha-beta with a transposition table: what several searches share.

Each iteration searches one ply deeper than the previous iteration. Some positions need no search.
If the player to move has a winning cell, this player wins. If the opponent has two threats, the
player to move loses. If the opponent has one threat, only the move that stops it is searched, and
this move costs no depth.

The first move of a node is searched with the whole window. The others are only asked whether they
are better, with a window of one point, and searched again if they are (principal variation search,
J. Pearl, "Scout: A Simple Game-Searching Algorithm With Proven Optimal Properties", 1980).

With ``reduces``, late moves are first searched less deep, and again to the full depth if they seem
better. So the search looks further ahead, but does not find the minimax value of its depth. Wins
and losses that it finds are certain, but there may be a sooner one.

Windows are from the point of view of the player to move. Searches are fail-soft: a score between
``alpha`` and ``beta`` is exact at this depth, a score of at most ``alpha`` is an upper bound, and a
score of at least ``beta`` is a lower bound.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from c4_protocol.rules.position import Position

from c4_bot.contract import WIN, Budget, Limits, OutOfBudget, Result, is_exact, won
from c4_bot.search._table import Table, kind_of_bound


class Iterations(ABC):
    """The state of one search. The C++ version is ``bot/native/search/iterations.hpp``.

    A subclass evaluates leaves and orders moves. Late moves are searched less deep if ``reduces``
    is true and the limits contain no depth.
    """

    reductions: ClassVar[tuple[tuple[int, int], ...]]
    """Pairs of a move's index and the depth that is left after the move. For each pair that a move
    reaches, it is searched one ply less deep."""
    sees_threats = True
    """False if wins are not scored as wins, so that subclasses also search and evaluate games that
    are over."""
    transpositions = True
    """True if the score of a stored position replaces a search of this position."""

    def __init__(self, limits: Limits, *, reduces: bool) -> None:
        self.limits = limits
        self.budget = Budget(limits)
        self.table = Table()
        self.reduces = reduces and limits.depth is None

    @abstractmethod
    def _evaluate(self, position: Position) -> int:
        """Return the score of a leaf for the player to move."""

    @abstractmethod
    def _ordered(
        self, position: Position, cells: int, first: int, last: int, depth: int
    ) -> list[int]:
        """Return the moves among ``cells`` in the order in which to try them.

        The cell ``first`` comes first; it is -1 if no move is expected to be the best. ``last`` is
        the latest stone, as a bitboard. Raises ``OutOfBudget`` if the time is over.
        """

    def _winning_cells(self, position: Position) -> int:
        """Return the cells on which the player to move is seen to complete a line now."""
        return position.winning_cells

    def _opponent_winning_cells(self, position: Position) -> int:
        """Return the cells on which the opponent is seen to complete a line now."""
        return position.opponent_winning_cells

    def _ordered_at_root(
        self, _position: Position, moves: list[int], _depth: int, _previous: Result
    ) -> Iterable[int]:
        """Return the order of the moves at the root: the best moves of earlier iterations first."""
        return moves

    def _result_when_cut_short(self, best: Result, _cell: int, _previous: Result) -> Result | None:
        """Return the result of an iteration that was cut short at ``_cell``; ``None`` if none."""
        return best

    def _cells_to_try(self, position: Position) -> tuple[int, int]:
        """Return the cells to try, and an upper bound of the score of all other moves."""
        return position.playable, -WIN

    def _foreseen_win(self, _position: Position, _depth: int, _beta: int) -> int:
        """Return the score of a win that is seen without a search of all moves; 0 for none."""
        return 0

    @property
    def _searches_with_null_window(self) -> bool:
        """True if later moves are first searched with a window of one point."""
        return True

    def deepen(self, position: Position, moves: list[int]) -> Result:
        """Return the best of ``moves``, which are sorted: the first is played without a search.

        The search ends when the score is exact. If this was found while late moves were searched
        less deep, all that was found is forgotten, and all moves are searched to the full depth.
        """
        result = Result(moves[0], line=(moves[0],))
        depth, last = 1, self.limits.max_depth(position)
        while depth <= last and not result.exact:
            deeper, complete = self._search_root(position, moves, depth, result)
            if deeper is not None:
                result = deeper
                moves = [deeper.cell, *(cell for cell in moves if cell != deeper.cell)]
            if not complete:
                break
            if result.exact and self.reduces:
                result = replace(result, exact=False)
                self.reduces, self.table = False, Table()
            else:
                depth += 1
        return replace(result, nodes=self.budget.nodes)

    def _search_root(
        self, position: Position, moves: list[int], depth: int, previous: Result
    ) -> tuple[Result | None, bool]:
        """Run one iteration; return its best finished move, and whether it finished all moves.

        ``previous`` is the result of the previous iteration.
        """
        result, best, complete = None, -WIN, True
        try:
            for cell in self._ordered_at_root(position, moves, depth, previous):
                score = self._root_score(position, cell, depth, best)
                if score > best:
                    line = (cell, *self.table.line(position.play(cell), depth - 1))
                    result, best = Result(cell, score, depth=depth, line=line), score
        except OutOfBudget:
            complete = False
            if result is not None:
                result = self._result_when_cut_short(result, cell, previous)
        if result is not None and complete and self.sees_threats:
            result = replace(result, exact=is_exact(best, depth, position))
        return result, complete

    def _root_score(self, position: Position, cell: int, depth: int, best: int) -> int:
        """Return the score of a root move; ``best`` is the best score of the previous moves."""
        child, stone = position.play(cell), 1 << cell
        if self.sees_threats and self._winning_cells(position) & stone:
            return won(position.ply + 1)
        if best != -WIN and self._searches_with_null_window:
            return self._score_if_better(child, stone, 0, depth - 1, best, WIN)
        return self._score_after(child, stone, depth - 1, -WIN, -best)

    def _score_if_better(
        self, child: Position, stone: int, less: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the score of a later move, for the player who makes it.

        ``child`` is the position after ``stone``. If ``less`` is not 0, the move is first searched
        to ``depth - less``. It is searched to ``depth`` only if it seems better than ``alpha``.
        """
        if less:
            score = self._score_after(child, stone, depth - less, -alpha - 1, -alpha)
            if score <= alpha:
                return score
        score = self._score_after(child, stone, depth, -alpha - 1, -alpha)
        return (
            self._score_after(child, stone, depth, -beta, -alpha) if alpha < score < beta else score
        )

    def _score_after(self, child: Position, stone: int, depth: int, alpha: int, beta: int) -> int:
        """Return the score of a move that does not win, for the player who makes it.

        ``alpha`` and ``beta`` are from the opponent's point of view.
        """
        if self.sees_threats and child.is_full:
            return 0
        return -self._score_of_position(child, stone, depth, alpha, beta)

    def _score_of_position(
        self, position: Position, last: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the score for the player to move, in a game that is not over."""
        self.budget.visit()
        if self._winning_cells(position):
            return won(position.ply + 1)
        if threats := self._opponent_winning_cells(position):
            if threats & (threats - 1):
                return -won(position.ply + 2)
            forced = position.play(threats.bit_length() - 1)
            return self._score_after(forced, threats, depth, -beta, -alpha)
        if win := self._foreseen_win(position, depth, beta):
            return win
        if depth <= 0:
            return self._evaluate(position)
        return self._score_by_search(position, last, depth, alpha, beta)

    def _score_by_search(
        self, position: Position, last: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Search the moves in the order of ``_ordered``, and store the result in the table."""
        entry = self.table.find(position) if self.transpositions else None
        if entry is not None and entry.answers(depth, alpha, beta):
            return entry.score
        cells, best = self._cells_to_try(position)
        if not cells:
            return best
        first = entry.cell if entry is not None and entry.depth else -1
        best_cell, floor = -1, alpha
        for index, cell in enumerate(self._ordered(position, cells, first, last, depth)):
            score = self._score_of_move_at(
                position.play(cell), 1 << cell, index, depth - 1, floor, beta
            )
            if score > best or best_cell < 0:
                best, best_cell = max(best, score), cell
            floor = max(floor, score)
            if floor >= beta:
                break
        self.table.store(position, depth, best, kind_of_bound(best, alpha, beta), best_cell)
        return best

    def _score_of_move_at(
        self, child: Position, stone: int, index: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the score of the move that is tried at ``index``, from 0.

        A move that threatens to win at once is never searched less deep.
        """
        if index == 0 or not self._searches_with_null_window:
            return self._score_after(child, stone, depth, -beta, -alpha)
        less = 0
        if self.reduces and not self._opponent_winning_cells(child):
            less = sum(index >= late and depth >= far for late, far in self.reductions)
        return self._score_if_better(child, stone, less, depth, alpha, beta)
