"""Variants of the game: the size of the board, the length of a line, and where stones may go.

A board is an int. The cell in column x and row y (from the bottom) is bit ``x * (height + 1) + y``.
The columns follow one another, and the bit above each column is always 0, so that a shifted board
cannot wrap from one column into the next::

     6 13 20 27 34 41 48     <- always 0
    ---------------------
     5 12 19 26 33 40 47     <- top row
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42     <- bottom row
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from c4_protocol.program.errors import VariantError
from c4_protocol.program.text import shortened, shown

HORIZONTAL = "horizontal"
VERTICAL = "vertical"
DIAGONAL = "diagonal"
DIRECTIONS = (HORIZONTAL, VERTICAL, DIAGONAL)
STEAL = -2
"""The move with which player 2 takes over the first stone of player 1, where a cell or a column is
expected. CodinGame's referee writes it as this number."""
MAX_SIDE = 52
"""Maximum number of columns and of rows. Each row and column needs a name of one character in
``c4_protocol.rules.notation``, and a precept must not make a bot build huge tables."""
MAX_STEAL_WIDTH = 27
"""Maximum number of columns in a game with the steal. In move strings, the name of the steal is the
letter ``s``, which is also the name of the 28th column."""


def cells_of(board: int) -> Iterator[int]:
    """Yield the cells of a bitboard, lowest bit first: column by column, each from the bottom."""
    while board:
        yield (board & -board).bit_length() - 1
        board &= board - 1


