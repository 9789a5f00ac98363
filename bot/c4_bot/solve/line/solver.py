"""Forced wins in games without gravity, found by the core.

The core packs boards without the gaps of ``rules/variant.py``: cell (column x, row y from the
bottom) is bit ``x * height + y``.
"""

from dataclasses import dataclass

from c4_protocol.rules.notation import check_not_over
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.contract import Limits
from c4_bot.native import Halves, Stones, core, halves, is_core_available, native_limits, sizes

MAX_CELLS = 128
"""Maximum number of cells of a board in the core."""
HASH_MB = 16
"""Default size of the table of positions, in MiB. With 64 MiB the proof that a win in line8 takes 7
stones needs the same time. But the first win takes one and a half times as long to find, because
more pages of memory are used."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a proof: the winner's move in a position, and the answers to the replies.

    In ``position`` the winner is the player to move. ``cell`` is the winner's move. ``cell`` is
    ``None`` if it is the opponent's turn. The winner needs at most ``most`` more stones. A reply
    either leads to the position of another step, which may be rotated or mirrored, or one of the
    ``lines`` wins against it. A line holds a cell of the winner, the reply that it forces, and so
    on. After its last cell the winner has won, or has two ways to win.
    """

    position: Position
    cell: int | None
    most: int
    lines: tuple[tuple[int, ...], ...]


def is_native(variant: Variant) -> bool:
    """Return whether the core searches a variant for forced wins."""
    return not variant.gravity and variant.cells <= MAX_CELLS and is_core_available()


@dataclass(frozen=True, slots=True)
class LineSolution:
    """The answer of a ``LineSolver``, and the number of nodes visited.

    ``holds`` is true for yes, false for no, and ``None`` if the limits were reached. If the player
    to move wins, ``cell`` is the first move of a win.
    """

    holds: bool | None
    nodes: int
    cell: int | None = None


class LineSolver:
    """A solver that proves wins in one variant, and remembers what it found.

    ``hash_mb`` is the size of its table in MiB, at least 1. In all methods, ``max_stones`` is the
    maximum number of stones that the winner still plays. ``max_plain`` is the maximum number of
    plain moves among them. A plain move threatens no win by fours (see
    ``bot/native/line/attack.hpp``). If ``max_plain`` is at least ``max_stones``, the search is
    complete.

    One thread at a time uses the solver; the others wait. All methods raise ``ImpossiblePosition``
    when the game is over.
    """

    def __init__(self, variant: Variant, hash_mb: int = HASH_MB) -> None:
        self.variant = variant
        self._core = core.LineSolver(sizes(variant), hash_mb)

    def forget(self) -> None:
        """Forget all positions."""
        self._core.forget()

    def wins(
        self, position: Position, max_stones: int, max_plain: int, limits: Limits
    ) -> LineSolution:
        """Find whether the player to move can win with at most ``max_stones`` more stones."""
        return self._solve(position, True, max_stones, max_plain, limits)

    def loses(
        self, position: Position, max_stones: int, max_plain: int, limits: Limits
    ) -> LineSolution:
        """Find whether the player to move loses.

        The player loses if, after each of the player's moves, the opponent can win with at most
        ``max_stones`` more stones.
        """
        return self._solve(position, False, max_stones, max_plain, limits)

    def _solve(
        self, position: Position, wins: bool, max_stones: int, max_plain: int, limits: Limits
    ) -> LineSolution:
        check_not_over(position)
        asked = self._packed_stones(position), wins, max_stones, max_plain, native_limits(limits)
        holds, cell, nodes = self._core.solve(*asked)
        return LineSolution(holds, nodes, None if cell < 0 else self._unpacked_cell(cell))

    def proof(
        self, position: Position, wins: bool, max_stones: int, max_plain: int, limits: Limits
    ) -> list[Step] | None:
        """Return the steps of a win or a loss that was found with the same maxima.

        The first step is for ``position``. A position and its images (rotated or mirrored) share
        one step. Return ``None`` if the limits are reached first.
        """
        check_not_over(position)
        asked = self._packed_stones(position), wins, max_stones, max_plain, native_limits(limits)
        steps = self._core.proof(*asked)
        return None if steps is None else [self._step_from_core(*step) for step in steps]

    def _step_from_core(
        self, own: Halves, other: Halves, cell: int, most: int, lines: list[list[int]]
    ) -> Step:
        position = Position(self.variant, (self._unpacked_board(own), self._unpacked_board(other)))
        unpacked = tuple(tuple(map(self._unpacked_cell, line)) for line in lines)
        return Step(position, None if cell < 0 else self._unpacked_cell(cell), most, unpacked)

    def _packed_stones(self, position: Position) -> Stones:
        own, other = (
            halves(self._repacked(stones, self.variant.stride, self.variant.height))
            for stones in (position.own, position.other)
        )
        return own, other

    def _unpacked_board(self, packed: Halves) -> int:
        board = packed[0] | packed[1] << 64
        return self._repacked(board, self.variant.height, self.variant.stride)

    def _repacked(self, board: int, before: int, after: int) -> int:
        """Return a board whose columns begin ``after`` bits apart, instead of ``before``."""
        width, column = self.variant.width, self.variant.columns[0]
        return sum((board >> x * before & column) << x * after for x in range(width))

    def _unpacked_cell(self, packed: int) -> int:
        return self.variant.cell(*divmod(packed, self.variant.height))
