"""Messages that are made without JSON, as in some dialects."""

import math
from typing import Any

import pytest
from c4_protocol.messages import Clock, Message, Precept
from c4_protocol.position import Position
from pydantic import ValidationError


@pytest.mark.parametrize("ms", [-1, -0.001, math.inf, math.nan, "250", None])
def test_clock_holds_a_time(ms: Any) -> None:
    """A clock refuses a time that is negative, infinite or not a number."""
    with pytest.raises(ValidationError):
        Clock(remaining_ms=ms)


@pytest.mark.parametrize("cell", [True, 1.0, "1", None, 3, -1])
def test_cell_is_0_1_or_2(cell: Any) -> None:
    """A cell is 0, 1 or 2. Values of other types are not converted."""
    with pytest.raises(ValidationError):
        Precept(grid=[[cell]])


@pytest.mark.parametrize("message", [Precept(grid=[[0]], time_ms=1), Clock(remaining_ms=1)])
def test_message_cannot_be_changed(message: Message) -> None:
    """A message is immutable."""
    for field in type(message).model_fields:
        with pytest.raises(ValidationError, match="frozen"):
            setattr(message, field, 2)


def test_precept_has_one_kind_of_time() -> None:
    """A precept has the time for the move, or a clock, or neither."""
    clock = Clock(remaining_ms=1000.0)
    made = [Precept.of(Position(), time) for time in (None, 50.0, clock)]
    found = [(precept.time_ms, precept.clock) for precept in made]
    assert found == [(None, None), (50.0, None), (None, clock)]
