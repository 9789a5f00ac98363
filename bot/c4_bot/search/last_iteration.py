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
  ``c4_bot.search.deepening``). Moves are not sorted by the scores of the last iteration, except the
  best one, because it takes longer to look them up than it saves. If a score seems exact, the
  search begins again without ``reduces``.
- ``fours``: a *four* is a stone that makes a threat, so that there is only one reply. In games
  without gravity a player also wins if at most this number of fours, one after the other, lead to
  a stone that makes two threats.
"""

from dataclasses import dataclass, field, replace

from c4_protocol.position import Position
from c4_protocol.variant import Variant, cells_of

from c4_bot.contract import (
    PROVEN,
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
from c4_bot.search._table import EXACT, Table, bound_of
from c4_bot.search._threats import Promise, defences, live_cells, makers, once, twice

REDUCED = ((3, 1), (6, 2), (12, 3))
"""Pairs of a move's index and the depth that is left after the move. For each pair that a move
reaches, it is searched one ply less deep."""


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
        first is chosen. ``among`` is a bitboard of legal moves; if it is
        given, only these moves are tried, and the score is that of the best of them.
        """
        cells = position.playable if among is None else among
        return _Run(self, limits, position.player).deepen(position, cells)


@dataclass
class _Run:
    """The state of one search. Evaluations are made for ``player``, who moves at the root."""

    rules: LastIteration
    limits: Limits
    player: int
    table: Table = field(default_factory=Table)

    def __post_init__(self) -> None:
        self.budget = Budget(self.limits)
        self.reduces = self.rules.reduces and self.limits.depth is None

    def deepen(self, position: Position, among: int) -> Result:
        first = -1
        result = Result(next(cell for cell in urgent_first(position) if among >> cell & 1))
        depth, last = 1, self.limits.deepest(position)
        while depth <= last and not result.exact:
            found, complete = self._root(position, among, depth, first, result)
            if found is not None:
                result, first = found, found.cell
            if not complete:
                break
            if result.exact and self.reduces:
                result = replace(result, exact=False)
                self._stop_reducing()
            else:
                depth += 1
        return replace(result, nodes=self.budget.nodes, line=result.line or (result.cell,))

    def _stop_reducing(self) -> None:
        """Search all moves to the full depth from now on, and forget what was found before."""
        self.reduces, self.table = False, Table()

    def _root(
        self, position: Position, among: int, depth: int, first: int, previous: Result
    ) -> tuple[Result | None, bool]:
        """Run one iteration; return its move, and whether it finished all moves.

        ``previous`` is the result of the previous iteration.
        """
        found, best, complete = None, -WIN, True
        near = position.other
        try:
            for cell in self._ordered(position, among, first, near, depth):
                score = self._root_score(position, cell, depth, best)
                if score > best:
                    line = (cell, *self.table.line(position.play(cell), depth - 1))
                    found, best = Result(cell, score, depth=depth, line=line), score
        except OutOfBudget:
            complete = False
            if found is not None and best < -PROVEN:
                found = _untried(cell, previous)
        if found is not None and complete and self.rules.sees_threats:
            found = replace(found, exact=is_exact(best, depth, position))
        return found, complete

    def _root_score(self, position: Position, cell: int, depth: int, best: int) -> int:
        """Return the score of a root move; ``best`` is the best score of the previous moves."""
        if self.rules.sees_threats and position.play(cell).is_won:
            return won(position.ply + 1)
        if self.reduces and best != -WIN:
            return self._score_if_better(position, cell, 0, depth - 1, best, WIN)
        return self._after(position, cell, depth - 1, -WIN, -best)

    def _after(self, position: Position, cell: int, depth: int, alpha: int, beta: int) -> int:
        """Return the score of a move that does not win, for the player who makes it.

        ``alpha`` and ``beta`` are from the opponent's point of view.
        """
        child = position.play(cell)
        if self.rules.sees_threats and child.is_full:
            return 0
        return -self._visit(child, 1 << cell, depth, alpha, beta)

    def _visit(self, position: Position, last: int, depth: int, alpha: int, beta: int) -> int:
        """Return the score for the player to move; ``last`` is the latest stone, as a bitboard.

        ``alpha`` and ``beta`` are from this player's point of view. Fail-soft: a score between them
        is exact at this depth, a score of at most ``alpha`` is an upper bound, and a score of at
        least ``beta`` is a lower bound.
        """
        self.budget.visit()
        if self.rules.sees_threats:
            return self._visit_seeing(position, last, depth, alpha, beta)
        if depth == 0 or position.is_won or position.is_full:
            score = self._evaluate(position)
            self.table.store(position, 0, score, EXACT, 0)
            return score
        return self._expand(position, last, depth, alpha, beta)

    def _visit_seeing(
        self, position: Position, last: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the score of a game that is not over: from its threats, or from a search."""
        if position.winning_cells:
            return won(position.ply + 1)
        if threats := position.opponent_winning_cells:
            if threats & (threats - 1):
                return -won(position.ply + 2)
            return self._after(position, threats.bit_length() - 1, depth, -beta, -alpha)
        fours = self._fours_before_double_threat(position)
        if fours is not None and self._counts(position, fours, depth, beta):
            return won(position.ply + 3 + 2 * fours)
        if depth <= 0:
            return self._evaluate(position)
        return self._expand(position, last, depth, alpha, beta)

    def _counts(self, position: Position, fours: int, depth: int, beta: int) -> bool:
        """Return whether a win by fours ends the search of a position.

        There may be a sooner win. It does not matter if the score need not be exact, or if the
        sooner win, too, comes later than the search looks ahead. If the win does not count, the
        search finds it, or a sooner one.
        """
        last = 3 + 2 * fours
        return self.reduces or fours <= 1 or last - 2 > depth or won(position.ply + last) >= beta

    def _fours_before_double_threat(self, position: Position) -> int | None:
        """Return after how many fours the player to move wins; ``None`` if no such win is found."""
        if position.variant.gravity:
            return None
        threatening = makers(position.own, position.playable, position.variant)
        if twice(threatening):
            return 0
        return self._fours_to_win(position, once(threatening), self.rules.fours) or None

    def _fours_to_win(self, position: Position, makers_of_fours: int, most: int) -> int:
        """Return with how many fours the player to move gets a stone that makes two threats.

        Returns 0 if this takes more than ``most`` fours. The first four is one of
        ``makers_of_fours``.
        """
        if not most:
            return 0
        found = (self._fours_after(position, cell, most) for cell in cells_of(makers_of_fours))
        return next((fours for fours in found if fours), 0)

    def _fours_after(self, position: Position, cell: int, most: int) -> int:
        """Return the same if the first four is made with a stone on ``cell``."""
        self.budget.visit()
        four = position.play(cell)
        after_reply = four.play(four.opponent_winning_cells.bit_length() - 1)
        playable, threats = after_reply.playable, after_reply.opponent_winning_cells
        choices = threats or playable
        if choices == threats and threats & (threats - 1):
            choices = 0
        threatening = makers(after_reply.own, playable, position.variant)
        if twice(threatening) & choices:
            return 1
        fours = self._fours_to_win(after_reply, once(threatening) & choices, most - 1)
        return fours + 1 if fours else 0

    def _evaluate(self, position: Position) -> int:
        """Return the score of a leaf for the player to move.

        The evaluation is made for the player who moves at the root.
        """
        score = self.rules.evaluator.evaluate(position, self.player)
        return score if position.player == self.player else -score

    def _expand(self, position: Position, last: int, depth: int, alpha: int, beta: int) -> int:
        """Search the moves of ``_candidates``, in the order of ``_ordered``."""
        entry, first = self.table.find(position), -1
        if self.rules.transpositions and entry is not None:
            if entry.answers(depth, alpha, beta):
                return entry.score
            first = entry.cell if entry.depth else -1
        cells, best = self._candidates(position)
        if not cells:
            return best
        best_cell, floor = -1, alpha
        for index, cell in enumerate(self._ordered(position, cells, first, last, depth)):
            score = self._score_of(position, cell, index, depth - 1, floor, beta)
            if score > best or best_cell < 0:
                best, best_cell = max(best, score), cell
            floor = max(floor, score)
            if floor >= beta:
                break
        bound = bound_of(best, alpha, beta)
        self.table.store(position, depth, best, bound, best_cell)
        return best

    def _score_of(
        self, position: Position, cell: int, index: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the score of the move that is tried at ``index``, for the player who makes it.

        A four is never searched less deep.
        """
        if not self.reduces or index == 0:
            return self._after(position, cell, depth, -beta, -alpha)
        less = 0
        if not position.play(cell).opponent_winning_cells:
            less = sum(index >= late and depth >= far for late, far in REDUCED)
        return self._score_if_better(position, cell, less, depth, alpha, beta)

    def _score_if_better(
        self, position: Position, cell: int, less: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the score of a later move, for the player who makes it.

        If ``less`` is not 0, the move is first searched to ``depth - less``. It is searched to
        ``depth`` only if it seems better than ``alpha``.
        """
        if less:
            score = self._after(position, cell, depth - less, -alpha - 1, -alpha)
            if score <= alpha:
                return score
        score = self._after(position, cell, depth, -alpha - 1, -alpha)
        return self._after(position, cell, depth, -beta, -alpha) if alpha < score < beta else score

    def _candidates(self, position: Position) -> tuple[int, int]:
        """Return the cells to try, and an upper bound of the score of all other moves.

        In games without gravity one more stone never harms its owner. So a cell need not be tried
        if no player can complete a line through it. If no cells are left to try, the game is a
        draw.
        """
        variant, playable = position.variant, position.playable
        if variant.gravity or not self.rules.sees_threats:
            return playable, -WIN
        theirs = makers(position.other, playable, variant)
        if twice(theirs):
            threats = once(makers(position.own, playable, variant))
            return threats | defences(theirs), -won(position.ply + 4)
        alive = playable & live_cells(position)
        return alive, -WIN if alive else 0

    def _ordered(
        self, position: Position, cells: int, first: int, near: int, depth: int
    ) -> list[int]:
        """Return the moves among ``cells`` in the order in which to try them.

        ``first`` comes first, then the moves that the last iteration scored, then the others. With
        ``sees_threats`` the others are sorted by their promise. Among equal moves the nearest to
        ``near`` comes first. Raises ``OutOfBudget`` if the time is over.
        """
        sees = self.rules.sees_threats
        is_ours = position.player == self.player
        sign = 1 if is_ours or self.rules.sorts_for_mover else -1
        promise = Promise(position) if sees else None
        distances = _distances(position.variant, near)
        # Leaves are new to each iteration. If leaves are not stored, their parents are new too.
        known_from = position.variant.cells if self.reduces else 1 + sees

        def rank(cell: int) -> tuple[int, int, int]:
            self.budget.check_clock()
            if cell == first:
                return 0, 0, 0
            entry = self.table.find(position.play(cell)) if depth > known_from else None
            if entry is not None:
                return 1, sign * entry.score, 0
            return 2, -promise.of(cell) if promise else 0, distances.get(cell, 0)

        return sorted((cell for cell in position.moves if cells >> cell & 1), key=rank)


def _untried(cell: int, previous: Result) -> Result | None:
    """Return the result of an iteration that was cut short at ``cell``, after moves that all lose.

    ``None`` if the previous iteration has already found that all moves lose.
    """
    return None if previous.score < -PROVEN else replace(previous, cell=cell, line=(cell,))


def _distances(variant: Variant, stones: int) -> dict[int, int]:
    """Return the steps along rows and columns from each cell to the nearest of ``stones``.

    The result is empty if there are no stones.
    """
    found: dict[int, int] = {}
    cells, reached, steps = stones, 0, 0
    while cells:
        found |= dict.fromkeys(cells_of(cells), steps)
        reached |= cells
        beside = cells << 1 | cells >> 1 | cells << variant.stride | cells >> variant.stride
        cells, steps = beside & variant.board & ~reached, steps + 1
    return found
