"""The interfaces of evaluators and searches: scores, limits and results.

Scores are integers from one player's point of view. A score from ``-MAX_EVALUATION`` to
``MAX_EVALUATION`` is an evaluation in the evaluator's units. A score outside this range is a forced
win or loss: ``won(ply)`` is a win that comes with ``ply`` stones on the board, and ``-won(ply)`` is
a loss. Scores count the stones on the board, not the moves until the win. So the score of a
position does not depend on where the search began.
"""

import time
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from c4_protocol.rules.notation import win_score
from c4_protocol.rules.position import Position

WIN = 1 << 60
MAX_EVALUATION = WIN - (1 << 20)
"""Maximum absolute value of an evaluation. Larger values are forced wins and losses."""
SHOWN_FORCED_WIN = 1_000_000
"""Score shown for a forced win whose length is not proven. A forced loss has the negative score."""
MIN_SECONDS = 0.0002
"""Minimum time to start a proof, in seconds: about the time between two checks of the clock, which
are 1,024 nodes apart."""
MIN_NODES = 100
"""Minimum number of nodes to start a proof, because fewer nodes prove almost nothing."""
MAX_WEIGHT = 1 << 20
"""Maximum absolute value of any weight. With larger weights an evaluation could exceed
``MAX_EVALUATION``."""


def won(ply: int) -> int:
    """Return the score of a win with ``ply`` stones on the board. A sooner win scores more."""
    return WIN - ply


def is_proven(score: int) -> bool:
    """Return whether a score is a forced win or loss rather than an evaluation."""
    return abs(score) > MAX_EVALUATION


def is_exact(score: int, depth: int, position: Position) -> bool:
    """Return whether a complete search to ``depth`` plies proves the score and its distance.

    The score is proven if the search reached the end of the game, or found a forced win or loss
    within its depth. Forced replies cost no depth, so a search may find a win or loss beyond its
    depth. Its distance is not exact, because the search may have missed a sooner win or loss.
    """
    distance = WIN - abs(score) if is_proven(score) else position.variant.cells
    return distance - position.ply <= depth


def urgent_first(position: Position) -> list[int]:
    """Return the legal moves: first wins, then moves that stop a win, then the others.

    Within each group, moves nearest to the centre come first. A player without time to search plays
    the first move.
    """
    wins, stops = position.winning_cells, position.opponent_winning_cells
    return sorted(position.moves, key=lambda cell: (~wins >> cell & 1, ~stops >> cell & 1))


def first_moves(position: Position) -> list[int]:
    """Return the moves on the empty board, one of two mirror images, the most central first.

    They matter where the opponent may steal the first stone.
    """
    variant = position.variant
    return [cell for cell in position.moves if 2 * variant.column_of(cell) < variant.width]


class Evaluator(Protocol):
    """An evaluation function for positions in which no player has won.

    An evaluator is a frozen dataclass. Its fields are its parameters.
    """

    @property
    def unit(self) -> int:
        """The number of units in one point. Scores are shown to people in points."""

    def evaluate(self, position: Position, player: int) -> int:
        """Return the score of the position for ``player``, at most ``MAX_EVALUATION`` in size.

        ``player`` is 1 or 2, and need not be the player to move.
        """


