"""Iterative deepening alpha-beta that orders moves by the scores of the last iteration.

Source: 003_042b791f4f409f5b.txt, "4-in-a-Line". Moves to positions that the last iteration visited
are tried first, the best scores first. Then come the other moves, those nearest to the opponent's
last move first. A precept does not contain the last move, so at the root the distance to the
nearest stone of the opponent is used. Distances are steps along rows and columns. As in the
document, alpha-beta may cut off a search, so the scores of the last iteration may be bounds.

The document finds three faults in its program. They are repaired here. A switch for each fault
brings it back:

- ``sorts_for_mover``: the document's minimizing player sorts the moves as the maximizing player
  does, and so begins with the moves that are worst for itself.
- ``sees_threats``: in the document's search a win is a leaf with a large value, to which the rest
  of the evaluation is added. Its search "fails to foresee that leaving an open-two will most
  certainly end in its defeat". Here a win has the score ``won``. A player with a winning cell wins
  without a search. A player who faces one threat has only one reply, and it costs no depth. In
  games without gravity a stone that makes two threats wins. If the opponent could play such a
  stone, only defences and threats of the player are tried. Cells whose lines are all blocked are
  not tried. Moves that the last iteration did not visit are sorted first by what they build and
  block, then by distance.
- ``transpositions``: the document uses stored values only to sort moves. Here they also prevent a
  second search of a position that other moves have led to.

Two switches are not from the document. They make the search stronger:

- ``reduces``: late moves are first searched less deep, and again to the full depth if they seem
  better. They are only asked whether they are better than the best move so far (see
  ``c4_bot.search._iterations``). Moves are not sorted by the scores of the last iteration, except
  the best one, because it takes longer to look them up than it saves. If a score seems exact, the
  search begins again without ``reduces``.
- ``fours``: a *four* is a stone that makes a threat, so that there is only one reply. In games
  without gravity a player also wins if at most this number of fours, one after the other, lead to
  a stone that makes two threats.
"""

from dataclasses import dataclass, replace

from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant, cells_of

from c4_bot.contract import MAX_EVALUATION, WIN, Evaluator, Limits, Result, urgent_first, won
from c4_bot.search._iterations import Iterations
from c4_bot.search._table import EXACT
from c4_bot.search._threats import (
    CellWorths,
    cells_making_a_threat,
    cells_making_two_threats,
    defences,
    live_cells,
    makers,
)


@dataclass(frozen=True)
class LastIteration:
    """Search that sorts moves by the scores of the last iteration.

    The C++ version is ``bot/native/search/last_iteration.hpp``. Without ``sees_threats`` finished
    games are evaluated, too. The evaluator then has to count fours. If the limits contain a depth,
    all moves are searched to this depth, also with ``reduces``.
    """

    evaluator: Evaluator
    sorts_for_mover: bool = True
    sees_threats: bool = True
    transpositions: bool = True
    reduces: bool = False
    fours: int = 0

    def search(self, position: Position, limits: Limits, among: int | None = None) -> Result:
        """Return the best move of the deepest iteration that chose one within the limits.

        An iteration that is cut short counts if it finished its first move, which is the best move
        of the previous iteration. If all moves that it finished lose, it has not shown that the
        others lose, too. Then the next move is chosen, with the score of the previous iteration.
        The search ends early if the score is exact. Among equal moves, the move that was tried
        first is chosen. ``among`` is a bitboard of legal moves; if it is given, only these moves
        are tried, and the score is that of the best of them.
        """
        moves = urgent_first(position)
        if among is not None:
            moves = [cell for cell in moves if among >> cell & 1]
        return _LastIterationRun(self, limits, position.player).deepen(position, moves)


