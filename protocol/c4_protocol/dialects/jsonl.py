"""The default, from the course CSCI 4202: each message is a JSON object on one line.

Each question of the referee contains the whole state of the game. The drivers (referees) of the
University of Colorado Denver's course CSCI 4202 speak this dialect. Seed document
004_ed209d24a05543cb.txt was written for that course::

    referee  {"grid":[[0,0,0,0,0,0], ...],"height":6,"player":1,"width":7}
    bot      {"move":3}

``:exit`` or the end of the input ends the conversation.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import orjson

from c4_protocol import dialects
from c4_protocol.program.errors import IllegalMove, ProtocolError
from c4_protocol.program.text import visible
from c4_protocol.records.fields import quick_reader
from c4_protocol.records.messages import Clock, Info, MoveRequest, Precept, Reply, Time
from c4_protocol.rules.notation import WireMove, column_of_grid
from c4_protocol.rules.position import Position, Seat
from c4_protocol.rules.variant import DIRECTIONS, Variant

EXIT_LINE = b":exit"
JSON_TYPES = {list: "array", str: "string", bool: "boolean", type(None): "null"}
MAX_REASON = 300
"""Maximum length of the reason in an answer without a move, in characters. The rest is cut."""
NO_MOVES = {
    str: "a string: write the move without quotes",
    float: "not a whole number: write 3 and not 3.0",
    list: "a list: write the column alone; without gravity, write two whole numbers, [column,row]",
    type(None): "null: choose a move before you answer",
}
NO_NUMBER = "not a number: write the number of a column"
"""What is wrong with a ``move`` of each kind. The advice follows the colon."""
TEXT_BEFORE = rb'[^{]+\{\s*"move"'
"""Pattern of a line with a text before the answer, such as a prompt."""
HINTS = {
    TEXT_BEFORE: 'text stands before the answer, such as the prompt of input("...")',
    rb"[^{]": "text for people belongs on standard error",
    rb"\{\s*'": "it needs double quotes",
}
"""Hints in the error for a line that is not JSON, by patterns of its beginning."""


class BotEnd(dialects.BotEnd):
    """The bot's side of a conversation: it reads precepts and writes moves."""

    first_line = re.compile(rb"\{|:exit$")

    def read_line(self, line: bytes) -> MoveRequest | Reply:
        """Read ``:exit`` or a precept, the state of a game. Only its key ``grid`` is required."""
        if line == EXIT_LINE:
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
        columns = [
            _column_as_json(first & cells, second & cells, cells) for cells in variant.columns
        ]
        # Clocks never repeat.
        written_rest = _end_of_precept if isinstance(time, Clock) else _cached_end_of_precept
        rest = written_rest(variant, position.player, time)
        return b'{"grid":[%b],%b' % (b",".join(columns), rest)

    def read_move(self, line: bytes) -> WireMove:
        """Return the value of ``move``: one integer, or a pair of integers.

        ``messages.Move`` defines what is accepted.
        """
        value = json_object(line, HINTS)
        if "move" not in value:
            error = value.get("error")  # the answer of c4-bot --serve, and of functions as bots
            reason = f": {visible(error[:MAX_REASON])}" if isinstance(error, str) else ""
            raise ProtocolError(f'the answer has no "move"{reason}')
        move = value["move"]
        if type(move) is int:
            return move
        if type(move) is list and len(move) == 2 and all(type(part) is int for part in move):
            return move[0], move[1]
        raise IllegalMove(f'"move" is {NO_MOVES.get(type(move), NO_NUMBER)}')


def precept_of(line: bytes) -> Precept:
    """Return the precept that a line contains; raise ``ProtocolError``.

    ``messages.Precept`` defines what is accepted. Pydantic explains what is wrong with other lines.
    It is imported only for this, because that takes 0.1 s.
    """
    if (precept := _quick_precept(json_object(line))) is not None:
        return precept
    from c4_protocol.records.validation import check_precept  # noqa: PLC0415

    return check_precept(line)


_quick_precept = quick_reader(Precept)


@lru_cache(maxsize=1 << 12)
def _column_as_json(first: int, second: int, cells: int) -> bytes:
    """Return a column as JSON. It is cached, because the same columns occur again and again."""
    return orjson.dumps(column_of_grid(first, second, cells))


def _end_of_precept(variant: Variant, player: Seat, time: Time | None) -> bytes:
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


_cached_end_of_precept = lru_cache(maxsize=1 << 8)(_end_of_precept)


def json_object(line: bytes, hints: Mapping[bytes, str] = {}) -> dict[str, Any]:
    """Return the object in a line of JSON; raise ``ProtocolError`` for anything else.

    The first of the ``hints`` whose pattern fits is added to the message about a line that is not
    JSON. The words of the JSON library are not shown: they are about its own work.
    """
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        found = next((hint for pattern, hint in hints.items() if re.match(pattern, line)), "")
        raise ProtocolError(f"not JSON{found and ': '}{found}") from None
    if not isinstance(value, dict):
        name = JSON_TYPES.get(type(value), "number")
        raise ProtocolError(f"a JSON {name}, not an object")
    return value
