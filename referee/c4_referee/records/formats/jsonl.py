"""JSON lines that this referee wrote: ``games.jsonl``, or the file of ``--events``."""

from collections.abc import Iterator
from dataclasses import fields
from functools import lru_cache
from typing import Any

import orjson
from c4_protocol.program.errors import VariantError
from c4_protocol.program.text import MAX_SHOWN_LENGTH, shortened
from c4_protocol.rules.variant import Variant
from pydantic import TypeAdapter, ValidationError

from c4_referee.records.formats import (
    NumberedLines,
    StoredGame,
    UnreadableLine,
    decoded_line,
    read_each,
)

GAME_ADAPTER = TypeAdapter(StoredGame)
VARIANT_KEYS = {field.name for field in fields(Variant)}


def recognises(start: bytes) -> bool:
    """Return whether a file begins like a JSON object."""
    return start.lstrip().startswith(b"{")


def read(lines: NumberedLines) -> Iterator[StoredGame | UnreadableLine]:
    """Generate the games of ``game_ended`` events. Other events are ignored."""
    return read_each(lines, _game_of_line)


def _game_of_line(line: bytes) -> StoredGame | None:
    """Return the game of a line, ``None`` for another event. Raise ``ValueError`` otherwise."""
    try:
        event = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        decoded_line(line)
        raise ValueError(f"not JSON (character {error.colno})") from None
    if isinstance(event, dict) and isinstance(event.get("event"), str):
        return _game_of_event(event) if event["event"] == "game_ended" else None
    raise ValueError("not an event: it has no field 'event' with a text")


def _game_of_event(event: dict[str, Any]) -> StoredGame:
    """Return the game of an event; raise ``ValueError`` if a field is missing or wrong."""
    winner = event.get("winner", 0)
    if type(winner) is not int or winner not in {0, 1, 2}:  # true equals 1
        shown = orjson.dumps(winner).decode()[:MAX_SHOWN_LENGTH]
        raise ValueError(f"winner: {shown} is not a winner: write 1 or 2, or 0 if nobody won")
    event["variant"] = _variant_name(orjson.dumps(event.get("variant", {})))
    try:
        game = GAME_ADAPTER.validate_python(event)
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        raise ValueError(f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}") from None
    if game.moves is None:
        raise ValueError("moves: Field required")
    if game.fault and game.fault.bot not in {game.first, game.second}:
        raise ValueError(f"fault.bot: {shortened(game.fault.bot)} does not play in the game")
    if game.fault and not game.fault.fault.isprintable():
        raise ValueError(f"{shortened(game.fault.fault)} cannot be a fault")
    return game


@lru_cache(maxsize=1 << 6)
def _variant_name(record: bytes) -> str:
    """Return the name of the variant in an event, in which missing keys have the usual values.

    Raises ``ValueError`` if the record is not that of a variant. The record is JSON, because
    the cache would take Python's ``True`` and 1 for equal.
    """
    values = orjson.loads(record)
    try:
        if isinstance(values, dict):
            return str(Variant(**{key: values[key] for key in VARIANT_KEYS & values.keys()}))
    except VariantError as error:
        raise ValueError(f"variant: {error}") from None
    raise ValueError("variant: Input should be an object")
