"""Forced wins in games in which stones go anywhere, found natively.

The core packs boards without the gaps of ``c4_protocol.variant``: cell (column x, row y from the
bottom) is bit ``x * height + y``.
"""

from dataclasses import dataclass
from typing import Any

from c4_protocol.position import Position
from c4_protocol.variant import Variant

from c4_bot.contract import Limits
from c4_bot.native import Halves, Stones, available, halves, native_limits, sizes

MAX_CELLS = 128
HASH_MB = 16
"""Megabytes for what is remembered of positions. To prove that line8 takes 7 stones from nothing
takes as long with 64; to find the first win takes half as long again, as more pages are touched."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a proof: what the winner plays in a position that he sees as the one to move.

    ``cell`` is ``None`` where it is not his turn; with at most ``most`` stones he has won. Against
    each reply that leads to no other step, or an image of one, one of the ``lines`` wins: cells of
    stones of his and of forced replies in turn, up to the stone that completes a line, or leaves
    two ways to do so.
    """

    position: Position
    cell: int | None
    most: int
    lines: tuple[tuple[int, ...], ...]


def is_native(variant: Variant) -> bool:
    """Whether the core searches a variant for forced wins."""
    return not variant.gravity and variant.cells <= MAX_CELLS and available()


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to one question, ``None`` when the limits were reached before; the nodes it took.

    ``cell`` is the first move of a win.
    """

    holds: bool | None
    nodes: int
    cell: int | None = None


class LineSolver:
    """Asks the core about positions of one variant; what it finds out is remembered.

    ``most`` is always a number of stones of the player who wins, ``plain`` how many of them may be
    moves that threaten no win by fours (see ``bot/native/line/attack.hpp``): with ``most`` of
    these the search is complete. ``hash_mb`` is the size of the memory in megabytes.
    """

    def __init__(self, variant: Variant, hash_mb: int = HASH_MB) -> None:
        from c4_bot import _core  # noqa: PLC0415 - it may not be there

        self.variant = variant
        self._core: Any = _core.LineSolver(sizes(variant), hash_mb)

    def forget(self) -> None:
        """Forgets all positions."""
        self._core.forget()

    def wins(self, position: Position, most: int, plain: int, limits: Limits) -> Found:
        """Whether the player to move wins with at most ``most`` stones."""
        holds, cell, nodes = self._core.wins(
            self._stones(position), most, plain, native_limits(limits)
        )
        return Found(holds, nodes, self._cell(cell) if holds else None)

    def loses(self, position: Position, most: int, plain: int, limits: Limits) -> Found:
        """Whether the other player wins with at most ``most`` stones, whatever is played now."""
        holds, _, nodes = self._core.loses(
            self._stones(position), most, plain, native_limits(limits)
        )
        return Found(holds, nodes)

    def proof(
        self, position: Position, wins: bool, most: int, plain: int, limits: Limits
    ) -> list[Step] | None:
        """How the player to move wins, or loses, where that was found out by the same numbers.

        The first step is that of the position. Positions of which one is an image of the other
        have one step. ``None`` when the limits are reached before all is written down.
        """
        steps = self._core.proof(self._stones(position), wins, most, plain, native_limits(limits))
        return None if steps is None else [self._step(*step) for step in steps]

    def _step(
        self, own: Halves, other: Halves, cell: int, most: int, lines: list[list[int]]
    ) -> Step:
        position = Position(self.variant, (self._unpacked(own), self._unpacked(other)))
        unpacked = (tuple(map(self._cell, line)) for line in lines)
        return Step(position, None if cell < 0 else self._cell(cell), most, tuple(unpacked))

    def _stones(self, position: Position) -> Stones:
        return halves(self._packed(position.own)), halves(self._packed(position.other))

    def _packed(self, board: int) -> int:
        variant, column = self.variant, self.variant.columns[0]
        return sum(
            (board >> x * variant.stride & column) << x * variant.height
            for x in range(variant.width)
        )

    def _unpacked(self, packed: Halves) -> int:
        variant, column = self.variant, self.variant.columns[0]
        board = packed[0] | packed[1] << 64
        return sum(
            (board >> x * variant.height & column) << x * variant.stride
            for x in range(variant.width)
        )

    def _cell(self, packed: int) -> int:
        return self.variant.cell(*divmod(packed, self.variant.height))
