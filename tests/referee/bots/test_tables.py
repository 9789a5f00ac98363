"""Tables of bots: what is read without pydantic is what pydantic reads."""

from dataclasses import asdict, fields

import pytest
from c4_referee.bots.command_line import Arguments
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.tables import correct_spec
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

TEXTS = st.text(max_size=8)
WORDS = st.text("ab{}./-", min_size=1, max_size=6)
GOOD = {
    "name": WORDS,
    "command": WORDS | st.lists(WORDS, min_size=1, max_size=3),
    "arguments": st.none() | st.sampled_from(["none", "course", "positional"]),
    "dialect": st.sampled_from(["jsonl", "uci", "moves", "theaigames"]),
    "cwd": st.none() | WORDS,
    "env": st.dictionaries(WORDS, TEXTS, max_size=2),
    "time_ms": st.none() | st.integers(1, 10**8) | st.floats(0.5, 1e8),
    "restart": st.sampled_from(["game", "never"]),
    "memory_mb": st.none() | st.integers(1, 10**6),
    "open_files": st.integers(1, 10**6),
    "file_mb": st.integers(1, 10**6),
    "written_mb": st.integers(1, 10**6),
    "processes": st.integers(0, 10**6),
    "threads": st.integers(1, 10**6),
    "sandbox": st.none() | st.booleans(),
    "freeze": st.booleans(),
    "cpus": st.none() | st.floats(0.1, 100) | st.integers(1, 100),
    "visible": st.lists(WORDS, max_size=2),
}
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | TEXTS
    | st.sampled_from(["", "\0", "a\0", "\ud800", "kaggle:a", '"', "1", "never", "bugs", 1.0, -0.0])
)
ANYTHING = SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(TEXTS, SCALARS, max_size=2)
TABLES = st.fixed_dictionaries(
    {key: GOOD[key] for key in ("name", "command")},
    optional={key: GOOD[key] for key in GOOD if key not in {"name", "command"}},
)
KEYS = st.sampled_from([*GOOD, "folder", "colour"])
ADAPTER = TypeAdapter(BotSpec)


def by_pydantic(table: dict[str, object]) -> BotSpec | None:
    """Return the spec that pydantic reads from a table, or ``None`` if it refuses the table."""
    try:
        return ADAPTER.validate_python(table)
    except ValidationError:
        return None


def kinds(spec: BotSpec) -> dict[str, type]:
    """Return the type of each field, because 1 equals 1.0 and true."""
    return {item.name: type(getattr(spec, item.name)) for item in fields(spec)}


@settings(max_examples=1500, deadline=None)
@given(
    TABLES,
    st.dictionaries(KEYS, ANYTHING, max_size=3),
    st.sets(st.sampled_from(["name", "command"]), max_size=1),
)
def test_tables_are_read_as_pydantic_reads_them(good, changes, missing):
    """A table that is read without pydantic gives the spec that pydantic makes of it."""
    table = {key: value for key, value in (good | changes).items() if key not in missing}
    found = correct_spec(table)
    if found is not None:
        expected = by_pydantic(table)
        assert found == expected
        assert kinds(found) == kinds(expected)


@settings(max_examples=500, deadline=None)
@given(TABLES)
def test_correct_tables_need_no_pydantic(table):
    """Every table with usual values that pydantic accepts is read without pydantic."""
    assert (correct_spec(table) is None) == (by_pydantic(table) is None)


EDGES = [
    *(None, True, False, 0, 1, -1, 2, 0.0, -0.0, 0.5, 1.0, -1.0, float("inf"), float("nan")),
    *((1 << bits) + more for bits in (20, 30, 40, 63) for more in (-1, 0, 1)),
    *(1e9, 999999999.0, 10**9, 1 << 20, float(1 << 20), "", "a", " a", "a\0", "\ud800", "a\x1b"),
    *(
        "1",
        "jsonl",
        "kaggle",
        "never",
        "game",
        "course",
        "a" * 201,
        "a;b ;",
        "a | b",
        '"',
        "{player}",
    ),
    *([], ["a"], ["a", 1], ["a", "\0"], [""], ("a", "b"), {"a"}, b"a"),
    *({}, {"A": "b"}, {"A=": "b"}, {"": "b"}, {"A": 1}, {1: "b"}, {"A": "\0"}),
]
"""Values at and beyond the limits of the checks, and of all types."""


@pytest.mark.parametrize("key", [*GOOD, "folder", "colour"])
def test_limits_are_those_of_pydantic(key):
    """At every limit, a key is read as pydantic reads it, and usual values need no pydantic."""
    for value in EDGES:
        table = {"name": "b", "command": "true", key: value}
        found, expected = correct_spec(table), by_pydantic(table)
        if found is not None:
            assert (found, kinds(found)) == (expected, kinds(expected))
        elif expected is not None:
            assert type(value) in {set, tuple, bytes} or key == "name", (key, value)


def test_all_keys_are_known():
    """A spec with all fields, as ``play_match`` checks it, is read without pydantic."""
    spec = BotSpec("b", ("true",), arguments="course", folder="x", visible=("y",), cpus=1.0)
    assert correct_spec(asdict(spec)) == spec
    assert {*asdict(spec)} == {*GOOD, "folder"}


@pytest.mark.parametrize("arguments", Arguments.__args__)
def test_arguments_are_those_of_the_spec(arguments):
    """Every name of arguments is accepted, and no other."""
    assert correct_spec({"name": "b", "command": "true", "arguments": arguments}) is not None
    assert correct_spec({"name": "b", "command": "true", "arguments": arguments + "s"}) is None
