"""``--schema`` prints the JSON Schema of real lines of each command."""

import json

import pytest
from jsonschema import Draft202012Validator

PRECEPT = b'{"grid":[[0,0,0,0,0,0],[0,0,0,0,0,2],[0,0,0,0,0,0],[0,0,0,1,2,1],[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0]]}'  # noqa: E501


@pytest.fixture
def lines(run_command):
    """Return a function that runs a command, and returns the lines of its standard output."""
    return lambda *words, **settings: run_command(*words, **settings).stdout.splitlines()


@pytest.fixture
def schema(lines):
    """Return a function from a command and a name to a validator for the schema that it prints."""
    return lambda command, name: Draft202012Validator(
        json.loads(b"\n".join(lines(command, "--schema", name)))
    )


def test_bot_reads_and_writes_by_its_schemas(lines, schema):
    """The schemas of ``c4-bot`` accept a line that it answers, and the answer."""
    schema("c4-bot", "precept").validate(json.loads(PRECEPT))
    for more in ((), ("--info",)):
        (answer,) = lines("c4-bot", "--plays", "needed", *more, stdin=PRECEPT)
        schema("c4-bot", "move").validate(json.loads(answer))


@pytest.mark.parametrize(
    ("variant", "more"),
    [
        ("standard", ()),
        ("standard", ("--all",)),
        ("standard", ("--explain",)),
        ("7x6+steal", ("--all",)),
        ("line8", ()),
    ],
)
def test_solver_writes_by_its_schema(lines, schema, variant, more):
    """The schema of ``c4-solve`` accepts all kinds of its answers, and no other object."""
    moves = b"d4d5e5d3" if variant == "line8" else b"32164625"
    found = lines("c4-solve", "--json", "--serve", "--variant", variant, *more,
                  stdin=moves + b"\n?\n")  # fmt: skip
    solution = schema("c4-solve", "solution")
    solved, refused = map(json.loads, found)
    assert ("score" in solved, "error" in refused) == (True, True)
    for answer in (solved, refused):
        solution.validate(answer)
    assert not solution.is_valid({"moves": "4", "score": "1"})


def test_referee_writes_by_its_schemas(lines, schema):
    """The schemas of ``c4-referee`` accept the events and the report of a match."""
    bots = ("c4-bot --plays random", "c4-bot --level 1")
    events = lines("c4-referee", "match", *bots, "--games", "2", "--events", "-")
    event = schema("c4-referee", "event")
    for line in events:
        event.validate(json.loads(line))
    report = json.loads(events[-1])["report"]
    schema("c4-referee", "match_report").validate(report)
    assert len(events) > 10
