"""Alpha-beta to the end of the game, moves in the order of a score of their columns.

Source: 002_2e672595a1129957.txt. Nothing is evaluated: a win is worth the plies that remain after
it, all else is worth nothing. As the mover can do no better than win, a node that has no more plies
left than ``alpha`` is worth is not searched. As long as more than ``threshold`` cells are free,
moves are tried in the order of their column score, which adds ``m * n * a ** n`` for the n-th stone
of each chain that ends at the cell where the stone would land, with a larger m for a chain of the
mover's own; equal ones, and all of them later on, in the base order, centre first.

Scores here are ``won(ply)`` instead of the plies that remain, which is the same plus a constant.
Where the document is silent or contradicts itself:

- it starts from as many plies as cells are free, so that it ends where the game does;
- n counts from 1: from 0, as its sum has it, a single stone would be worth nothing;
- a chain goes on while the colour is the same, as the formula says; the program's counter, which is
  not set back between the right and the left of a cell, then joins two chains of one colour into
  one, while those of two colours are two chains (its first criterion: only longer is better);
- empty cells are no chain, though the program would count the first as one of the opponent's; of a
  chain it counts the next four stones, on boards with longer lines as well;
- the recursive calls leave alpha and beta out: they are handed on;
- of equal moves the first in the order counts; the document does not show how it picks one.

Faults of the document, one switch each, and how they are repaired:

- ``deepens``: from an early position its search to the end takes longer than anyone waits, and
  until it is done there is no answer. (Under a limit the unrepaired one plays the best of the moves
  that it finished, or else the first in its order.) Repaired, it searches 1, 2, ... plies deep and
  answers when told to. What lies further off is worth nothing, as a draw is, and of equal moves
  the most central is played, as the document wants it where nothing is evaluated. (The best column
  score is a poor guide there, it runs after chains that lead nowhere: with 100 000 nodes a move,
  from all openings of two plies on both sides, it won 26 and lost 60 of 98 distinct games against
  ``windows``; the most central move won 50 and lost 37.) Inside the tree the score is a good guide:
  to 11 plies it halves the nodes.
- ``judges_full_boards``: its draw, ``moveCount > 42``, never comes. A full board gives back the
  window's ``alpha``: with an even number of cells player 1 takes a draw for a loss without end and
  player 2 for a win without end, with an odd one the other way round. And as nothing remains after
  the last stone, to win with it is worth nothing.

Wishes of the document, one parameter each:

- ``looks_ahead``: the outcome is recognised before the four is complete. A win in one is not played
  out, two threats at once lose, one threat leaves one move, which costs no depth.
- ``open_factor``: a chain whose far end can be played as well counts so many times. (Measured, this
  changes the number of nodes by less than one in a hundred.)

That equal outcomes are told apart by their length is in the document's own program. Its cut-off is
sound: with the full boards judged, its search finds what a solver finds.
"""

from dataclasses import dataclass, replace
from functools import cache

from c4_protocol.errors import UsageError
from c4_protocol.position import Position
from c4_protocol.variant import Variant, cells_of

from c4_bot.contract import WIN, Budget, Limits, OutOfBudget, Result, is_exact, won

CHAIN = 4
"""Stones of a chain that count."""
MAX_AMPLIFIER = 30
MAX_FACTOR = 100
"""With these, and chains of twice four stones, column scores fit into 64 bits."""


@dataclass(frozen=True)
class Ordered:
    """The search; native twin in ``bot/native/search/ordered.hpp``.

    ``amplifier`` is the a of the column score, ``own_factor`` and ``other_factor`` its m;
    ``threshold`` counts free cells. Raises ``UsageError`` for numbers out of their range.
    """

    amplifier: int = 10
    own_factor: int = 2
    other_factor: int = 1
    open_factor: int = 2
    threshold: int = 20
    deepens: bool = True
    judges_full_boards: bool = True
    looks_ahead: bool = True

    def __post_init__(self) -> None:
        if not 0 <= self.amplifier <= MAX_AMPLIFIER:
            raise UsageError(f"an amplifier is 0 to {MAX_AMPLIFIER}, not {self.amplifier}")
        for factor in (self.own_factor, self.other_factor, self.open_factor):
            if not 0 <= factor <= MAX_FACTOR:
                raise UsageError(f"a factor is 0 to {MAX_FACTOR}, not {factor}")

    def search(self, position: Position, limits: Limits) -> Result:
        """The best move of the deepest iteration that finished its first move within the limits."""
        return _Run(self, Budget(limits)).deepen(position, limits.depth)

    def moves(self, position: Position) -> list[int]:
        """The legal moves, the most promising first."""
        if position.variant.cells - position.ply <= self.threshold:
            return position.moves
        return sorted(position.moves, key=lambda cell: -self.column_score(position, cell))

    def column_score(self, position: Position, cell: int) -> int:
        """What the chains that end at a cell are worth to the player who is about to play there."""
        steps = steps_with_lines(position.variant)
        return sum(self._chains(position, cell, step) for step in steps)

    def _chains(self, position: Position, cell: int, step: int) -> int:
        """The worth of the chains on both sides of a cell; two of one colour are one chain."""
        worth = before = length = 0
        for way in (step, -step):
            stones = _colour_at(position, cell + way)
            if stones != before:
                before, length = stones, 0
            start, length = length, length + _length(stones, cell + way, way)
            end = cell + way * (length - start + 1)
            amplified = sum(n * self.amplifier**n for n in range(start + 1, length + 1))
            worth += self._factor(position, stones, end) * amplified
        return worth

    def _factor(self, position: Position, stones: int, end: int) -> int:
        """The m of a chain of one player's stones; ``end`` is the cell at its far end."""
        factor = self.own_factor if stones == position.own else self.other_factor
        return factor * self.open_factor if _holds(position.playable, end) else factor


