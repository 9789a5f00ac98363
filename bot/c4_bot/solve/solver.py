"""Exact scores of one variant: from the opening book, from the core, or from the reference."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from c4_protocol.rules.notation import check_not_over, win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.contract import Limits
from c4_bot.native import MAX_BITS, core, is_core_available, native_limits, sizes, stones
from c4_bot.solve.reference import ReferenceSolver
from c4_bot.solve.score import Bounds, Solution

if TYPE_CHECKING:
    from c4_bot.book.book_file import Book

HASH_MB = 16
"""Default size of the table of positions, in MiB. A larger table is slower, because less of it fits
into the processor's caches. 64 MiB save less than 1% of the nodes of the empty 7x6 board."""
WITHOUT_LIMITS = Limits()
WITHOUT_LIMITS_FOR_CORE = native_limits(WITHOUT_LIMITS)


class Solver:
    """A solver of positions of one variant that remembers what it found.

    ``hash_mb`` is the size of its table in MiB, at least 16 (32 on boards of more than 64 bits).
    One thread at a time uses the solver; the others wait. The core solves variants with gravity on
    boards of at most ``MAX_BITS`` bits. All other variants are solved by the reference in Python,
    which is fast enough for small boards only. If ``native`` is false, the core is not used.
    """

    def __init__(
        self,
        variant: Variant,
        hash_mb: int = HASH_MB,
        book: "Book | None" = None,
        *,
        native: bool = True,
    ) -> None:
        self._book = book
        self._all_scores = (-variant.cells, variant.cells)
        self._reference = ReferenceSolver()
        self._core: core.Solver | None = None
        if native and variant.gravity and variant.bits <= MAX_BITS and is_core_available():
            self._core = core.Solver(sizes(variant), hash_mb)
            if book is not None and book.core is not None and book.variant == variant:
                self._core.use_book(book.core)

    @property
    def is_native(self) -> bool:
        """True if the core solves this variant. The core is fast enough to be used in a game."""
        return self._core is not None

    @property
    def core(self) -> "core.Solver | None":
        """The core's solver, if it and its book solve the variant by themselves."""
        is_whole = self._book is None or self._book.core is not None
        return self._core if is_whole else None

    def forget(self) -> None:
        """Forget all positions except those of the book."""
        self._reference.forget()
        if self._core is not None:
            self._core.forget()

    def solve(
        self, position: Position, limits: Limits = WITHOUT_LIMITS, wanted: Bounds | None = None
    ) -> Solution:
        """Return the score of a game that is not over, for the player to move.

        If the score is not within ``wanted``, the returned bounds show this, but may not be equal.
        So ``(-1, 1)`` asks who wins, and ``(3, 4)`` asks whether the score is more than 3. If the
        limits are reached first, the bounds are those that are known by then. With a limit of 0
        nodes, the bounds are those that are known without a search. Raises ``ImpossiblePosition``
        when the game is over.
        """
        score = self._book.score(position) if self._book else None
        if score is not None:
            return Solution(score, score)
        bounds = wanted or self._all_scores
        if self._core is None:
            return self._reference.solve(position, *bounds, limits)
        fields = WITHOUT_LIMITS_FOR_CORE if limits is WITHOUT_LIMITS else native_limits(limits)
        try:
            return Solution(*self._core.solve(stones(position), bounds, fields))
        except ValueError:
            check_not_over(position)
            raise

    def solve_moves(
        self, moves: bytes, limits: Limits = WITHOUT_LIMITS, wanted: Bounds | None = None
    ) -> tuple[Solution, int] | None:
        """Return the score of the position after the moves of a move string; see ``solve``.

        The second value is the time in nanoseconds. Return ``None`` for a text that is not a move
        string, for moves that are not legal, if the game is over, and if the solver or its book is
        not in the core. This saves the time that Python takes to play the moves.
        """
        solver = self.core
        if solver is None:
            return None
        fields = WITHOUT_LIMITS_FOR_CORE if limits is WITHOUT_LIMITS else native_limits(limits)
        numbers = solver.solve_moves(moves, wanted or self._all_scores, fields)
        return numbers and (Solution(*numbers[:3]), numbers[3])

    def move_scores(
        self, position: Position, limits: Limits = WITHOUT_LIMITS, wanted: Bounds | None = None
    ) -> Iterator[tuple[int, Solution]]:
        """Yield each legal move with the result of ``solve_move``, the most central move first.

        The limits are those of all moves together. The core searches all moves before the first one
        is yielded, so that they share its threads, and easy moves do not wait for hard ones.
        """
        solver = self.core
        if solver is None:
            for cell in position.moves:
                yield cell, self.solve_move(position, cell, limits, wanted)
            return
        check_not_over(position)
        bounds, fields = wanted or self._all_scores, native_limits(limits)
        for cell, *found in solver.score_moves(stones(position), bounds, fields):
            yield cell, Solution(*found)

    def solve_move(
        self,
        position: Position,
        cell: int,
        limits: Limits = WITHOUT_LIMITS,
        wanted: Bounds | None = None,
    ) -> Solution:
        """Return the score of a legal move for the player who makes it; see ``solve``."""
        child = position.play(cell)
        if child.is_won:
            score = win_score(position.variant, child.ply)
            return Solution(score, score)
        if child.is_full:
            return Solution(0, 0)
        reversed_wanted = None if wanted is None else (-wanted[1], -wanted[0])
        return self.solve(child, limits, reversed_wanted).reversed()
