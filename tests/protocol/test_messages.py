"""Messages that are made without JSON, as some dialects do."""

import math
from typing import Any

import pytest
from c4_protocol.messages import Clock, Message, Precept
from pydantic import ValidationError


@pytest.mark.parametrize("ms", [-1, -0.001, math.inf, math.nan, "250", None])
def test_clock_holds_a_time(ms: Any) -> None:
    """A time is a number, finite and not negative."""
    with pytest.raises(ValidationError):
        Clock(remaining_ms=ms)


@pytest.mark.parametrize("cell", [True, 1.0, "1", None, 3, -1])
def test_cell_is_0_1_or_2(cell: Any) -> None:
    """Values of other types are not converted to numbers."""
    with pytest.raises(ValidationError):
        Precept(grid=[[cell]])


@pytest.mark.parametrize("message", [Precept(grid=[[0]], time_ms=1), Clock(remaining_ms=1)])
def test_message_cannot_be_changed(message: Message) -> None:
    """A message is immutable."""
    for field in type(message).model_fields:
        with pytest.raises(ValidationError, match="frozen"):
            setattr(message, field, 2)
