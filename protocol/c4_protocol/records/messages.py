"""The messages of bots and referees, in a form that all dialects share.

Each class is also the definition of its message (``records/fields.py``). From it, the JSON Schema
is published (``records/schema.py``), correct lines are read, and pydantic explains what is wrong
with others (``records/validation.py``). The constructors check nothing. Nothing here reads or
writes bytes: ``c4_protocol.dialects`` turns lines into messages and messages into lines.
"""

from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Annotated, ClassVar, Literal, NamedTuple

from c4_protocol.program.errors import ImpossiblePosition, VariantError
from c4_protocol.records.fields import Constraint
from c4_protocol.rules.notation import check_not_over, grid_of, shown_position
from c4_protocol.rules.position import Position, Seat
from c4_protocol.rules.variant import MAX_SIDE, STANDARD, Variant

_CellField = Annotated[int, Constraint(ge=0, le=2)]
_ColumnField = Annotated[list[_CellField], Constraint(max_length=MAX_SIDE)]
_SeatField = Annotated[Seat, Constraint(int, ge=1, le=2)]
"""A seat. It is checked as an integer, because ``true`` and 1.0 pass pydantic's check of
``Literal[1, 2]``."""
_SizeField = Annotated[int, Constraint(gt=0)]
Milliseconds = Annotated[float, Constraint(ge=0, allow_inf_nan=False)]
Direction = Literal["horizontal", "vertical", "diagonal"]
ALL_DIRECTIONS: tuple[Direction, ...] = ("horizontal", "vertical", "diagonal")


_cached_variant = lru_cache(maxsize=64)(Variant)
"""Cached constructor of ``Variant``: precepts with equal rules share an object and its tables."""
_cached_rules = lru_cache(maxsize=64)(asdict)
"""Cached keys of a variant, with their values. The dictionary must not be changed."""


class Message:
    """Base class of messages in JSON. Values are not converted, and unknown keys are ignored."""

    __slots__ = ()
    __pydantic_config__: ClassVar = {
        "strict": True,
        "extra": "ignore",
        "use_attribute_docstrings": True,
    }


@dataclass(frozen=True, slots=True)
class Clock(Message):
    """Remaining time of a player for the whole game."""

    remaining_ms: Milliseconds
    increment_ms: Milliseconds = 0


Time = float | Clock
"""Time of a player: milliseconds for the move, or a clock for the game."""


@dataclass(frozen=True, slots=True)
class Precept(Message):
    """The whole state of a game, which the referee sends each time it asks for a move."""

    grid: Annotated[list[_ColumnField], Constraint(max_length=MAX_SIDE)]
    """The columns from left to right, each from the top: 0 is empty, 1 and 2 are the players."""
    player: _SeatField | None = None
    """The player to move, who never has more stones than the opponent. If missing, the player with
    fewer stones is to move, or player 1 if both have the same number."""
    width: _SizeField | None = None
    """Number of columns. If missing, it is taken from the grid."""
    height: _SizeField | None = None
    """Number of rows. If missing, it is taken from the grid."""
    time_ms: Milliseconds | None = None
    """Milliseconds for this move."""
    clock: Clock | None = None
    connect: int | None = None
    """Number of stones in a row that win. If missing, 4."""
    gravity: bool = True
    """True if stones fall."""
    directions: tuple[Direction, ...] = ALL_DIRECTIONS
    """The directions in which a line counts."""
    steal: bool = False
    """True if the first move of player 2 may be -2: it takes over the only stone."""

    @classmethod
    def of(cls, position: Position, time: Time | None = None) -> "Precept":
        """Return the precept of a position, with milliseconds for the move or a clock."""
        return cls(
            grid=grid_of(position),
            player=position.player,
            time_ms=None if isinstance(time, Clock) else time,
            clock=time if isinstance(time, Clock) else None,
            **_cached_rules(position.variant),
        )

    def variant(self, connect: int | None = None) -> Variant:
        """Return the variant. ``connect``, if given, replaces the value in the message.

        Raises ``ImpossiblePosition`` if the values do not define a variant.
        """
        width = self.width or len(self.grid)
        height = self.height or (len(self.grid[0]) if self.grid else 0)
        stones = connect or (STANDARD.connect if self.connect is None else self.connect)
        try:
            return _cached_variant(width, height, stones, self.gravity, self.directions, self.steal)
        except VariantError as error:
            raise ImpossiblePosition(str(error)) from None

    def shown(self, default_player: Seat | None = None, connect: int | None = None) -> Position:
        """Return the position on the grid, even if the game is over.

        ``default_player`` is to move if the precept does not name a player and the numbers of
        stones do not show who is to move. ``connect``, if given, replaces the value in the message.
        Raises ``ImpossiblePosition`` for a position that breaks the rules.
        """
        position = shown_position(self.grid, self.variant(connect), self.player)
        if self.player is None and default_player and position.ply % 2 == 0:
            return replace(position, player=default_player)
        return position

    def position(self, default_player: Seat | None = None) -> Position:
        """Return the position on the grid.

        ``default_player`` is as in ``shown``. Raises ``ImpossiblePosition`` for a position that
        breaks the rules or in which the game is over.
        """
        position = self.shown(default_player)
        check_not_over(position)
        return position


@dataclass(frozen=True, slots=True)
class Info(Message):
    """Information about the search that chose a move."""

    score: float
    """Score of the move for the player who makes it. If `exact`, 0 is a draw, a win is 1 plus the
    number of stones that the winner has left, and a loss is the negative of the opponent's win.
    Otherwise the score is an evaluation, except that 1000000 and -1000000 mean a forced win and a
    forced loss whose length is not proven."""
    exact: bool
    """True if the score is proven, including the length of a win or loss."""
    depth: int
    """Search depth in plies."""
    nodes: int
    """Number of positions visited."""
    ms: Milliseconds
    """Milliseconds from precept to answer."""
    pv: list[int | tuple[int, int]]
    """Principal variation: the expected moves, beginning with this move."""
    reason: str = ""
    """Reason for the move, in words."""
    scores: tuple[tuple[int | tuple[int, int], float], ...] = ()
    """Moves whose scores are known, each with its score. Scores are as in `score`."""
    sees: str = ""
    """What the evaluation counts in the position, in words."""


@dataclass(frozen=True, slots=True)
class Move(Message):
    """A bot's answer: a column, or without gravity a column and a row.

    Both count from 0, rows from the top.
    """

    move: int | tuple[int, int]
    info: Info | None = None


class MoveRequest(NamedTuple):
    """A request for a move. ``BotEnd.write_move`` writes the answer."""

    precept: Precept


class PerftRequest(NamedTuple):
    """A request for ``perft(position, depth)``. ``BotEnd.write_perft`` writes the answer."""

    position: Position
    depth: int


class Reply(NamedTuple):
    """Bytes to send back immediately; empty if the line needs no reply."""

    text: bytes = b""
