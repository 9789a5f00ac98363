"""An immutable position, and the rules: who may play where, and who has won."""

from dataclasses import dataclass

from c4_protocol.errors import IllegalMove
from c4_protocol.variant import STANDARD, Variant


def has_line(stones: int, variant: Variant) -> bool:
    """Whether the stones hold ``connect`` in a row.

    A board shifted onto itself keeps the cells whose neighbour is there too; doubling the
    shift finds a line of any length in a logarithm of its length.
    """
    connect = variant.connect
    for step in variant.steps:
        run, length = stones, 1
        while run and length < connect:
            # Not min(), a call of which takes longer than all else here.
            grow = length if 2 * length <= connect else connect - length
            run &= run >> (grow * step)
            length += grow
        if run:
            return True
    return False


def completing_cells(stones: int, variant: Variant) -> int:
    """The cells, taken or not, on which one more stone completes a line.

    ``before[i]`` are the cells with ``i`` stones directly before them along the direction,
    ``after`` those with stones behind; a cell completes where both together make up a line.
    """
    found, board, distances = 0, variant.board, range(1, variant.connect)
    for step in variant.steps:
        cells, before = board, [board]
        for _ in distances:
            cells = (cells & stones) << step
            before.append(cells)
        after = board
        for stones_before in reversed(before):
            found |= stones_before & after
            after = (after & stones) >> step
    return found & board


@dataclass(frozen=True, slots=True)
class Position:
    """Stones on a board and whose turn it is.

    ``stones`` are the bitboards of players 1 and 2 (see ``c4_protocol.variant`` for the bits);
    ``player`` is to move. A move is a cell: the bit index of the new stone.
    """

    variant: Variant = STANDARD
    stones: tuple[int, int] = (0, 0)
    player: int = 1

    @property
    def own(self) -> int:
        """The stones of the player to move."""
        return self.stones[self.player - 1]

    @property
    def other(self) -> int:
        """The stones of the player who just moved."""
        return self.stones[2 - self.player]

    @property
    def occupied(self) -> int:
        """All stones."""
        return self.stones[0] | self.stones[1]

    @property
    def ply(self) -> int:
        """How many stones are down."""
        return self.occupied.bit_count()

    @property
    def playable(self) -> int:
        """The cells that the next stone may take, as a bitboard."""
        free = self.variant.board & ~self.occupied
        if self.variant.gravity:
            return (self.occupied + self.variant.bottom) & free
        return free

    @property
    def winning_cells(self) -> int:
        """The cells on which the player to move completes a line now, as a bitboard."""
        return completing_cells(self.own, self.variant) & self.playable

    @property
    def opponent_winning_cells(self) -> int:
        """The cells on which the opponent would complete a line now, as a bitboard."""
        return completing_cells(self.other, self.variant) & self.playable

    @property
    def moves(self) -> list[int]:
        """The legal moves, centre first."""
        playable = self.playable
        return [
            (playable & choice).bit_length() - 1
            for choice in self.variant.choices
            if playable & choice
        ]

    @property
    def is_full(self) -> bool:
        """Whether no cell is free."""
        return self.occupied == self.variant.board

    @property
    def winner(self) -> int:
        """1 or 2 if that player holds a line, else 0."""
        for player in (1, 2):
            if has_line(self.stones[player - 1], self.variant):
                return player
        return 0

    @property
    def is_over(self) -> bool:
        """Whether the game has ended here."""
        return self.is_full or self.winner != 0

    @property
    def is_won(self) -> bool:
        """Whether the player who just moved holds a line."""
        return has_line(self.other, self.variant)

    def play(self, cell: int) -> "Position":
        """The position after a move; the move must be legal (see ``check``)."""
        first, second = self.stones
        if self.player == 1:
            return Position(self.variant, (first | 1 << cell, second), 2)
        return Position(self.variant, (first, second | 1 << cell), 1)

    def check(self, column: int, row: int | None = None) -> int:
        """The cell that a move into ``column`` takes, or without gravity into ``column``, ``row``.

        Both count from 0, rows from the top, as on the wire. Raises ``IllegalMove``.
        """
        variant = self.variant
        if not 0 <= column < variant.width:
            raise IllegalMove(f"column {column} is not on the board (0 to {variant.width - 1})")
        if variant.gravity:
            free = self.playable & variant.columns[column]
            if not free:
                raise IllegalMove(f"column {column} is full (counting from 0)")
            return free.bit_length() - 1
        if row is None or not 0 <= row < variant.height:
            raise IllegalMove(f"row {row} is not on the board (0 to {variant.height - 1})")
        cell = variant.cell(column, variant.height - 1 - row)
        if self.occupied >> cell & 1:
            raise IllegalMove(f"cell {column},{row} is taken (column and row, counting from 0)")
        return cell

    def mirrored(self) -> "Position":
        """The same position seen in a mirror: the leftmost column becomes the rightmost."""
        variant = self.variant

        def mirror(board: int) -> int:
            last = (variant.width - 1) * variant.stride
            shifts = range(0, variant.bits, variant.stride)
            return sum((board >> x & variant.columns[0]) << (last - x) for x in shifts)

        return Position(variant, (mirror(self.stones[0]), mirror(self.stones[1])), self.player)
