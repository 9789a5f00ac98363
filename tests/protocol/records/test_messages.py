"""Messages that are made without JSON, as in some dialects."""

from dataclasses import FrozenInstanceError, fields

import pytest
from c4_protocol.records.messages import Clock, Message, Precept
from c4_protocol.rules.position import Position


@pytest.mark.parametrize("message", [Precept(grid=[[0]], time_ms=1), Clock(remaining_ms=1)])
def test_message_cannot_be_changed(message: Message) -> None:
    """A message is immutable."""
    for field in fields(message):  # type: ignore[arg-type]
        with pytest.raises(FrozenInstanceError):
            setattr(message, field.name, 2)


def test_precept_has_one_kind_of_time() -> None:
    """A precept has the time for the move, or a clock, or neither."""
    clock = Clock(remaining_ms=1000.0)
    made = [Precept.of(Position(), time) for time in (None, 50.0, clock)]
    found = [(precept.time_ms, precept.clock) for precept in made]
    assert found == [(None, None), (50.0, None), (None, clock)]
