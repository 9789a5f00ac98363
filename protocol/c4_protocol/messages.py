"""The vocabulary: what a message may hold, checked by pydantic, published as JSON Schema.

Nothing here reads or writes bytes; ``c4_protocol.dialects`` turns lines into these and back.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetPydanticSchema,
    PositiveInt,
    ValidationError,
)

from c4_protocol.errors import ImpossiblePosition, VariantError
from c4_protocol.notation import check_not_over, grid_of, shown_position
from c4_protocol.position import Position, Seat
from c4_protocol.variant import MAX_SIDE, Variant

Cell = Annotated[int, Field(ge=0, le=2)]
Column = Annotated[list[Cell], Field(max_length=MAX_SIDE)]
_SeatNumber = Annotated[int, Field(ge=1, le=2)]
_Seat = Annotated[Seat, GetPydanticSchema(lambda _, handler: handler(_SeatNumber))]
"""A seat, checked as an integer: pydantic's check of ``Literal[1, 2]`` accepts ``true`` and 1.0."""
Milliseconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Direction = Literal["horizontal", "vertical", "diagonal"]
ALL_DIRECTIONS: list[Direction] = ["horizontal", "vertical", "diagonal"]


_variant = lru_cache(maxsize=64)(Variant)
"""The same object for the same game, so that its tables are built once in a conversation."""


class Message(BaseModel):
    """Base of all: immutable, no silent conversions, unknown keys ignored."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class Clock(Message):
    """What is left of a player's time for the whole game."""

    remaining_ms: Milliseconds
    increment_ms: Milliseconds = 0


@dataclass(slots=True)
class TimeLeft:
    """A ``Clock`` as a referee tells it: made once a move, and by nobody who has to be checked."""

    remaining_ms: float
    increment_ms: float


Time = float | Clock | TimeLeft
"""What a player has: milliseconds for a move, or a clock for the game."""


class Precept(Message):
    """What a bot is told when it is to move: the whole state of the game, every time."""

    grid: Annotated[list[Column], Field(max_length=MAX_SIDE)] = Field(
        description="The columns, left to right, each from the top: 0 empty, 1 and 2 the players."
    )
    player: _Seat | None = Field(None, description="Who is to move; by stone counts if missing.")
    width: PositiveInt | None = Field(None, description="Columns; as the grid has, if missing.")
    height: PositiveInt | None = Field(None, description="Rows; as the grid has, if missing.")
    time_ms: Milliseconds | None = Field(None, description="The time for this move.")
    clock: Clock | None = None
    connect: int = Field(4, description="How many stones make a line.")
    gravity: bool = Field(True, description="Whether stones fall.")
    directions: list[Direction] = Field(
        ALL_DIRECTIONS, description="The directions in which a line counts."
    )

    @classmethod
    def of(cls, position: Position, time: float | Clock | None = None) -> "Precept":
        """The precept for a position, with milliseconds for the move or a clock for the game."""
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
        """Whether the message itself says how many stones make a line."""
        return "connect" in self.model_fields_set

    def variant(self, connect: int | None = None) -> Variant:
        """Return the game that is played, with lines of ``connect`` stones if that is given.

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

        ``default_player`` is who moves if the precept does not say; ``connect`` is as in
        ``variant``. Raises ``ImpossiblePosition``.
        """
        return shown_position(self.grid, self.variant(connect), self.player or default_player)

    def position(self, default_player: Seat | None = None) -> Position:
        """Return the position to move in; ``default_player`` moves if the precept does not say.

        Raises ``ImpossiblePosition``, also for a game that is over.
        """
        position = self.shown(default_player)
        check_not_over(position)
        return position


def first_problem(error: ValidationError, root: str = "") -> str:
    """The first thing that is wrong, where below ``root`` it is, and how many more there are."""
    first, *more = error.errors(include_url=False)
    place = root + "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]
    )
    said = first["msg"].removeprefix("Value error, ")  # ours need no introduction
    text = f"{place.lstrip('.')}: {said[0].lower()}{said[1:]}".removeprefix(": ")
    return text + (f" (and {len(more)} more)" if more else "")


class Info(Message):
    """What a bot saw when it chose its move."""

    score: float = Field(
        description="Of the move, for who makes it. If exact: 0 is a draw, 1 a win with the "
        "winner's last stone, one more for each stone kept, losses likewise below 0. Else an "
        "evaluation; 1000000 and -1000000 are a forced win and loss whose distance is not proven."
    )
    exact: bool = Field(description="Whether the score is proven, distance included.")
    depth: int = Field(description="Plies searched.")
    nodes: int = Field(description="Positions visited.")
    ms: Milliseconds = Field(description="Milliseconds from precept to answer.")
    pv: list[int | tuple[int, int]] = Field(description="The moves expected, this one first.")
    reason: str = Field("", description="How the move was chosen, for people.")
    scores: list[tuple[int | tuple[int, int], float]] = Field(
        [], description="Moves and their scores, as `score` is one, as far as they are known."
    )
    sees: str = Field("", description="What the evaluation counts in the position, for people.")


class Move(Message):
    """A bot's answer: a column from 0, or column and row (from the top) without gravity."""

    move: int | tuple[int, int]
    info: Info | None = None
