"""Every dialect, spoken by both sides: what one writes, the other reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import dialects
from protocol.messages import Clock, Info
from protocol.notation import wire_move
from protocol.position import Position

TIMES = st.none() | st.floats(0, 1e9) | st.builds(
    Clock, remaining_ms=st.floats(0, 1e9), increment_ms=st.floats(0, 1e6)
)  # fmt: skip

INFOS = st.none() | st.builds(
    Info,
    score=st.floats(-1e6, 1e6),
    depth=st.integers(0, 99),
    nodes=st.integers(0, 1 << 40),
    ms=st.floats(0, 1e6),
    pv=st.lists(st.integers(0, 63) | st.tuples(st.integers(0, 63), st.integers(0, 63))),
)


@pytest.mark.parametrize("name", dialects.names())
@given(position=..., time=TIMES)
def test_precept_arrives_as_it_was_sent(name, position: Position, time):
    """A bot sees the position and the time that the referee meant."""
    conversation = dialects.dialect(name)
    line = conversation.write_precept(position, time)
    assert line.count(b"\n") == 1
    precept = conversation.read_precept(line.strip())
    assert precept.position() == position
    assert (precept.clock or precept.time_ms) == time


@pytest.mark.parametrize("name", dialects.names())
@given(position=..., info=INFOS)
def test_move_arrives_as_it_was_sent(name, position: Position, info):
    """The referee sees the move that the bot meant, whatever else it tells."""
    conversation = dialects.dialect(name)
    for cell in position.moves:
        move = wire_move(position.variant, cell)
        line = conversation.write_move(move, info)
        assert line.count(b"\n") == 1
        assert conversation.read_move(line.strip()) == move
