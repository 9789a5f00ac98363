"""The messages of bots and referees, whatever dialect they are written in.

Precepts and moves are checked by pydantic and published as JSON Schema (``c4_protocol.schema``).
Nothing here reads or writes bytes: ``c4_protocol.dialects`` turns lines into messages and back.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, GetPydanticSchema, PositiveInt, ValidationError

from c4_protocol.errors import ImpossiblePosition, VariantError
from c4_protocol.notation import check_not_over, grid_of, shown_position
from c4_protocol.position import Position, Seat
from c4_protocol.variant import MAX_SIDE, Variant

_Cell = Annotated[int, Field(ge=0, le=2)]
_Column = Annotated[list[_Cell], Field(max_length=MAX_SIDE)]
_SeatNumber = Annotated[int, Field(ge=1, le=2)]
_Seat = Annotated[Seat, GetPydanticSchema(lambda _, handler: handler(_SeatNumber))]
"""A seat, checked as an integer: pydantic's check of ``Literal[1, 2]`` accepts ``true`` and 1.0."""
Milliseconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Direction = Literal["horizontal", "vertical", "diagonal"]
ALL_DIRECTIONS: list[Direction] = ["horizontal", "vertical", "diagonal"]


_variant = lru_cache(maxsize=64)(Variant)
"""Cached constructor of ``Variant``: an object builds its tables once and serves all precepts."""


class Message(BaseModel):
    """Base of the checked messages: immutable, no conversions, unknown keys are ignored."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class Clock(Message):
    """Remaining time of a player for the whole game."""

    remaining_ms: Milliseconds
    increment_ms: Milliseconds = 0


@dataclass(slots=True)
class UncheckedClock:
    """A ``Clock`` without checks, for the referee, which makes one for every move."""

    remaining_ms: float
    increment_ms: float


Time = float | Clock | UncheckedClock
"""Time of a player: milliseconds for the move, or a clock for the game."""


class Precept(Message):
    """A question for a move: the whole state of the game, sent for every move."""

    grid: Annotated[list[_Column], Field(max_length=MAX_SIDE)] = Field(
        description="The columns from left to right, each from the top: 0 is empty, 1 and 2 are "
        "the players."
    )
    player: _Seat | None = Field(
        None,
        description="The player to move. If missing, the player with fewer stones; player 1 if "
        "both have as many.",
    )
    width: PositiveInt | None = Field(
        None, description="Number of columns. If missing, that of the grid."
    )
    height: PositiveInt | None = Field(
        None, description="Number of rows. If missing, that of the grid."
    )
    time_ms: Milliseconds | None = Field(None, description="Milliseconds for this move.")
    clock: Clock | None = None
    connect: int = Field(4, description="Number of stones in a row that win.")
    gravity: bool = Field(True, description="Whether stones fall.")
    directions: list[Direction] = Field(
        ALL_DIRECTIONS, description="The directions in which a line counts."
    )

    @classmethod
    def of(cls, position: Position, time: float | Clock | None = None) -> "Precept":
        """Return the precept of a position, with milliseconds for the move or a clock."""
        variant = position.variant
        return cls(
            grid=grid_of(position),
            player=position.player,
            width=variant.width,
            height=variant.height,
            time_ms=None if isinstance(time, Clock) else time,
            clock=time if isinstance(time, Clock) else None,
            connect=variant.connect,
            gravity=variant.gravity,
            directions=[name for name in ALL_DIRECTIONS if name in variant.directions],
        )

    @property
    def states_connect(self) -> bool:
        """True if the message contains ``connect``."""
        return "connect" in self.model_fields_set

    def variant(self, connect: int | None = None) -> Variant:
        """Return the variant, with lines of ``connect`` stones if that is given.

        Raises ``ImpossiblePosition``.
        """
        width = self.width or len(self.grid)
        height = self.height or (len(self.grid[0]) if self.grid else 0)
        stones = connect or self.connect
        try:
            return _variant(width, height, stones, self.gravity, tuple(self.directions))
        except VariantError as error:
            raise ImpossiblePosition(str(error)) from None

    def shown(self, default_player: Seat | None = None, connect: int | None = None) -> Position:
        """Return the position on the grid, even if its game is over.

        ``default_player`` moves if the precept does not name a player; ``connect`` is as in
        ``variant``. Raises ``ImpossiblePosition``.
        """
        return shown_position(self.grid, self.variant(connect), self.player or default_player)

    def position(self, default_player: Seat | None = None) -> Position:
        """Return the position to move in.

        ``default_player`` moves if the precept does not name a player. Raises
        ``ImpossiblePosition``, also for a game that is over.
        """
        position = self.shown(default_player)
        check_not_over(position)
        return position


def first_problem(error: ValidationError, root: str = "") -> str:
    """Return one line: the first error, its place below ``root``, and the number of others."""
    first, *more = error.errors(include_url=False)
    place = root + "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]
    )
    problem = first["msg"].removeprefix("Value error, ")  # pydantic's prefix to our own messages
    text = f"{place.lstrip('.')}: {problem[0].lower()}{problem[1:]}".removeprefix(": ")
    return text + (f" (and {len(more)} more)" if more else "")


class Info(Message):
    """Information about the search that chose a move."""

    score: float = Field(
        description="Score of the move for the player who makes it. If `exact`, 0 is a draw, a "
        "win is 1 plus the number of stones that the winner has left, and a loss is the negative "
        "of that. Otherwise an evaluation; 1000000 and -1000000 are a forced win and a forced "
        "loss whose length is not proven."
    )
    exact: bool = Field(
        description="Whether the score is proven, including how long a win or loss takes."
    )
    depth: int = Field(description="Search depth in plies.")
    nodes: int = Field(description="Number of positions visited.")
    ms: Milliseconds = Field(description="Milliseconds from precept to answer.")
    pv: list[int | tuple[int, int]] = Field(
        description="Principal variation: the expected moves, beginning with this one."
    )
    reason: str = Field("", description="Why the move was chosen, for people.")
    scores: list[tuple[int | tuple[int, int], float]] = Field(
        [], description="Moves with their scores, as far as they are known; see `score`."
    )
    sees: str = Field("", description="What the evaluation counts in the position, for people.")


class Move(Message):
    """A bot's answer: a column from 0; without gravity, a column and a row (from 0 at the top)."""

    move: int | tuple[int, int]
    info: Info | None = None


class MoveRequest(NamedTuple):
    """A question for a move, which ``BotEnd.write_move`` answers."""

    precept: Precept


class PerftRequest(NamedTuple):
    """A question for ``perft(position, depth)``, which ``BotEnd.write_perft`` answers."""

    position: Position
    depth: int


class Reply(NamedTuple):
    """Bytes to send back at once; none to a line that needs no reply."""

    text: bytes = b""
