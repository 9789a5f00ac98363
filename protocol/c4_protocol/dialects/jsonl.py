"""The home dialect: one JSON object a line, the whole state every turn.

Spoken by the drivers of the University of Colorado Denver's CSCI 4202, for which seed document
004_ed209d24a05543cb.txt was written::

    referee  {"grid":[[0,0,0,0,0,0], ...],"height":6,"player":1,"width":7}
    bot      {"move":3}

``:exit`` or the end of input ends it.
"""

import re
from functools import lru_cache
from typing import Any

import orjson
from pydantic import ValidationError

from c4_protocol import dialects
from c4_protocol.errors import IllegalMove, ProtocolError
from c4_protocol.messages import Info, Precept, Time, first_problem
from c4_protocol.notation import WireMove, column_of
from c4_protocol.position import Position
from c4_protocol.variant import DIRECTIONS

EXIT = b":exit"
TALK = "; text for people belongs on standard error"
"""Added to what is wrong with a line that does not even begin as a move."""


class BotEnd(dialects.BotEnd):
    """JSON lines in, JSON lines out."""

    opening = re.compile(rb"\{|:exit$")

    def read_precept(self, line: bytes) -> Precept | bytes:
        """A precept with at least ``grid``; nothing for ``:exit``; raises ``ProtocolError``."""
        if line == EXIT:
            self.is_over = True
            return b""
        return precept_of(line)

    def write_move(self, move: WireMove, info: Info | None = None, score: float = 0) -> bytes:
        """``{"move":3}``, with ``info`` behind it where given."""
        answer: dict[str, Any] = {"move": move}
        if info is not None:
            answer["info"] = info.model_dump()
        return orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE)


class RefereeEnd(dialects.RefereeEnd):
    """A line for a question and a line for its answer; remembers nothing."""

    def write_precept(
        self, position: Position, time: Time | None = None, other: Time | None = None
    ) -> bytes:
        """The state in the course's own four keys; others only where they say something."""
        variant = position.variant
        precept: dict[str, Any] = {
            "grid": _grid(position),
            "height": variant.height,
            "player": position.player,
            "width": variant.width,
        }
        if isinstance(time, float | int):
            precept["time_ms"] = int(time) if time == int(time) else time
        elif time is not None:
            clock = {"remaining_ms": time.remaining_ms, "increment_ms": time.increment_ms}
            precept["clock"] = clock
        if variant.connect != 4:
            precept["connect"] = variant.connect
        if not variant.gravity:
            precept["gravity"] = False
        if variant.directions != DIRECTIONS:
            precept["directions"] = variant.directions
        return orjson.dumps(precept, option=orjson.OPT_APPEND_NEWLINE)

    def read_move(self, line: bytes) -> WireMove:
        """The value of ``move``: an integer, or two of them.

        Checked by hand, as this runs once a move; ``messages.Move`` says the same in pydantic.
        """
        value = _json_object(line, "" if line.lstrip().startswith(b"{") else TALK)
        if "move" not in value:
            raise ProtocolError('the answer has no "move"')
        move = value["move"]
        if type(move) is int:
            return move
        if type(move) is list and len(move) == 2 and all(type(part) is int for part in move):
            return move[0], move[1]
        raise IllegalMove('"move" is neither a column nor [column, row]')


def precept_of(line: bytes) -> Precept:
    """Return the precept of a line; raises ``ProtocolError``."""
    value = _json_object(line)
    try:
        return Precept.model_validate(value)
    except ValidationError as error:
        raise ProtocolError(first_problem(error)) from None


def _grid(position: Position) -> orjson.Fragment:
    """The grid of a position, put together from columns: half of the work on a precept."""
    first, second = position.stones
    columns = [_column(first & cells, second & cells, cells) for cells in position.variant.columns]
    return orjson.Fragment(b"[%b]" % b",".join(columns))


@lru_cache(maxsize=1 << 12)
def _column(first: int, second: int, cells: int) -> bytes:
    """A column's text; remembered, as the same ones come again and again."""
    return orjson.dumps(column_of(first, second, cells))


def _json_object(line: bytes, hint: str = "") -> dict[str, Any]:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise ProtocolError(f"not JSON: {error}{hint}") from None
    if not isinstance(value, dict):
        raise ProtocolError(f"a JSON {_json_type(value)}, not an object")
    return value


def _json_type(value: object) -> str:
    names: dict[type, str] = {list: "array", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")
