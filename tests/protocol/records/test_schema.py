"""The published schemas are up to date, and accept real messages, events and reports."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
import steals
from c4_protocol.dialects.jsonl import BotEnd, RefereeEnd
from c4_protocol.records import schema
from c4_protocol.records.messages import Clock, Info
from c4_protocol.rules.notation import wire_move
from c4_protocol.rules.position import Position
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

NAMES = ("precept", "move", "solution", "event", "match_report", "standings", "tournament_report")
POSITIONS = st.from_type(Position) | steals.POSITIONS
GOLDEN = Path(__file__).parents[2] / "golden"
GAME = {"event": "game_started", "game": 1, "first": "a", "second": "b"}


def published(name: str) -> Draft202012Validator:
    """Return a validator for a published schema."""
    text = (schema.SCHEMA_FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def test_files_are_what_the_code_says(golden: Callable[[Path, str], None]) -> None:
    """The published schemas are what the code generates."""
    texts = schema.expected_files()
    assert {path.name for path in texts} == {f"{name}.schema.json" for name in NAMES}
    for path, text in texts.items():
        golden(path, text)


@pytest.mark.parametrize("name", NAMES)
def test_schema_is_well_formed_and_says_what_it_is_of(name: str) -> None:
    """Each schema is valid in its draft, and has a title and a description."""
    found = schema.generated_schemas()[name]
    Draft202012Validator.check_schema(found)
    assert found["$schema"] == Draft202012Validator.META_SCHEMA["$schema"]
    assert found["title"]
    assert found["description"]


@given(POSITIONS, st.sampled_from([None, 250, 0.5, Clock(remaining_ms=1000)]))
def test_precepts_keep_to_their_schema(position: Position, time: float | Clock | None) -> None:
    """Precepts of all positions and variants are valid, with and without a time."""
    published("precept").validate(json.loads(RefereeEnd().write_precept(position, time)))


@given(POSITIONS, st.booleans(), st.data())
def test_moves_keep_to_their_schema(
    position: Position, informed: bool, data: st.DataObject
) -> None:
    """Moves are valid as columns and as pairs of column and row, with and without info."""
    move = wire_move(position.variant, data.draw(st.sampled_from(position.moves)))
    info = Info(score=0.5, exact=False, depth=4, nodes=99, ms=1, pv=[move]) if informed else None
    published("move").validate(json.loads(BotEnd().write_move(move, info)))


def test_events_keep_to_their_schema() -> None:
    """All kinds of events, and the report of a match, are valid."""
    events = [orjson.loads(line) for line in (GOLDEN / "events.jsonl").read_bytes().splitlines()]
    for event in events:
        published("event").validate(event)
    kinds = {event["event"] for event in events}
    assert kinds == {"game_started", "move", "game_ended", "match_ended"}
    published("match_report").validate(events[-1]["report"])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("precept", {}),
        ("precept", {"grid": [[3]]}),
        ("precept", {"grid": [[0]], "player": 3}),
        ("precept", {"grid": [[0]], "directions": ["up"]}),
        ("move", {}),
        ("move", {"move": "3"}),
        ("move", {"move": [3]}),
        ("event", GAME),
        ("event", {"event": "coffee_break"}),
        ("match_report", {"bots": ["a", "b"]}),
    ],
)
def test_schema_refuses_what_nobody_may_write(name: str, value: dict[str, Any]) -> None:
    """Messages with missing keys or wrong values are not valid."""
    assert not published(name).is_valid(value)
