"""An immutable position and the rules: which moves are legal, and whether somebody has won."""

from dataclasses import dataclass
from typing import Literal

from c4_protocol.program.errors import IllegalMove
from c4_protocol.rules.variant import STANDARD, STEAL, Variant

Seat = Literal[1, 2]
"""A player of one game: 1 moves first, 2 moves second. It is not an index that counts from 0."""

SEATS: tuple[Seat, Seat] = (1, 2)


def other_seat(seat: Seat) -> Seat:
    """Return the seat of the opponent."""
    return 2 if seat == 1 else 1


def seat_at(ply: int) -> Seat:
    """Return the seat to move at a ply, counting from 0, of a game that player 1 opened."""
    return 1 if ply % 2 == 0 else 2


def has_line(stones: int, variant: Variant) -> bool:
    """Return whether the bitboard ``stones`` contains ``connect`` stones in a row.

    The AND of a board and its shifted copy contains the cells whose neighbour has a stone, too
    (see ``Variant.shifts``).
    """
    for shifts in variant.shifts:
        run = stones
        for shift in shifts:
            run &= run >> shift
        if run:
            return True
    return False


def completing_cells(stones: int, variant: Variant) -> int:
    """Return the cells, taken or free, on which one more stone completes a line.

    The cells in ``before[i]`` have ``i`` or more stones directly before them in the direction of a
    line. The cells in ``after`` have 0 or more stones directly behind them, and in each step of the
    last loop one more. A cell completes a line if the two numbers add up to ``connect - 1``.
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


def marked_cell(position: "Position", move: int) -> int:
    """Return the cell that shows a move on a board: its own, or that of the stolen stone.

    ``position`` is the position after the move, or after another move in its place.
    """
    if move != STEAL:
        return move
    first, second = position.stones
    return (first or second).bit_length() - 1


@dataclass(frozen=True, slots=True)
class Position:
    """Stones on a board and the player to move.

    ``stones`` are the bitboards of players 1 and 2 (see ``rules/variant.py`` for the bits).
    ``player`` is the seat to move. A move is a cell: the bit index of the new stone. In a variant
    with the steal, a move can also be ``STEAL``.
    """

    variant: Variant = STANDARD
    stones: tuple[int, int] = (0, 0)
    player: Seat = 1

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
        """The number of stones on the board."""
        return self.occupied.bit_count()

    @property
    def playable(self) -> int:
        """The cells where the next stone may go, as a bitboard."""
        variant, occupied = self.variant, self.stones[0] | self.stones[1]
        free = variant.board & ~occupied
        return (occupied + variant.bottom) & free if variant.gravity else free

    @property
    def winning_cells(self) -> int:
        """The cells on which the player to move completes a line now, as a bitboard."""
        return completing_cells(self.own, self.variant) & self.playable

    @property
    def opponent_winning_cells(self) -> int:
        """The cells on which the opponent would complete a line now, as a bitboard."""
        return completing_cells(self.other, self.variant) & self.playable

    @property
    def can_steal(self) -> bool:
        """True if the player to move may play ``STEAL``: the only stone is that of player 1.

        On a board of one cell this stone ends the game, and cannot be stolen.
        """
        if not self.variant.steal or self.player == 1:
            return False
        first, second = self.stones
        return not second and first.bit_count() == 1 and not self.is_full

    @property
    def steal_is_ahead(self) -> bool:
        """True if the steal may be the next move or the move after it."""
        if not self.variant.steal:
            return False
        is_start = self.player == 1 and not self.occupied and self.variant.cells > 1
        return is_start or self.can_steal

    @property
    def without_steal(self) -> "Position":
        """The same stones in the game without the steal; the position itself if it has none."""
        variant = self.variant.without_steal
        return self if variant is self.variant else Position(variant, self.stones, self.player)

    @property
    def moves(self) -> list[int]:
        """The legal moves as cells, those nearest to the centre first; ``STEAL`` is the last.

        This property does not check whether the game is over.
        """
        variant, playable = self.variant, self.playable
        moves = [
            (playable & choice).bit_length() - 1 for choice in variant.choices if playable & choice
        ]
        if self.player == 2 and variant.steal and self.can_steal:
            moves.append(STEAL)
        return moves

    @property
    def is_full(self) -> bool:
        """True if no cell is free."""
        return self.occupied == self.variant.board

    @property
    def winner(self) -> Seat | Literal[0]:
        """The player who has a line, 1 or 2; 0 if no player has a line."""
        for seat in SEATS:
            if has_line(self.stones[seat - 1], self.variant):
                return seat
        return 0

    @property
    def complete_lines(self) -> list[int]:
        """The complete lines of both players, as bitboards."""
        return [
            line
            for stones in self.stones
            if has_line(stones, self.variant)
            for line in self.variant.lines
            if line & stones == line
        ]

    @property
    def is_over(self) -> bool:
        """True if the game has ended: a player has a line, or the board is full."""
        return self.is_full or self.winner != 0

    @property
    def is_won(self) -> bool:
        """True if the player who just moved has a line."""
        return has_line(self.other, self.variant)

    def play(self, cell: int) -> "Position":
        """Return the position after a move, which must be legal (see ``check``)."""
        first, second = self.stones
        if self.player == 1:
            return Position(self.variant, (first | 1 << cell, second), 2)
        if cell == STEAL:
            return Position(self.variant, (0, first), 1)
        return Position(self.variant, (first, second | 1 << cell), 1)

    def check(self, column: int, row: int | None = None, written: str = "") -> int:
        """Return the cell of a move: in ``column``, and without gravity in ``row``.

        Both count from 0, rows from the top, as in messages. The column ``STEAL`` is the steal.
        Raises ``IllegalMove``, which shows the move as it was ``written``, by default in numbers.
        """
        variant = self.variant
        if column == STEAL and variant.steal and row is None:
            if not self.can_steal:
                raise IllegalMove("only the first move of player 2 can be the steal")
            return STEAL
        right, bottom = variant.width - 1, variant.height - 1
        if variant.gravity != (row is None):
            problem = ": without gravity say [column, row]"
            if variant.gravity:
                problem = ": stones fall, so say the column alone"
        elif 0 <= column <= right and 0 <= (row or 0) <= bottom:
            cells = variant.columns[column]
            if row is not None:
                cells = 1 << variant.cell(column, bottom - row)
            if free := self.playable & cells:
                return free.bit_length() - 1
            problem = f", which is {'full' if variant.gravity else 'taken'}"
        else:
            first, last = (0, right) if row is None else ([0, 0], [right, bottom])
            moves = "" if written else f"moves are {first} to {last}, "
            rows = "" if row is None else f", rows 1 to {variant.height}"
            problem = f": {moves}columns 1 to {variant.width}{rows}"
        raise IllegalMove(variant.move_in_words(column, row, written) + problem)

    def mirrored(self) -> "Position":
        """Return the mirror image: the leftmost column becomes the rightmost."""
        variant = self.variant

        def mirror(board: int) -> int:
            last = (variant.width - 1) * variant.stride
            shifts = range(0, variant.bits, variant.stride)
            return sum((board >> x & variant.columns[0]) << (last - x) for x in shifts)

        return Position(variant, (mirror(self.stones[0]), mirror(self.stones[1])), self.player)

    def _repr_svg_(self) -> str:
        """Return a picture, which notebooks show. Columns count from 1, as in move strings."""
        from c4_protocol.rules.picture import board_svg  # noqa: PLC0415 - games do not need it

        return board_svg(self)
