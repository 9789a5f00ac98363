"""JSON lines that this referee wrote: ``games.jsonl``, or the file of ``--events``."""

from collections.abc import Iterator
from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError

from c4_referee.formats import Lines, StoredGame, UnreadableLine, check_names

GAME = TypeAdapter(StoredGame)


def recognises(line: bytes) -> bool:
    """Return whether a line begins like a JSON object."""
    return line.lstrip().startswith(b"{")


def read(lines: Lines) -> Iterator[StoredGame | UnreadableLine]:
    """Generate the games of ``game_ended`` events. Other events are ignored."""
    for number, line in lines:
        if line.strip():
            try:
                event = _event(line)
                if event["event"] == "game_ended":
                    yield _game(event)
            except ValueError as error:
                yield UnreadableLine(number, str(error))


def _event(line: bytes) -> dict[str, Any]:
    """Return the event of a line; raise ``ValueError`` if the line is not an event."""
    try:
        event = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at character {error.colno}") from None
    if isinstance(event, dict) and isinstance(event.get("event"), str):
        return event
    raise ValueError("not an event: it has no field 'event' with a text")


def _game(event: dict[str, Any]) -> StoredGame:
    """Return the game of an event; raise ``ValueError`` if a field is missing or wrong."""
    try:
        game = GAME.validate_python(event)
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        raise ValueError(f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}") from None
    if game.moves is None:
        raise ValueError("moves: Field required")
    check_names(game.first, game.second)
    if game.fault and not game.fault.fault.isprintable():
        raise ValueError(f"{game.fault.fault!r} cannot be a fault")
    return game
