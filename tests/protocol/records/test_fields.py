"""The quick reader reads what pydantic reads, at every limit of every field."""

import json
from collections.abc import Callable
from dataclasses import asdict, fields
from functools import cache
from typing import Any

import pytest
from c4_protocol.records.events import GameEnded, VariantRecord
from c4_protocol.records.fields import quick_reader
from c4_protocol.records.messages import Precept
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.spec import BotSpec
from pydantic import TypeAdapter, ValidationError

GRID = [[0, 1], [0, 0]]
SPEC = {"name": "b", "command": "true"}
FAULT = {
    "bot": "a",
    "fault": "late",
    "policy": "bar",
    "ply": 3,
    "ms": 5,
    "cpu_ms": 1.5,
    "detail": "",
}
GAME = asdict(
    GameEnded(
        1, "a", "b", "44", [1.5, 2.0], [1.0, 0.0], 1, "forfeit", None, [], {"a": "text"},
        VariantRecord.of(STANDARD),
    )
)  # fmt: skip
NUMBERS = [
    *(0, 1, 2, 3, 4, -1, 52, 53, 0.0, 0.5, 1.0, -0.5, 2.5, 1e300, 1e9, 999999999.0, 10**9),
    *((1 << bits) + more for bits in (20, 30, 40, 62) for more in (-1, 0, 1)),
    float(1 << 20),
]
TEXTS = [
    *("", "1", "a", " a", "a\0", "a\x1b", "jsonl", "kaggle", "never", "game", "course", "none"),
    *("a" * 201, "a;b ;", "a | b", '"', "{player}", "vertical", "line", "game_ended"),
]
GRIDS = [
    *([[]], [[0]], [[0], []], [0], [None], [[None]], [[True]], [[1.0]], [[3]], [[-1]], [["0"]]),
    *([[[0]]], [[0] * 52], [[0] * 53], [[0]] * 52, [[0]] * 53, [{}], [[{}]]),
]
LISTS = [[], ["a"], ["a", 1], ["a", "\0"], ["vertical"], ["vertical"] * 2, ["up"], [1], [1.5, 2]]
TABLES = [
    *({}, {"A": "b"}, {"A=": "b"}, {"": "b"}, {"A": 1}, {"A": "\0"}, {"remaining_ms": 1}),
    *({"remaining_ms": 0.5, "increment_ms": 2}, {"remaining_ms": -1}, {"remaining_ms": None}),
    *({"remaining_ms": True}, {"increment_ms": 1}, {"remaining_ms": 1, "increment_ms": None}),
    *({"remaining_ms": 1, "increment_ms": "2"}, {"remaining_ms": 1, "other": [1]}),
    *(FAULT, FAULT | {"policy": "no"}, FAULT | {"ply": 1.5}, asdict(VariantRecord.of(STANDARD))),
]
VALUES: list[Any] = [
    *(None, True, False, *NUMBERS, *TEXTS, *GRIDS, *LISTS, [FAULT], [FAULT] * 2, *TABLES)
]
"""Values at and beyond the limits of all fields, and of all types that JSON has."""
OTHER_VALUES = [
    *(float("inf"), float("nan"), 10**400, "\ud800", {"a"}, b"a", ("a", "b"), {1: "b"}),
]
"""Values that only a caller in Python can pass."""


adapter_of = cache(TypeAdapter)


def by_pydantic(record: type, value: dict[str, Any]) -> Any:
    """Return the record that pydantic reads, or ``None`` if it refuses the value."""
    adapter = adapter_of(record)
    try:
        if record is Precept:
            return adapter.validate_json(json.dumps(value))
        return adapter.validate_python(value)
    except ValidationError:
        return None


def kinds(record: Any) -> dict[str, str]:
    """Return the texts of all fields, because 1 equals 1.0 and true."""
    return {field.name: repr(getattr(record, field.name)) for field in fields(record)}


CASES = [
    (record, start, key)
    for record, start in ((Precept, {"grid": GRID}), (BotSpec, SPEC), (GameEnded, GAME))
    for key in (*(field.name for field in fields(record)), "other")
]


@pytest.mark.parametrize(("record", "start", "key"), CASES)
def test_fields_are_read_as_pydantic_reads_them(record: type, start: dict, key: str) -> None:
    """The quick reader returns what pydantic returns, or nothing for an unusual value."""
    read: Callable[[dict], Any] = quick_reader(record)
    for value in VALUES if record is Precept else VALUES + OTHER_VALUES:
        quick, expected = read(start | {key: value}), by_pydantic(record, start | {key: value})
        if quick is not None:
            assert kinds(quick) == kinds(expected), value
        elif record is not GameEnded and expected is not None:
            assert type(value) in {set, bytes}, value


@pytest.mark.parametrize(("record", "start", "key"), CASES)
def test_missing_keys_are_refused_as_by_pydantic(record: type, start: dict, key: str) -> None:
    """A key may be missing only if it has a default value."""
    value = {name: start[name] for name in start if name != key}
    assert quick_reader(record)(value) == by_pydantic(record, value)