class _LastIterationRun(Iterations):
    """The state of one search. Evaluations are made for ``player``, who moves at the root."""

    reductions = ((3, 1), (6, 2), (12, 3))

    def __init__(self, rules: LastIteration, limits: Limits, player: int) -> None:
        super().__init__(limits, reduces=rules.reduces)
        self.rules = rules
        self.player = player
        self.sees_threats = rules.sees_threats
        self.transpositions = rules.transpositions

    @property
    def _searches_with_null_window(self) -> bool:
        return self.reduces

    def _ordered_at_root(
        self, position: Position, moves: list[int], depth: int, previous: Result
    ) -> list[int]:
        cells = sum(1 << cell for cell in moves)
        first = previous.cell if previous.depth else -1
        return self._ordered(position, cells, first, position.other, depth)

    def _result_when_cut_short(self, best: Result, cell: int, previous: Result) -> Result | None:
        """Return the next move if all finished moves lose, because it may be better.

        ``None`` if the previous iteration has already found that all moves lose.
        """
        if best.score >= -MAX_EVALUATION:
            return best
        return (
            None if previous.score < -MAX_EVALUATION else replace(previous, cell=cell, line=(cell,))
        )

    def _score_of_position(
        self, position: Position, last: int, depth: int, alpha: int, beta: int
    ) -> int:
        if self.sees_threats:
            return super()._score_of_position(position, last, depth, alpha, beta)
        self.budget.visit()
        if depth == 0 or position.is_won or position.is_full:
            score = self._evaluate(position)
            self.table.store(position, 0, score, EXACT, 0)
            return score
        return self._score_by_search(position, last, depth, alpha, beta)

    def _foreseen_win(self, position: Position, depth: int, beta: int) -> int:
        """Return the score of a win by fours, if it ends the search; 0 if not.

        There may be a sooner win. It does not matter if the score need not be exact, or if the
        sooner win, too, comes later than the search looks ahead. If the win does not count, the
        search finds it, or a sooner one.
        """
        fours = self._fours_before_double_threat(position)
        if fours is None:
            return 0
        last = 3 + 2 * fours
        score = won(position.ply + last)
        return score if self.reduces or fours <= 1 or last - 2 > depth or score >= beta else 0

    def _fours_before_double_threat(self, position: Position) -> int | None:
        """Return after how many fours the player to move wins; ``None`` if no such win is found."""
        if position.variant.gravity:
            return None
        threatening = makers(position.own, position.playable, position.variant)
        if cells_making_two_threats(threatening):
            return 0
        threats = cells_making_a_threat(threatening)
        return self._fours_to_win(position, threats, self.rules.fours) or None

    def _fours_to_win(self, position: Position, makers_of_fours: int, max_fours: int) -> int:
        """Return with how many fours the player to move gets a stone that makes two threats.

        Returns 0 if this takes more than ``max_fours`` fours. The first four is one of
        ``makers_of_fours``.
        """
        if not max_fours:
            return 0
        numbers = (
            self._fours_to_win_after(position, cell, max_fours)
            for cell in cells_of(makers_of_fours)
        )
        return next((fours for fours in numbers if fours), 0)

    def _fours_to_win_after(self, position: Position, cell: int, max_fours: int) -> int:
        """Return the same if the first four is made with a stone on ``cell``."""
        self.budget.visit()
        four = position.play(cell)
        after_reply = four.play(four.opponent_winning_cells.bit_length() - 1)
        playable, threats = after_reply.playable, after_reply.opponent_winning_cells
        choices = threats or playable
        if choices == threats and threats & (threats - 1):
            choices = 0
        threatening = makers(after_reply.own, playable, position.variant)
        if cells_making_two_threats(threatening) & choices:
            return 1
        fours = self._fours_to_win(
            after_reply, cells_making_a_threat(threatening) & choices, max_fours - 1
        )
        return fours + 1 if fours else 0

    def _evaluate(self, position: Position) -> int:
        score = self.rules.evaluator.evaluate(position, self.player)
        return score if position.player == self.player else -score

    def _cells_to_try(self, position: Position) -> tuple[int, int]:
        """Return the cells to try, and an upper bound of the score of all other moves.

        In games without gravity one more stone never harms its owner. So a cell need not be tried
        if no player can complete a line through it. If no cells are left to try, the game is a
        draw.
        """
        variant, playable = position.variant, position.playable
        if variant.gravity or not self.sees_threats:
            return playable, -WIN
        theirs = makers(position.other, playable, variant)
        if cells_making_two_threats(theirs):
            threats = cells_making_a_threat(makers(position.own, playable, variant))
            return threats | defences(theirs), -won(position.ply + 4)
        alive = playable & live_cells(position)
        return alive, -WIN if alive else 0

    def _ordered(
        self, position: Position, cells: int, first: int, last: int, depth: int
    ) -> list[int]:
        """Return the moves among ``cells`` in the order in which to try them.

        ``first`` comes first, then the moves that the last iteration scored, then the others. With
        ``sees_threats`` the others are sorted by the worth of a stone there. Among equal moves the
        nearest to the ``last`` stones comes first.
        """
        is_ours = position.player == self.player
        sign = 1 if is_ours or self.rules.sorts_for_mover else -1
        worths = CellWorths(position) if self.sees_threats else None
        distances = _distances(position.variant, last)
        # Leaves are new to each iteration. If leaves are not stored, their parents are new too.
        known_from = position.variant.cells if self.reduces else 1 + self.sees_threats

        def rank(cell: int) -> tuple[int, int, int]:
            self.budget.check_clock()
            if cell == first:
                return 0, 0, 0
            entry = self.table.find(position.play(cell)) if depth > known_from else None
            if entry is not None:
                return 1, sign * entry.score, 0
            return 2, -worths.of(cell) if worths else 0, distances.get(cell, 0)

        return sorted((cell for cell in position.moves if cells >> cell & 1), key=rank)


def _distances(variant: Variant, stones: int) -> dict[int, int]:
    """Return the steps along rows and columns from each cell to the nearest of ``stones``.

    The result is empty if there are no stones.
    """
    distances: dict[int, int] = {}
    cells, reached, steps = stones, 0, 0
    while cells:
        distances |= dict.fromkeys(cells_of(cells), steps)
        reached |= cells
        beside = cells << 1 | cells >> 1 | cells << variant.stride | cells >> variant.stride
        cells, steps = beside & variant.board & ~reached, steps + 1
    return distances
