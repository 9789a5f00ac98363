"""Alpha-beta to the end of the game that sorts moves by a score of their columns.

Source: 002_2e672595a1129957.txt. Leaves are not evaluated: a win is worth the number of plies that
remain after it, and everything else is worth nothing. The best possible score of a node is an
immediate win. So a node is not searched if such a win would score at most ``alpha``. While more
than ``threshold`` cells are free, moves are tried in the order of their column scores. A column
score adds ``m * n * a ** n`` for the n-th stone of each chain that ends at the cell where the stone
would land. m is larger for a chain of the player to move. Equal moves are tried in the base order:
centre first. Later in the game all moves are tried in this order.

Scores here are ``won(ply)``, which is the number of plies that remain plus a constant. Where the
document is silent or contradicts itself, we chose:

- Depth: the document starts with as many plies as there are free cells. This search does the same.
- n counts from 1. From 0, as in the document's sum, a single stone would be worth nothing.
- A chain continues while the colour is the same, as the formula says. The program does not reset
  its counter between the two sides of a cell, so two chains of one colour become one chain. Two
  chains of different colours stay two chains (the document's first criterion: only longer is
  better).
- Empty cells are not a chain, although the document's program would count the first empty cell as a
  stone of the opponent.
- At most four stones of a chain count on each side of the cell, as in the document. This holds on
  boards with longer lines, too.
- The document's recursive calls omit alpha and beta. Here they are passed on.
- Among equal moves, the move that was tried first is chosen. The document does not say how it
  chooses.

The document has two faults. They are repaired here. A switch for each fault brings it back:

- ``deepens``: from an early position a search to the end of the game takes longer than anyone
  waits, and gives no answer until it is done. (Under a limit the unrepaired search plays the best
  of the moves that it finished, or the first move in its order.) The repaired search goes 1, 2, ...
  plies deep, and answers when its limits are reached. If the game ends later than this depth, it is
  worth nothing, like a draw. Among equal moves the most central is played, as the document proposes
  for positions that are not evaluated. The move with the best column score is a poor choice at the
  root, because the score favours chains that lead nowhere. This was measured against ``windows``,
  with 100 000 nodes a move, from all openings of two plies with both colours. The best column score
  won 26 and lost 60 of 98 distinct games, the most central move won 50 and lost 37. Below the root
  the order of column scores is good: to 11 plies it halves the number of nodes.
- ``judges_full_boards``: the document's test for a draw, ``moveCount > 42``, is never true. So a
  full board returns the window's ``alpha``. With an even number of cells, a draw looks like an
  infinite loss to player 1, and like an infinite win to player 2. With an odd number the two
  players are exchanged. And a win with the last stone is worth nothing, because no plies remain
  after it.

The document proposes two improvements. Each has a parameter:

- ``looks_ahead``: the search recognises the outcome before the four is complete. A player who can
  complete a line wins. A player who faces two threats loses. If a player faces one threat, only one
  move is tried, and it costs no depth.
- ``open_factor``: if the far end of a chain is playable, too, the chain counts this many times. (It
  changes the number of nodes by less than 1 %.)

As in the document's program, a sooner win has a higher score. The cut-off at ``alpha`` is sound: if
full boards are scored as draws, the search finds the same scores as a solver.
"""

from dataclasses import dataclass, replace
from functools import cache

from c4_protocol.program.errors import UsageError
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant, cells_of

from c4_bot.contract import WIN, Budget, Limits, OutOfBudget, Result, is_exact, won

MAX_CHAIN_LENGTH = 4
"""Maximum number of stones that count on each side of a cell."""
MAX_AMPLIFIER = 30
MAX_FACTOR = 100
"""Maximum of every factor. With these two maxima, and four stones on each side, column scores fit
into 64 bits."""


