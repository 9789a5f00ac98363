"""The two readers of precepts, our own code and pydantic, agree."""

import json
import subprocess
import sys
from typing import Any

import pytest
from c4_protocol.dialects.jsonl import precept_of
from c4_protocol.errors import ProtocolError
from c4_protocol.messages import Precept
from c4_protocol.validation import check_precept
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

ODD_VALUES: list[Any] = [
    None, True, False, 0, 1, 2, 3, -1, 4, 53, 0.0, 1.0, 2.5, -0.5, 1e300, (1 << 63) - 1, -(1 << 63),
    "", "1", "vertical", [], {}, [[]], [[0]], [[0], []], [0], [None], [[None]], [[True]], [[1.0]],
    [[3]], [[-1]], [["0"]], [[[0]]], [[0] * 52], [[0] * 53], [[0]] * 52, [[0]] * 53, [{}], [[{}]],
    ["vertical"], ["vertical", "vertical"], ["up"], [1], [["vertical"]], {"remaining_ms": 1},
    {"remaining_ms": 0.5, "increment_ms": 2}, {"remaining_ms": -1}, {"remaining_ms": None},
    {"remaining_ms": True}, {"increment_ms": 1}, {"remaining_ms": 1, "increment_ms": None},
    {"remaining_ms": 1, "increment_ms": "2"}, {"remaining_ms": 1, "other": [1]},
]  # fmt: skip
KEYS = (
    "grid", "player", "width", "height", "time_ms", "clock", "connect", "gravity", "directions",
    "steal", "other",
)  # fmt: skip
CELLS = st.lists(st.lists(st.integers(0, 2), max_size=6), max_size=7)


def read(line: bytes, reader: Any) -> Precept | str:
    """Return the precept that a reader returns for a line, or the text of its error."""
    try:
        precept: Precept = reader(line)
    except ProtocolError as error:
        return str(error)
    return precept


@pytest.mark.parametrize("key", KEYS)
def test_each_value_of_a_key_is_read_alike(key: str) -> None:
    """Both readers return the same precept or the same error for each odd value of each key."""
    for value in ODD_VALUES:
        line = json.dumps({"grid": [[0, 1], [0, 0]], key: value}).encode()
        assert read(line, precept_of) == read(line, check_precept), line


@given(
    st.fixed_dictionaries(
        {},
        optional={"grid": CELLS} | {key: st.sampled_from(ODD_VALUES) for key in KEYS[1:]},
    )
)
@examples(2000)
def test_any_combination_of_values_is_read_alike(value: dict[str, Any]) -> None:
    """Both readers agree if several values are odd."""
    line = json.dumps(value).encode()
    assert read(line, precept_of) == read(line, check_precept)


@given(
    st.fixed_dictionaries(
        {"grid": CELLS},
        optional={
            "player": st.none() | st.integers(1, 2),
            "width": st.none() | st.integers(1, 60),
            "height": st.none() | st.integers(1, 60),
            "time_ms": st.none() | st.integers(0, 10**9) | st.floats(0, 1e9),
            "clock": st.none()
            | st.fixed_dictionaries(
                {"remaining_ms": st.floats(0, 1e9)},
                optional={"increment_ms": st.integers(0, 10**6)},
            ),
            "connect": st.none() | st.integers(-5, 60),
            "gravity": st.booleans(),
            "steal": st.booleans(),
            "directions": st.lists(st.sampled_from(["horizontal", "vertical", "diagonal"])),
        },
    )
)
@examples(2000)
def test_correct_precepts_are_read_alike(value: dict[str, Any]) -> None:
    """Both readers return the same precept for lines that are valid under the schema."""
    line = json.dumps(value).encode()
    assert precept_of(line) == check_precept(line)


def test_a_bot_that_answers_correct_lines_does_not_load_pydantic() -> None:
    """Pydantic is imported only for a wrong line."""
    program = """
import sys
from c4_bot.session import Session
from c4_bot.registry import build
session = Session(build("needed"))
assert session.answer(b'{"grid":[[0,0],[0,1],[0,0]],"connect":3,"clock":{"remaining_ms":10}}')
print("pydantic" in sys.modules)
try:
    session.answer(b'{"grid":3}')
except Exception as error:
    print(error)
print("pydantic" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["False", "grid: input should be a valid array", "True"]
