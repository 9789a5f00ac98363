"""The default dialect: each message is a JSON object on one line.

Each question of the referee contains the whole state of the game. The drivers (referees) of the
University of Colorado Denver's course CSCI 4202 speak this dialect. Seed document
004_ed209d24a05543cb.txt was written for that course::

    referee  {"grid":[[0,0,0,0,0,0], ...],"height":6,"player":1,"width":7}
    bot      {"move":3}

``:exit`` or the end of the input ends the conversation.
"""

import math
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

import orjson

from c4_protocol import dialects
from c4_protocol.errors import IllegalMove, ProtocolError
from c4_protocol.messages import ALL_DIRECTIONS, Clock, Info, MoveRequest, Precept, Reply, Time
from c4_protocol.notation import WireMove, column_of
from c4_protocol.position import Position, Seat
from c4_protocol.variant import DIRECTIONS, MAX_SIDE, Variant

EXIT = b":exit"
TALK = "; text for people belongs on standard error"
"""Hint in the error for a line that is not JSON and does not begin with ``{``."""


class BotEnd(dialects.BotEnd):
    """The bot's side of a conversation: it reads precepts and writes moves."""

    first_line = re.compile(rb"\{|:exit$")

    def read_line(self, line: bytes) -> MoveRequest | Reply:
        """Read a precept, in which only ``grid`` is required, or ``:exit``."""
        if line == EXIT:
            self.is_over = True
            return Reply()
        return MoveRequest(precept_of(line))

    def write_move(self, move: WireMove, info: Info | None = None, score: float = 0) -> bytes:
        """Return ``{"move":3}``, followed by ``info`` if given."""
        answer: dict[str, Any] = {"move": move}
        if info is not None:
            answer["info"] = info
        return orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE)


class RefereeEnd(dialects.RefereeEnd):
    """The referee's side of a conversation: it writes precepts and reads moves.

    It does not remember earlier lines.
    """

    def write_precept(
        self, position: Position, time: Time | None = None, other: Time | None = None
    ) -> bytes:
        """Return a precept: the four keys of the course's driver, and others if needed.

        A key is not needed if its value is the default. ``other`` is not used.
        """
        variant, (first, second) = position.variant, position.stones
        columns = [_column(first & cells, second & cells, cells) for cells in variant.columns]
        written_rest = _rest if isinstance(time, Clock) else _cached_rest  # clocks never repeat
        rest = written_rest(variant, position.player, time)
        return b'{"grid":[%b],%b' % (b",".join(columns), rest)

    def read_move(self, line: bytes) -> WireMove:
        """Return the value of ``move``: one integer, or a pair of integers.

        ``messages.Move`` defines what is accepted.
        """
        value = json_object(line, TALK)
        if "move" not in value:
            raise ProtocolError('the answer has no "move"')
        move = value["move"]
        if type(move) is int:
            return move
        if type(move) is list and len(move) == 2 and all(type(part) is int for part in move):
            return move[0], move[1]
        raise IllegalMove('"move" is neither a column nor [column, row]')


def precept_of(line: bytes) -> Precept:
    """Return the precept that a line contains; raise ``ProtocolError``.

    ``messages.Precept`` defines what is accepted. Correct lines are read without pydantic, because
    its import takes 0.1 s. Any other line goes to pydantic, which says what is wrong.
    """
    value = json_object(line)
    if "grid" in value and all(check(value[key]) for key, check in _CHECKS.items() if key in value):
        return _precept(value)
    from c4_protocol.validation import check_precept  # noqa: PLC0415

    return check_precept(line)


def _precept(value: dict[str, Any]) -> Precept:
    """Return the precept of an object whose values have been checked."""
    fields = {key: value[key] for key in _CHECKS if key in value}
    if fields.get("time_ms") is not None:
        fields["time_ms"] = float(fields["time_ms"])
    if clock := fields.get("clock"):
        left, increment = clock["remaining_ms"], clock.get("increment_ms", 0)
        fields["clock"] = Clock(float(left), float(increment))
    if "directions" in fields:
        fields["directions"] = tuple(fields["directions"])
    return Precept(**fields)


def _is_grid(value: object) -> bool:
    if type(value) is not list or len(value) > MAX_SIDE or {*map(type, value)} - {list}:
        return False
    cells = [cell for column in value for cell in column]
    return (
        all(len(column) <= MAX_SIDE for column in value)
        and not {*map(type, cells)} - {int}
        and not {*cells} - {0, 1, 2}
    )


def _is_player(value: object) -> bool:
    return value is None or (type(value) is int and value in {1, 2})


def _is_size(value: object) -> bool:
    return value is None or (type(value) is int and value > 0)


def _is_time(value: object) -> bool:
    return type(value) in {int, float} and 0 <= cast(float, value) < math.inf


def _is_clock(value: object) -> bool:
    return value is None or (
        type(value) is dict
        and _is_time(value.get("remaining_ms"))
        and _is_time(value.get("increment_ms", 0))
    )


def _are_directions(value: object) -> bool:
    return type(value) is list and all(
        type(name) is str and name in ALL_DIRECTIONS for name in value
    )


_CHECKS: dict[str, Callable[[object], bool]] = {
    "grid": _is_grid,
    "player": _is_player,
    "width": _is_size,
    "height": _is_size,
    "time_ms": lambda value: value is None or _is_time(value),
    "clock": _is_clock,
    "connect": lambda value: value is None or type(value) is int,
    "gravity": lambda value: type(value) is bool,
    "directions": _are_directions,
    "steal": lambda value: type(value) is bool,
}
"""Checks of the values in a precept, by key. Pydantic accepts every value that passes its check."""


@lru_cache(maxsize=1 << 12)
def _column(first: int, second: int, cells: int) -> bytes:
    """Return a column as JSON. It is cached, because the same columns occur again and again."""
    return orjson.dumps(column_of(first, second, cells))


def _rest(variant: Variant, player: Seat, time: Time | None) -> bytes:
    """Return what follows the grid in a precept."""
    keys: dict[str, Any] = {"height": variant.height, "player": player, "width": variant.width}
    if isinstance(time, float | int):
        keys["time_ms"] = int(time) if time == int(time) else time
    elif time is not None:
        keys["clock"] = {"remaining_ms": time.remaining_ms, "increment_ms": time.increment_ms}
    if variant.connect != 4:
        keys["connect"] = variant.connect
    if not variant.gravity:
        keys["gravity"] = False
    if variant.directions != DIRECTIONS:
        keys["directions"] = variant.directions
    if variant.steal:
        keys["steal"] = True
    return orjson.dumps(keys, option=orjson.OPT_APPEND_NEWLINE)[1:]


_cached_rest = lru_cache(maxsize=1 << 8)(_rest)


def json_object(line: bytes, hint: str = "") -> dict[str, Any]:
    """Return the object in a line of JSON; raise ``ProtocolError`` for anything else.

    ``hint`` is added to the message about a line that is not JSON and does not begin with ``{``.
    """
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        added = "" if line.lstrip().startswith(b"{") else hint
        raise ProtocolError(f"not JSON: {error}{added}") from None
    if not isinstance(value, dict):
        raise ProtocolError(f"a JSON {_json_type(value)}, not an object")
    return value


def _json_type(value: object) -> str:
    names: dict[type, str] = {list: "array", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")