@dataclass(frozen=True)
class Ordered:
    """Search to the end of the game. The C++ version is ``bot/native/search/ordered.hpp``.

    The column score of a move adds ``m * n * a ** n`` for the n-th stone of each chain beside the
    cell. ``amplifier`` is a. For chains of the player to move m is ``own_factor``, for chains of
    the opponent it is ``other_factor``. If the far end of the chain is playable, m is multiplied by
    ``open_factor``. Moves are tried in the order of their column scores while more than
    ``threshold`` cells are free. The switches are explained at the start of this module. Raises
    ``UsageError`` for numbers out of range.
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
        """Return the best move of the deepest iteration that finished its first move in time.

        Only the moves that this iteration finished are compared.
        """
        return _OrderedRun(self, Budget(limits)).deepen(position, limits.max_depth(position))

    def moves(self, position: Position) -> list[int]:
        """Return the legal moves, the most promising first."""
        if position.variant.cells - position.ply <= self.threshold:
            return position.moves
        return sorted(position.moves, key=lambda cell: -self.column_score(position, cell))

    def column_score(self, position: Position, cell: int) -> int:
        """Return the column score of a move to a cell: the sum over all chains beside the cell."""
        steps = steps_in_which_lines_fit(position.variant)
        return sum(self._worth_of_chains(position, cell, step) for step in steps)

    def _worth_of_chains(self, position: Position, cell: int, step: int) -> int:
        """Return the worth of the chains on both sides of a cell.

        Two chains of the same colour make one chain.
        """
        worth = before = length = 0
        for way in (step, -step):
            taken = (own for own in position.stones if _has_stone(own, cell + way))
            stones = next(taken, 0)
            if stones != before:
                before, length = stones, 0
            start, length = length, length + _length_of_chain(stones, cell + way, way)
            end = cell + way * (length - start + 1)
            amplified = sum(n * self.amplifier**n for n in range(start + 1, length + 1))
            factor = self.own_factor if stones == position.own else self.other_factor
            is_open = _has_stone(position.playable, end)
            worth += (factor * self.open_factor if is_open else factor) * amplified
        return worth


def plies_left(score: int, variant: Variant) -> int:
    """Return the number of plies that remain after a win, as the document scores it.

    With the fault of ``judges_full_boards`` a score proves nothing, because draws count as wins and
    losses. If a full board returned ``alpha``, the score is that of no win.
    """
    if abs(score) in (0, WIN):
        return 0
    plies = variant.cells - (WIN - abs(score))
    return plies if score > 0 else -plies


@cache
def steps_in_which_lines_fit(variant: Variant) -> tuple[int, ...]:
    """Return the steps of the directions in which a line fits on the board."""

    def fits(step: int) -> bool:
        line = sum(1 << step * i for i in range(variant.connect))
        return any(line << cell & ~variant.board == 0 for cell in cells_of(variant.board))

    return tuple(step for step in variant.steps if fits(step))


def _has_stone(board: int, cell: int) -> bool:
    return cell >= 0 and bool(board >> cell & 1)


def _length_of_chain(stones: int, cell: int, way: int) -> int:
    """Return the number of stones in a row from a cell in one direction, up to the maximum."""
    length = 0
    while length < MAX_CHAIN_LENGTH and _has_stone(stones, cell + way * length):
        length += 1
    return length


@dataclass
class _OrderedRun:
    """The state of one search. ``finished`` counts the root moves that an iteration finished."""

    how: Ordered
    budget: Budget
    finished: int = 0

    def deepen(self, position: Position, last: int) -> Result:
        moves = self._moves_at_root(position)
        result = Result(moves[0], line=(moves[0],))
        for depth in range(1 if self.how.deepens else last, last + 1):
            deeper = self._search_root(position, depth, moves)
            if deeper is not None:
                result = deeper
                moves = [deeper.cell, *(cell for cell in moves if cell != deeper.cell)]
            if result.exact or self.finished < len(moves):
                break
        reason = self._reason_for_move(result, len(moves))
        return replace(result, nodes=self.budget.nodes, reason=reason)

    def _search_root(self, position: Position, depth: int, moves: list[int]) -> Result | None:
        """Run one iteration; return its best finished move, or ``None`` if it finished none."""
        best, best_cell, self.finished = -WIN, moves[0], 0
        try:
            for cell in moves:
                score = -self._score_of_position(position.play(cell), depth - 1, -WIN, -best)
                self.finished += 1
                if score > best:
                    best, best_cell = score, cell
        except OutOfBudget:
            if not self.finished:
                return None
        complete = self.finished == len(moves) and self.how.judges_full_boards
        exact = complete and is_exact(best, depth, position)
        if not self.how.judges_full_boards:
            best = plies_left(best, position.variant)
        return Result(best_cell, best, exact, depth, line=(best_cell,))

    def _reason_for_move(self, result: Result, moves: int) -> str:
        """Return the reason for a move that is not proven to be the best."""
        if not self.how.deepens and self.finished < moves:
            return f"out of time with {self.finished} of {moves} moves searched"
        if result.exact or result.score:
            return ""
        return "no end in sight, the most central column"

    def _score_of_position(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Return the score for the player to move.

        ``alpha`` and ``beta`` are from this player's point of view. A score between them is exact
        at this depth, a score of at most ``alpha`` is an upper bound, and a score of at least
        ``beta`` is a lower bound.
        """
        self.budget.visit()
        if position.is_won:
            return -self._score_of_win(position)
        if position.is_full and self.how.judges_full_boards:
            return 0
        max_score = self._score_of_win(position)
        if max_score <= alpha:
            return max_score
        if self.how.looks_ahead:
            return self._score_from_threats(position, depth, alpha, beta)
        return self._score_by_search(position, depth, alpha, beta)

    def _score_from_threats(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Return the score of a game that is not over: from its threats, or from a search."""
        if position.winning_cells:
            return self._score_of_win(position, ahead=1)
        threats = position.opponent_winning_cells
        if threats & (threats - 1):
            return -self._score_of_win(position, ahead=2)
        if threats:
            forced = position.play(threats.bit_length() - 1)
            return -self._score_of_position(forced, depth, -beta, -alpha)
        return self._score_by_search(position, depth, alpha, beta)

    def _score_by_search(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Return the score of a game that is not over, from a search of the moves in their order.

        With the fault of ``judges_full_boards`` the board may be full: the score is then ``alpha``.
        """
        if depth <= 0 and not position.is_full:
            return 0
        for cell in self.how.moves(position):
            score = -self._score_of_position(position.play(cell), depth - 1, -beta, -alpha)
            alpha = max(alpha, score)
            if alpha >= beta:
                return beta
        return alpha

    def _score_of_win(self, position: Position, ahead: int = 0) -> int:
        """Return the score of a win ``ahead`` plies later.

        With the fault of ``judges_full_boards``, a win with the last stone scores 0.
        """
        ply = position.ply + ahead
        if ply == position.variant.cells and not self.how.judges_full_boards:
            return 0
        return won(ply)

    def _moves_at_root(self, position: Position) -> list[int]:
        """Return the moves to search at the root.

        With ``looks_ahead`` these are the moves that win. If no move wins, they are the moves that
        stop a win of the opponent. In all other cases they are all legal moves.
        """
        moves = position.moves if self.how.deepens else self.how.moves(position)
        if self.how.looks_ahead:
            for cells in (position.winning_cells, position.opponent_winning_cells):
                if cells:
                    return [cell for cell in moves if cells >> cell & 1]
        return moves