@dataclass(frozen=True)
class Variant:
    """A game of the Connect Four family.

    ``width`` and ``height`` count cells, ``connect`` counts the stones of a line. With ``gravity``
    a stone falls to the lowest free cell of its column. Without gravity a stone may go to any free
    cell. ``directions`` names the directions in which a line counts. With ``steal``, the first move
    of player 2 may be ``STEAL``: the stone that player 1 has just played becomes a stone of
    player 2, and it is the turn of player 1.

    Raises ``VariantError`` for values that do not define a game.
    """

    width: int = 7
    height: int = 6
    connect: int = 4
    gravity: bool = True
    directions: tuple[str, ...] = DIRECTIONS
    steal: bool = False

    def __post_init__(self) -> None:
        self._check_types()
        if not (1 <= self.width <= MAX_SIDE and 1 <= self.height <= MAX_SIDE):
            size = f"{shown(self.width)}x{shown(self.height)}"
            raise VariantError(f"a board is 1 to {MAX_SIDE} wide and high, not {size}")
        if not 2 <= self.connect <= MAX_SIDE:
            raise VariantError(f"a line has 2 to {MAX_SIDE} stones, not {shown(self.connect)}")
        ordered = tuple(name for name in DIRECTIONS if name in self.directions)
        if not ordered or set(ordered) != set(self.directions):
            raise VariantError(f"directions are one or more of {', '.join(DIRECTIONS)}")
        object.__setattr__(self, "directions", ordered)
        if self.steal and not self.gravity:
            raise VariantError("a stone can be stolen only in a game with gravity")
        if self.steal and self.width > MAX_STEAL_WIDTH:
            raise VariantError(f"a game with the steal has at most {MAX_STEAL_WIDTH} columns")

    def _check_types(self) -> None:
        """Raise ``VariantError`` for fields of a wrong type, and make whole numbers ``int``."""
        for name in ("width", "height", "connect"):
            value = getattr(self, name)
            if type(value) is not int:
                object.__setattr__(self, name, _whole_number(name, value))
        for name in ("gravity", "steal"):
            value = getattr(self, name)
            if type(value) is not bool:
                raise VariantError(f"{name} is true or false, not {shown(value)}")
        names: object = self.directions
        if not (isinstance(names, tuple | list) and all(isinstance(one, str) for one in names)):
            raise VariantError(f"directions are one or more of {', '.join(DIRECTIONS)}")

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Hash of the size and the length of a line. It is needed often, for caches."""
        return hash((self.width, self.height, self.connect))

    @classmethod
    def parse(cls, text: str) -> "Variant":
        """Return the variant that a text names.

        Texts are ``standard``, ``line8``, ``codingame``, ``WxH`` and ``WxHxK``. The last two can be
        followed by ``+steal``. Raises ``VariantError`` for any other text.
        """
        if not isinstance(text, str):
            raise VariantError(f"a variant is a text such as '8x7', not {shown(text)}")
        if text in VARIANTS_BY_NAME:
            return VARIANTS_BY_NAME[text]
        match = re.fullmatch(r"(\d{1,4})x(\d{1,4})(?:x(\d{1,4}))?(\+steal)?", text, re.ASCII)
        if match is None:
            raise VariantError(
                f"no variant {shortened(text)}: say standard, 8x7, 9x7x5, line8 or codingame"
            )
        sizes = int(match[1]), int(match[2]), int(match[3] or 4)
        return cls(*sizes, steal=bool(match[4]))

    def __str__(self) -> str:
        for name, variant in VARIANTS_BY_NAME.items():
            if variant == self:
                return name
        rules = "+steal" if self.steal else ""
        rules += "" if self.gravity else " free"
        if self.directions != DIRECTIONS:
            rules += " " + "+".join(self.directions)
        return f"{self.size}x{self.connect}{rules}"

    @property
    def size(self) -> str:
        """The size of the board as people write it, such as ``7x6``."""
        return f"{self.width}x{self.height}"

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.width * self.height

    @property
    def max_plies(self) -> int:
        """The number of moves of the longest game. The steal is a move that adds no stone."""
        return self.cells + self.steal

    @property
    def has_only_columns(self) -> bool:
        """True if all moves are columns: stones fall, and no stone can be stolen."""
        return self.gravity and not self.steal

    @cached_property
    def without_steal(self) -> "Variant":
        """The same game without the steal; the variant itself if it has none."""
        return replace(self, steal=False) if self.steal else self

    @cached_property
    def stride(self) -> int:
        """The number of bits from a cell to its right neighbour."""
        return self.height + 1

    @cached_property
    def bits(self) -> int:
        """The number of bits of a board, including the bit above each column."""
        return self.width * self.stride

    @cached_property
    def bottom(self) -> int:
        """The lowest cells of all columns, as a bitboard."""
        return sum(1 << (x * self.stride) for x in range(self.width))

    @cached_property
    def board(self) -> int:
        """All cells, as a bitboard."""
        return self.bottom * ((1 << self.height) - 1)

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The cells of each column as a bitboard, from left to right."""
        column = (1 << self.height) - 1
        return tuple(column << (x * self.stride) for x in range(self.width))

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """The number of bits from a cell to the next cell of a line, for each direction.

        The order is right, up, up-right, down-right. Directions that do not count are left out.
        """
        steps = {
            HORIZONTAL: (self.stride,),
            VERTICAL: (1,),
            DIAGONAL: (self.stride + 1, self.stride - 1),
        }
        return tuple(step for name in self.directions for step in steps[name])

    @cached_property
    def shifts(self) -> tuple[tuple[int, ...], ...]:
        """The shifts that find a line, for each direction of ``steps``.

        If a board is replaced by the AND of itself and its copy shifted right, for each shift in
        turn, the cells that are left begin lines. The length that was checked doubles each time, so
        a line of n stones takes about log2(n) shifts.
        """
        growths, length = [], 1
        while length < self.connect:
            growths.append(min(length, self.connect - length))
            length += growths[-1]
        return tuple(tuple(growth * step for growth in growths) for step in self.steps)

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """All lines as bitboards, ordered by direction, then by cell."""
        shapes = [sum(1 << (i * step) for i in range(self.connect)) for step in self.steps]
        return tuple(
            shape << cell
            for shape in shapes
            for cell in range(self.bits)
            if shape << cell & ~self.board == 0
        )

    @cached_property
    def choices(self) -> tuple[int, ...]:
        """The choices of a player as bitboards: columns, or without gravity single cells.

        The choices nearest to the centre come first. Choices at the same distance are in the order
        of their bits. On 7x6 the order of the columns is 3 2 4 1 5 0 6, the base order of seed
        document 002_2e672595a1129957.txt.
        """
        choices = self.columns if self.gravity else [1 << cell for cell in cells_of(self.board)]
        return tuple(sorted(choices, key=self._squared_distance_from_centre))

    def _squared_distance_from_centre(self, choice: int) -> int:
        """Return the squared distance of a choice from the centre, in units of half a cell."""
        cell = choice.bit_length() - 1
        across = 2 * self.column_of(cell) - self.width + 1
        up = 0 if self.gravity else 2 * self.row_of(cell) - self.height + 1
        return across * across + up * up

    def cell(self, column: int, row: int) -> int:
        """Return the bit index of a cell; column and row count from 0, rows from the bottom."""
        return column * self.stride + row

    def column_of(self, cell: int) -> int:
        """Return the column of a cell, counting from 0."""
        return cell // self.stride

    def row_of(self, cell: int) -> int:
        """Return the row of a cell, counting from 0 at the bottom."""
        return cell % self.stride

    def move_in_words(self, column: int, row: int | None = None, written: str = "") -> str:
        """Return a move of a program with what it means to people: ``7 would be column 8``.

        The numbers count from 0, rows from the top, and may be outside of the board. ``written`` is
        the move as the program wrote it, if not in these numbers.
        """
        if column == STEAL and self.steal and row is None:
            return f"{column} is the steal"
        is_on_board = column in range(self.width) and row in (None, *range(self.height))
        verb, place = "is" if is_on_board else "would be", f"column {column + 1}"
        if row is None:
            return f"{written or column} {verb} {place}"
        return f"[{column}, {row}] {verb} {place}, row {row + 1} from the top"


def _whole_number(name: str, value: object) -> int:
    """Return a value of another type than ``int`` as ``int``; raise ``VariantError``."""
    from c4_protocol.program.numbers import whole_number_of  # noqa: PLC0415 - hardly any program needs it

    if (number := whole_number_of(value)) is None:
        raise VariantError(f"{name} is a whole number, not {shown(value)}")
    return number


STANDARD = Variant()
LINE8 = Variant(8, 8, 4, gravity=False, directions=(HORIZONTAL, VERTICAL))
CODINGAME = Variant(9, 7, steal=True)
VARIANTS_BY_NAME = {"standard": STANDARD, "line8": LINE8, "codingame": CODINGAME}
EXAMPLE_VARIANTS = (*VARIANTS_BY_NAME, "8x7", "9x7x5", "7x6+steal")
"""Variants that a shell offers. Others exist."""
