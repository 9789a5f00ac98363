"""Proven bounds of the moves of one position, and the questions that find them.

Each move has bounds of its score. At first they come from the book and the rules. A question asks
the solver whether a move is worth at least a certain score, and narrows the bounds of this move.
So a proof for the position is always the proof of a move. When the time is over, the moves that are
refuted and the best move that is proven are known.

Questions are asked in two rounds. In the first, the nodes of each question are limited, so that
easy questions are answered before a hard one takes all the time.
"""

from collections.abc import Iterator

from c4_protocol.rules.position import Position

from c4_bot.contract import Result, is_proven, urgent_first
from c4_bot.solve.oracle import WITHOUT_SEARCH, Oracle
from c4_bot.solve.score import Solution, score_from_search

FIRST_ROUND_NODES = 20_000
"""Maximum number of nodes of a question in the first round."""


class RootMoves:
    """The moves of a position, in the order in which to ask about them, and their bounds.

    The best move comes first in ``order``. ``whole`` holds bounds of the position's score that are
    known although it may not be known which move has this score.
    """

    def __init__(self, position: Position, oracle: Oracle) -> None:
        self.position = position
        self.oracle = oracle
        self.order = urgent_first(position)
        self.whole = oracle.bounds_of_position(position, WITHOUT_SEARCH)
        self.bounds = dict(oracle.bounds_of_moves(position, WITHOUT_SEARCH))

    @property
    def low(self) -> int:
        """The score that the best move is proven to have at least."""
        return max(bounds.low for bounds in self.bounds.values())

    @property
    def high(self) -> int:
        """The score that no move exceeds."""
        return min(self.whole.high, max(bounds.high for bounds in self.bounds.values()))

    @property
    def score(self) -> Solution:
        """Bounds of the position's score."""
        return Solution(max(self.low, self.whole.low), self.high)

    @property
    def has_outcome(self) -> bool:
        """True if it is known who wins, or that the game is a draw."""
        return self.score.low > 0 or self.score.high < 0 or self.score.exact

    @property
    def is_solved(self) -> bool:
        """True if the scores of all moves are known."""
        return all(bounds.exact for bounds in self.bounds.values())

    def put_first(self, cell: int) -> None:
        """Ask about this move first from now on."""
        self.order = [cell, *(other for other in self.order if other != cell)]

    def learn(self, result: Result) -> None:
        """Narrow bounds by the result of another search, as far as it is proven."""
        if not (result.exact or is_proven(result.score)):
            return
        variant = self.position.variant
        score, most = score_from_search(variant, result.score), variant.cells
        if result.exact:
            known = self.whole = Solution(score, score)
        else:
            known = Solution(score, most) if score > 0 else Solution(-most, score)
        self.bounds[result.cell] = self.bounds[result.cell].narrowed(known)

    def first_unrefuted(self) -> int:
        """Return the first move that may be the best. A move that loses comes after all others."""
        floor = max(self.score.low, min(0, self.high))
        return next(cell for cell in self.order if self.bounds[cell].high >= floor)

    def find_outcome(self, share: float, first: int) -> None:
        """Find out who wins, within a share of the limits.

        ``first`` is the question that comes first in each round: 1 for a win, 0 for a draw.
        """
        for nodes in self._node_limits_of_rounds(share):
            for score in (first, 1 - first):
                self.find_move_worth(score, share, nodes)
            if self.has_outcome:
                return

    def find_best(self, share: float) -> None:
        """Find a best move in a position that is not lost, within a share of the limits."""
        for nodes in self._node_limits_of_rounds(share):
            while self.low < self.high and self.find_move_worth(
                self._next_score_to_ask(nodes), share, nodes
            ):
                pass
            if self.low == self.high:
                return
            if self.low <= 0:
                self.find_move_worth(min(1, self.whole.low), share, nodes)

    def find_all_moves_worth(self, score: int, share: float) -> list[int]:
        """Return all moves that are proven to be worth at least ``score``, in their order."""
        for nodes in self._node_limits_of_rounds(share):
            if None not in [self._is_worth(cell, score, share, nodes) for cell in self.order]:
                break
        return [cell for cell in self.order if self.bounds[cell].low >= score]

    def find_move_worth(self, score: int, share: float, nodes: int | None = None) -> bool:
        """Look for a move that is worth at least ``score``, and return whether the answer is known.

        ``nodes`` is the maximum number of nodes to spend on a move; ``None`` for no maximum.
        """
        answers = []
        for cell in self.order:
            answers.append(self._is_worth(cell, score, share, nodes))
            if answers[-1]:
                return True
        return None not in answers

    def first_move_worth(self, score: int, share: float) -> int:
        """Return the first move in the order that is worth at least ``score``.

        A move must be proven to be worth this. It is returned if the limits end before it is known
        of an earlier move.
        """
        return next(cell for cell in self.order if self._is_worth(cell, score, share, None))

    def find_scores(self, share: float) -> None:
        """Find the exact scores of all moves, within a share of the limits."""
        if not self.is_solved:
            for cell, bounds in self.oracle.bounds_of_moves(
                self.position, self.oracle.limits_left(share)
            ):
                self.bounds[cell] = self.bounds[cell].narrowed(bounds)

    def _next_score_to_ask(self, nodes: int | None) -> int:
        """Return the next score to ask for, above the score of the best move that is proven.

        If a move with a certain score must exist, this is it. Otherwise it lies in the middle of
        what is possible while nodes are limited, because short wins are easy to find or to exclude.
        """
        if self.low < self.whole.low:
            return self.whole.low
        return self.low + 1 if nodes is None else self.low + (self.high - self.low + 1) // 2

    def _node_limits_of_rounds(self, share: float) -> Iterator[int | None]:
        """Yield the maximum number of nodes of a question in each round, until the limits end."""
        for nodes in (FIRST_ROUND_NODES, None):
            if self.oracle.proves and not self.oracle.limits_left(share).is_tight:
                yield nodes

    def _is_worth(self, cell: int, score: int, share: float, nodes: int | None) -> bool | None:
        """Return whether a move is worth at least ``score``; ``None`` if this is not proven."""
        bounds = self.bounds[cell]
        if bounds.low < score <= bounds.high:
            limits = self.oracle.limits_left(share).capped_at(nodes)
            if not limits.is_tight:
                wanted = score - 1, score
                found = self.oracle.bounds_of_move(self.position, cell, wanted, limits)
                bounds = self.bounds[cell] = bounds.narrowed(found)
        return True if bounds.low >= score else False if bounds.high < score else None