@cache
def steps_with_lines(variant: Variant) -> tuple[int, ...]:
    """The steps of the directions in which a line fits on the board."""

    def fits(step: int) -> bool:
        line = sum(1 << step * i for i in range(variant.connect))
        return any(line << cell & ~variant.board == 0 for cell in cells_of(variant.board))

    return tuple(step for step in variant.steps if fits(step))


def _holds(board: int, cell: int) -> bool:
    return cell >= 0 and bool(board >> cell & 1)


def _colour_at(position: Position, cell: int) -> int:
    """The stones of the player who has taken a cell, none if it is free or off the board."""
    return next((stones for stones in position.stones if _holds(stones, cell)), 0)


def _length(stones: int, cell: int, way: int) -> int:
    """How many stones follow each other from a cell on, ``CHAIN`` at most."""
    length = 0
    while length < CHAIN and _holds(stones, cell + way * length):
        length += 1
    return length


@dataclass
class _Run:
    """One search, and its budget; ``finished`` counts the root moves of an iteration."""

    how: Ordered
    budget: Budget
    finished: int = 0

    def deepen(self, position: Position, most: int | None) -> Result:
        left = position.variant.cells - position.ply
        last = left if most is None else max(1, min(most, left))
        moves = self._candidates(position)
        result = Result(moves[0], line=(moves[0],))
        for depth in range(1 if self.how.deepens else last, last + 1):
            found = self._root(position, depth, moves)
            if found is not None:
                result = found
                moves = [found.cell, *(cell for cell in moves if cell != found.cell)]
            if result.exact or self.finished < len(moves):
                break
        reason = self._reason(result, len(moves))
        return replace(result, nodes=self.budget.nodes, reason=reason)

    def _root(self, position: Position, depth: int, moves: list[int]) -> Result | None:
        """One iteration: the best of the moves that it finished."""
        best, best_cell, self.finished = -WIN, moves[0], 0
        try:
            for cell in moves:
                score = -self._visit(position.play(cell), depth - 1, -WIN, -best)
                self.finished += 1
                if score > best:
                    best, best_cell = score, cell
        except OutOfBudget:
            if not self.finished:
                return None
        if abs(best) == WIN:  # worth as much as nothing else: a full board, by the fault
            best = 0
        complete = self.finished == len(moves) and self.how.judges_full_boards
        exact = complete and is_exact(best, depth, position)
        return Result(best_cell, best, exact, depth, line=(best_cell,))

    def _reason(self, result: Result, moves: int) -> str:
        """What there is to tell about a move that is not proven to be the best."""
        if not self.how.deepens and self.finished < moves:
            return f"out of time with {self.finished} of {moves} moves searched to the end"
        if result.exact or result.score:
            return ""
        return "no end in sight, the most central column"

    def _visit(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """The score for the player to move.

        Inside the window it is exact at this depth; a value at or below ``alpha`` is an upper
        bound, one at or above ``beta`` a lower bound.
        """
        self.budget.visit()
        if position.is_won:
            return -self._won(position)
        if position.is_full and self.how.judges_full_boards:
            return 0
        most = self._won(position)
        if most <= alpha:
            return most
        if self.how.looks_ahead:
            return self._look_ahead(position, depth, alpha, beta)
        return self._expand(position, depth, alpha, beta)

    def _look_ahead(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """The same, in a game that is not over, for one who sees the next two stones."""
        if position.winning_cells:
            return self._won(position, ahead=1)
        threats = position.opponent_winning_cells
        if threats & (threats - 1):
            return -self._won(position, ahead=2)
        if threats:
            forced = position.play(threats.bit_length() - 1)
            return -self._visit(forced, depth, -beta, -alpha)
        return self._expand(position, depth, alpha, beta)

    def _expand(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Tries the moves; on a full board, by the fault, there are none."""
        if depth <= 0 and not position.is_full:
            return 0
        for cell in self.how.moves(position):
            score = -self._visit(position.play(cell), depth - 1, -beta, -alpha)
            alpha = max(alpha, score)
            if alpha >= beta:
                return beta
        return alpha

    def _won(self, position: Position, ahead: int = 0) -> int:
        """The score of a win so many plies ahead; by the fault, nothing with the last stone."""
        ply = position.ply + ahead
        if ply == position.variant.cells and not self.how.judges_full_boards:
            return 0
        return won(ply)

    def _candidates(self, position: Position) -> list[int]:
        """The moves to choose from: those that win, else those that stop a win, else all."""
        moves = position.moves if self.how.deepens else self.how.moves(position)
        if self.how.looks_ahead:
            for cells in (position.winning_cells, position.opponent_winning_cells):
                if cells:
                    return [cell for cell in moves if cells >> cell & 1]
        return moves
