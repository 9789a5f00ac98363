"""The interfaces of evaluators and searches: scores, limits and results.

Scores are integers from one player's point of view. Up to ``PROVEN`` a score is an evaluation in
the evaluator's units. Beyond it, a score is a proven end: ``won(ply)`` for a win with ``ply``
stones on the board, ``-won(ply)`` for a loss. Scores count stones rather than moves, so that the
score of a position does not depend on how it was reached.
"""

import time
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from c4_protocol.position import Position

WIN = 1 << 60
PROVEN = WIN - (1 << 20)
"""Maximum of an evaluation, up or down; scores beyond it are proven."""
LEAST_SECONDS = 0.001
"""Minimum time to start a proof, in seconds: about the time between two looks at the clock."""
LEAST_NODES = 100
"""Minimum number of nodes to start a proof; fewer prove next to nothing."""
MAX_WEIGHT = 1 << 20
"""Maximum of any weight, up or down; with larger ones an evaluation could exceed ``PROVEN``."""


def won(ply: int) -> int:
    """Return the score of a win with ``ply`` stones on the board; sooner wins score more."""
    return WIN - ply


def is_proven(score: int) -> bool:
    """Return whether a score is a forced win or loss rather than an evaluation."""
    return abs(score) > PROVEN


def is_exact(score: int, depth: int, position: Position) -> bool:
    """Return whether a complete search to ``depth`` plies proves the score and its distance.

    It does if it reached the end of the game, or found a forced end within its depth. Forced
    replies cost no depth, so a search may find an end further off; then it may have missed a nearer
    one.
    """
    distance = WIN - abs(score) if is_proven(score) else position.variant.cells
    return distance - position.ply <= depth


def urgent_first(position: Position) -> list[int]:
    """Return the legal moves: wins in one, moves that stop one, then the others; centre first.

    Without any time to search, play the first one.
    """
    wins, stops = position.winning_cells, position.opponent_winning_cells
    return sorted(position.moves, key=lambda cell: (~wins >> cell & 1, ~stops >> cell & 1))


class Evaluator(Protocol):
    """Judges positions that nobody has won. A frozen dataclass; its fields are its parameters."""

    @property
    def unit(self) -> int:
        """Number of units in one point, to show scores to people."""

    def evaluate(self, position: Position, player: int) -> int:
        """Return the score of the position for ``player``, up to ``PROVEN``.

        The player to move may be either.
        """


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a search; ``None`` stands for no limit.

    ``depth`` counts plies, ``nodes`` counts positions visited, and ``deadline`` is a time of
    ``time.monotonic()`` in seconds. ``threads`` is the maximum number of threads.
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
        late = self.deadline is not None and self.deadline < time.monotonic() + LEAST_SECONDS
        return late or (self.nodes is not None and self.nodes < LEAST_NODES)

    def deepest(self, position: Position) -> int:
        """Return the depth of the last iteration: at least 1, at most to the end of the game."""
        left = position.variant.cells - position.ply
        return left if self.depth is None else max(1, min(self.depth, left))

    def part(self, share: float, start: float, nodes: int) -> "Limits":
        """Return what is left of ``share`` of the limits.

        ``start`` is when the search began, and ``nodes`` what it has visited since.
        """
        deadline = None if self.deadline is None else start + share * (self.deadline - start)
        left = None if self.nodes is None else max(0, int(share * self.nodes) - nodes)
        return replace(self, deadline=deadline, nodes=left)

    def capped(self, nodes: int) -> "Limits":
        """Return the limits with at most ``nodes``."""
        return replace(self, nodes=nodes if self.nodes is None else min(self.nodes, nodes))


class Scored(NamedTuple):
    """A move, its score for the player who makes it, and whether the score is proven."""

    cell: int
    score: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a search: a move, its score for the player to move, and how it was found.

    ``exact`` says that the score is proven. ``depth`` is the last depth that counted, ``nodes`` the
    number of positions visited, and ``line`` the principal variation, with the move first.
    ``reason`` says more about how the move was chosen. ``scores`` are those of all moves, if each
    was searched by itself.
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
    """Return a move that is not proven to keep the position's proven ``outcome``."""
    return Result(cell, line=(cell,), reason=f"{outcome}, but by which move is not proven")


class Search(Protocol):
    """Chooses a move. A dataclass, with a field ``evaluator`` if it needs one."""

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the best move found within the limits, in a game that is not over.

        The move is legal, however tight the limits. A search may keep what is proven for the next
        call. That must not change the result if the limits suffice, or are of depth or nodes alone.
        """


class OutOfBudget(Exception):
    """Raised and caught inside a search when its limits are reached."""


class Budget:
    """A counter of visited positions that ends the search at its limits."""

    def __init__(self, limits: Limits) -> None:
        self.nodes = 0
        self._most = limits.nodes
        self._deadline = limits.deadline

    def visit(self) -> None:
        """Count one more position; raise ``OutOfBudget`` instead if a limit is reached."""
        if self.nodes == self._most:
            raise OutOfBudget
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise OutOfBudget
        self.nodes += 1
