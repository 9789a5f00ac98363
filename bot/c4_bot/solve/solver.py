"""Exact scores of one variant: natively where the core holds it, from the book where one is."""

from collections.abc import Iterator
from typing import Any, Protocol

from c4_protocol.notation import win_score
from c4_protocol.position import Position
from c4_protocol.variant import Variant

from c4_bot.contract import Limits
from c4_bot.native import MAX_BITS, available, native_limits, sizes, stones
from c4_bot.solve.reference import ReferenceSolver
from c4_bot.solve.score import Solution

HASH_MB = 64
"""Megabytes of the table of positions; more are slower, as more of it is far from the processor."""
NO_LIMITS = Limits()


class Book(Protocol):
    """Scores that are known beforehand."""

    def score(self, position: Position) -> int | None:
        """The score for the player to move, ``None`` if the book does not have it."""


class Solver:
    """Solves positions of one variant, and remembers what it found.

    ``hash_mb`` is the size of its memory in megabytes, 16 at least (32 on boards of more than 64
    bits). Variants that the core does not hold, as
    those without gravity, are solved by the reference in Python: small ones, that is.
    """

    def __init__(self, variant: Variant, hash_mb: int = HASH_MB, book: Book | None = None) -> None:
        self._book = book
        self._reference = ReferenceSolver()
        self._core: Any = None
        if variant.gravity and variant.bits <= MAX_BITS and available():
            from c4_bot import _core  # noqa: PLC0415 - it may not be there

            self._core = _core.Solver(sizes(variant), hash_mb)

    @property
    def is_native(self) -> bool:
        """Whether the core solves this variant: fast enough to be asked in a game."""
        return self._core is not None

    def forget(self) -> None:
        """Forgets all positions but those of the book."""
        self._reference.forget()
        if self._core is not None:
            self._core.forget()

    def solve(
        self, position: Position, limits: Limits = NO_LIMITS, wanted: tuple[int, int] | None = None
    ) -> Solution:
        """The score of a game that is not over, for the player to move.

        With ``wanted`` only as far as it lies within: ``(-1, 1)`` asks for who wins, ``(3, 4)``
        whether it is more than 3. What is known when the limits are reached is the answer; with no
        nodes at all, what is sure without looking.
        """
        known = self._book.score(position) if self._book else None
        if known is not None:
            return Solution(known, known)
        low, high = wanted or (-position.variant.cells, position.variant.cells)
        if self._core is None or limits.nodes == 0:
            return self._reference.solve(position, low, high, limits)
        return Solution(*self._core.solve(stones(position), (low, high), native_limits(limits)))

    def move_scores(
        self, position: Position, limits: Limits = NO_LIMITS, wanted: tuple[int, int] | None = None
    ) -> Iterator[tuple[int, Solution]]:
        """Each legal move as ``solve_move`` has it, the most central first."""
        for cell in position.moves:
            yield cell, self.solve_move(position, cell, limits, wanted)

    def solve_move(
        self,
        position: Position,
        cell: int,
        limits: Limits = NO_LIMITS,
        wanted: tuple[int, int] | None = None,
    ) -> Solution:
        """The score of a legal move for the player who makes it; ``wanted`` as in ``solve``."""
        child = position.play(cell)
        if child.is_won:
            score = win_score(position.variant, child.ply)
            return Solution(score, score)
        if child.is_full:
            return Solution(0, 0)
        turned = None if wanted is None else (-wanted[1], -wanted[0])
        return self.solve(child, limits, turned).reversed()
