"""Iterative deepening alpha-beta with a transposition table.

``perfect`` and ``strong`` look ahead with it where nothing is proven.

One iteration searches a depth completely, the next one a ply more, helped by the moves that the
table remembers. Wins in one are seen without searching, a single threat of the opponent leaves
one move and costs no depth, two of them lose.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from bot.contract import (
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
from protocol.position import Position, completing_cells

TABLE_BITS = 20
"""Slots of the table, as a power of two: natively 32 bytes each on boards of 64 bits."""
MULTIPLIERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
"""Odd numbers that spread the four halves of a position over 64 bits; the first is 2^64 over the
golden ratio (Knuth, The Art of Computer Programming, volume 3, 6.4), the others have no pattern."""
MASK = (1 << 64) - 1

EXACT, LOWER, UPPER = 0, 1, 2


class Entry(NamedTuple):
    """What one slot remembers of a position."""

    own: int
    other: int
    depth: int
    score: int
    bound: int
    cell: int


def slot_of(own: int, other: int) -> int:
    """The slot of a position, by multiplicative hashing of the lower 128 bits of both boards."""
    halves = (own & MASK, own >> 64 & MASK, other & MASK, other >> 64 & MASK)
    mixed = sum(half * multiplier for half, multiplier in zip(halves, MULTIPLIERS, strict=True))
    return (mixed & MASK) >> (64 - TABLE_BITS)


@dataclass(frozen=True)
class Deepening:
    """The search; native twin in ``bot/_native/search/deepening.hpp``."""

    evaluator: Evaluator

    def search(self, position: Position, limits: Limits) -> Result:
        """The best move of the deepest iteration that chose one within the limits.

        An iteration that is cut short counts if it finished its first move, which is the best of
        the iteration before. Ends early when the score is exact. Of equal moves the first counts.
        """
        return _Run(self.evaluator, limits).deepen(position, limits.depth)


@dataclass
class _Run:
    """One search: its budget, its table, and the best result so far."""

    evaluator: Evaluator
    limits: Limits
    table: dict[int, Entry] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.budget = Budget(self.limits)

    def deepen(self, position: Position, most: int | None) -> Result:
        left = position.variant.cells - position.ply
        moves = urgent_first(position)
        result = Result(moves[0], line=(moves[0],))
        for depth in range(1, (left if most is None else max(1, min(most, left))) + 1):
            found, complete = self._root(position, depth, moves)
            if found is not None:
                result = found
                moves = [found.cell, *(cell for cell in moves if cell != found.cell)]
            if not complete or result.exact:
                break
        return Result(
            result.cell, result.score, result.exact, result.depth, self.budget.nodes, result.line
        )

    def _root(self, position: Position, depth: int, moves: list[int]) -> tuple[Result | None, bool]:
        """One iteration: its best move if it finished one, and whether it finished all."""
        best, best_cell, complete = -WIN, -1, True
        try:
            for cell in moves:
                score = self._root_score(position, cell, depth, best)
                if score > best:
                    best, best_cell = score, cell
                    line = (cell, *self._line(position.play(cell), depth - 1))
        except OutOfBudget:
            complete = False
        if best_cell < 0:
            return None, complete
        exact = complete and is_exact(best, depth, position)
        return Result(best_cell, best, exact, depth, 0, line), complete

    def _root_score(self, position: Position, cell: int, depth: int, best: int) -> int:
        """The score of a root move, of which others have reached ``best``."""
        if position.play(cell).is_won:
            return won(position.ply + 1)
        return self._after(position, cell, depth - 1, -WIN, -best)

    def _after(self, position: Position, cell: int, depth: int, alpha: int, beta: int) -> int:
        """The score of a move that wins nothing; the window is the opponent's."""
        child = position.play(cell)
        return 0 if child.is_full else -self._visit(child, depth, alpha, beta)

    def _visit(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """The score for the player to move, in a game that is not over.

        Fail-soft: inside the window it is exact at this depth; a value at or below ``alpha`` is
        an upper bound, one at or above ``beta`` a lower bound.
        """
        self.budget.visit()
        variant, playable = position.variant, position.playable
        if completing_cells(position.own, variant) & playable:
            return won(position.ply + 1)
        if threats := completing_cells(position.other, variant) & playable:
            if threats & (threats - 1):
                return -won(position.ply + 2)
            return self._after(position, threats.bit_length() - 1, depth, -beta, -alpha)
        if depth <= 0:
            return self.evaluator.evaluate(position, position.player)
        return self._expand(position, depth, alpha, beta)

    def _expand(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        """Tries the moves, the table's first, then those that make the most winning cells."""
        slot = slot_of(position.own, position.other)
        entry = self._entry(position, slot)
        if entry is not None and entry.depth >= depth:
            if entry.bound == EXACT:
                return entry.score
            if entry.bound == LOWER and entry.score >= beta:
                return entry.score
            if entry.bound == UPPER and entry.score <= alpha:
                return entry.score
        best, best_cell, floor = -WIN, -1, alpha
        for cell in self._ordered(position, -1 if entry is None else entry.cell):
            score = self._after(position, cell, depth - 1, -beta, -floor)
            if score > best:
                best, best_cell = score, cell
            floor = max(floor, score)
            if floor >= beta:
                break
        bound = LOWER if best >= beta else UPPER if best <= alpha else EXACT
        self.table[slot] = Entry(position.own, position.other, depth, best, bound, best_cell)
        return best

    def _entry(self, position: Position, slot: int) -> Entry | None:
        entry = self.table.get(slot)
        if entry is not None and (entry.own, entry.other) == (position.own, position.other):
            return entry
        return None

    def _ordered(self, position: Position, first: int) -> list[int]:
        """The moves: ``first``, then by how many free cells would complete a line after them."""
        free = position.variant.board & ~position.occupied

        def promise(cell: int) -> int:
            if cell == first:
                return position.variant.cells
            return (completing_cells(position.own | 1 << cell, position.variant) & free).bit_count()

        return sorted(position.moves, key=promise, reverse=True)

    def _line(self, position: Position, most: int) -> list[int]:
        """The moves expected from here, as far as the table remembers them."""
        line: list[int] = []
        while len(line) < most and not position.is_over:
            entry = self._entry(position, slot_of(position.own, position.other))
            if entry is None:
                break
            line.append(entry.cell)
            position = position.play(entry.cell)
        return line