def shown_score(position: Position, score: int, exact: bool, evaluator: Evaluator | None) -> float:
    """Return a score as ``c4_protocol.records.messages.Info`` defines it."""
    sign = 1 if score > 0 else -1
    if exact:
        return sign * win_score(position.variant, WIN - abs(score)) if score else 0
    if is_proven(score):
        return sign * SHOWN_FORCED_WIN
    return score if evaluator is None else round(score / evaluator.unit, 3)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a search. ``None`` stands for no limit.

    ``depth`` counts plies. ``nodes`` counts the positions that the whole search visits. The solver
    may visit up to 1,024 more for each thread after the first. ``deadline`` is a time of
    ``time.monotonic()`` in seconds. ``threads`` is the maximum number of threads, at most
    1,024.
    """

    depth: int | None = None
    nodes: int | None = None
    deadline: float | None = None
    threads: int = 1

    @property
    def is_bounded(self) -> bool:
        """True if the search may have to stop before it completes its depth."""
        return self.nodes is not None or self.deadline is not None

    @property
    def is_tight(self) -> bool:
        """True if there is too little time, or too few nodes, to start a proof."""
        late = self.deadline is not None and self.deadline < time.monotonic() + MIN_SECONDS
        return late or (self.nodes is not None and self.nodes < MIN_NODES)

    def max_depth(self, position: Position) -> int:
        """Return the depth of the last iteration: at least 1, at most the number of free cells."""
        left = position.variant.cells - position.ply
        return left if self.depth is None else max(1, min(self.depth, left))

    def unused_part(self, share: float, start: float, nodes: int) -> "Limits":
        """Return the part of a share of the limits that a search has not used.

        ``share`` is a fraction, 0 to 1. ``start`` is the time at which the search began, in seconds
        of ``time.monotonic()``. ``nodes`` is the number of positions that the search has visited.
        """
        deadline = None if self.deadline is None else start + share * (self.deadline - start)
        left = None if self.nodes is None else max(0, int(share * self.nodes) - nodes)
        return replace(self, deadline=deadline, nodes=left)

    def capped_at(self, nodes: int | None) -> "Limits":
        """Return the limits, with at most ``nodes`` positions to visit, or as many as before."""
        if nodes is None:
            return self
        return replace(self, nodes=nodes if self.nodes is None else min(self.nodes, nodes))


class Scored(NamedTuple):
    """A move and its score for the player who makes it. ``exact`` is true if it is proven."""

    cell: int
    score: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search: a move, its score for the player to move, and how it was found.

    ``exact`` says that the score is proven. ``depth`` is the depth of the iteration that found the
    move, ``nodes`` the number of positions visited, and ``line`` the principal variation, which
    begins with the move. ``scores`` contains the scores of all moves if each of them was searched
    separately. Otherwise it is empty. ``reason`` says in words how the move was chosen if it is not
    the best move of a search. The score may then be that of another move.
    """

    cell: int
    score: int = 0
    exact: bool = False
    depth: int = 0
    nodes: int = 0
    line: tuple[int, ...] = ()
    reason: str = ""
    scores: tuple[Scored, ...] = ()


def open_result(cell: int, outcome: str) -> Result:
    """Return the result for a move if it is not proven that it preserves the ``outcome``.

    The ``outcome`` of the position is proven: "a win" or "a draw".
    """
    return Result(cell, line=(cell,), reason=f"{outcome}, but by which move is not proven")


class Search(Protocol):
    """A way to choose a move.

    A search is a dataclass, with a field ``evaluator`` if it needs an evaluator.
    """

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the best move found within the limits, in a game that is not over.

        The move is legal even if the limits leave no time. A search may remember proven results for
        the next call. They must not change the result of a call whose limits suffice for a proof,
        or of a call that limits only depth or nodes.
        """


class OutOfBudget(Exception):
    """A signal inside a search that its limits are reached."""


class Budget:
    """A counter of visited positions that ends the search at its limits."""

    def __init__(self, limits: Limits) -> None:
        self.nodes = 0
        self._most = limits.nodes
        self._deadline = limits.deadline

    def visit(self) -> None:
        """Count one more position, or raise ``OutOfBudget`` if a limit is reached."""
        if self.nodes == self._most:
            raise OutOfBudget
        self.check_clock()
        self.nodes += 1

    def check_clock(self) -> None:
        """Raise ``OutOfBudget`` if the time is over.

        A search also calls this while it sorts moves, because a board of 52x52 cells can have
        thousands of them.
        """
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise OutOfBudget
