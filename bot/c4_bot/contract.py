"""What evaluators and searches promise each other.

Scores are integers from one player's point of view. Up to ``PROVEN`` they are an evaluation in
the evaluator's units; beyond it they are a proven end: ``won(ply)`` for having won with ``ply``
stones on the board, ``-won(ply)`` for having lost so. Counting stones rather than moves makes
the score of a position the same by whatever way it is reached.
"""

import time
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from c4_protocol.position import Position

WIN = 1 << 60
PROVEN = WIN - (1 << 20)
MAX_WEIGHT = 1 << 20
"""Of any weight, up or down: evaluations then stay within ``PROVEN``."""


def won(ply: int) -> int:
    """The score of having won with ``ply`` stones on the board: the fewer the better."""
    return WIN - ply


def is_proven(score: int) -> bool:
    """Whether a score is a forced win or loss rather than an evaluation."""
    return abs(score) > PROVEN


def is_exact(score: int, depth: int, position: Position) -> bool:
    """Whether a complete search to ``depth`` plies proves the score, distance included.

    It does when it reached the end of the game, or found a forced end within its depth: of ends
    further off (seen where forced replies cost no depth) a nearer one may have been missed.
    """
    distance = WIN - abs(score) if is_proven(score) else position.variant.cells
    return distance - position.ply <= depth


def urgent_first(position: Position) -> list[int]:
    """The legal moves: wins in one, then those that stop one, then the others, centre first.

    The first of them is what to play when there is no time to search at all.
    """
    wins, stops = position.winning_cells, position.opponent_winning_cells
    return sorted(position.moves, key=lambda cell: (~wins >> cell & 1, ~stops >> cell & 1))


class Evaluator(Protocol):
    """Judges positions that nobody has won. A frozen dataclass; its fields are its parameters."""

    @property
    def unit(self) -> int:
        """How much of a score is one point, for showing it to people."""

    def evaluate(self, position: Position, player: int) -> int:
        """How good the position is for ``player``, whoever is to move; within ``PROVEN``."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search has to stop; ``None`` is no limit.

    ``depth`` counts plies, ``nodes`` positions visited, ``deadline`` is a moment of
    ``time.monotonic()`` in seconds. ``threads`` is how many may work at once.
    """

    depth: int | None = None
    nodes: int | None = None
    deadline: float | None = None
    threads: int = 1

    @property
    def is_bounded(self) -> bool:
        """Whether the search may have to stop before its depth is done."""
        return self.nodes is not None or self.deadline is not None


class Scored(NamedTuple):
    """A move, its score for who makes it, and whether that is proven."""

    cell: int
    score: int
    exact: bool


@dataclass(frozen=True, slots=True)
class Result:
    """What a search found: the move, its score for the player to move, and how it came by it.

    ``exact`` says that the score is proven, ``depth`` is the last depth that counted, ``nodes``
    the positions visited, ``line`` the moves expected, the chosen one first. ``reason`` tells more
    about how the move was chosen, where there is more to tell; ``scores`` are those of all the
    moves, where each was searched by itself.
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
    """A move in a position of which more is proven, its ``outcome``, than of the move."""
    return Result(cell, line=(cell,), reason=f"{outcome}, but by which move is not proven")


class Search(Protocol):
    """Chooses a move. A frozen dataclass; its field ``evaluator`` is there where it needs one."""

    def search(self, position: Position, limits: Limits) -> Result:
        """The best move found within the limits, in a game that is not over.

        Always a legal move, however tight the limits. What is remembered from one call to the next
        is proven, and changes nothing where the limits suffice, or are of depth or nodes alone.
        """


class OutOfBudget(Exception):
    """Raised inside a search when its limits are reached; never leaves it."""


class Budget:
    """Counts visited positions and ends the search at its limits."""

    def __init__(self, limits: Limits) -> None:
        self.nodes = 0
        self._most = limits.nodes
        self._deadline = limits.deadline

    def visit(self) -> None:
        """Counts one more position; raises ``OutOfBudget`` instead if there is no room for it."""
        if self.nodes == self._most:
            raise OutOfBudget
        if self._deadline is not None and time.monotonic() >= self._deadline:
            raise OutOfBudget
        self.nodes += 1
