"""Counts of positions in the core, compared with those in Python."""

import pytest
import steals
from c4_bot import native
from c4_bot.native import halves, sizes
from c4_protocol.program.errors import ProtocolError
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.perft import perft
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8, STANDARD, Variant
from cores import needs_core
from effort import examples, one_in
from hypothesis import given
from hypothesis import strategies as st

PUBLISHED = [1, 8, 57, 400, 2801, 19608, 137257, 960793, 6634027]
MOST_NODES = 3000
"""Maximum number of nodes that Python counts in a test."""


@needs_core
@pytest.mark.parametrize("depth", range(len(PUBLISHED)))
def test_published_values_are_found(depth):
    """The counts for the empty 7x6 board, with the root, are the published ones."""
    assert native.count_positions(Position(), depth) == PUBLISHED[depth]


@needs_core
@given(position=st.from_type(Position) | steals.POSITIONS, depth=st.integers(0, 6))
@examples(600)
def test_core_counts_as_the_python_does(position: Position, depth):
    """Core and Python count the same on boards of every kind and size, also with the steal."""
    if len(position.moves) ** depth > MOST_NODES:
        depth = 2
    assert native.count_positions(position, depth) == perft(position, depth)


@pytest.mark.parametrize(
    ("position", "depth", "nodes"),
    [
        (position_from_moves("1122334", STANDARD), 9, 1),
        (position_from_moves("12", Variant(2, 1)), 9, 1),
        (Position(Variant(1, 3)), 1 << 60, 4),
        (Position(Variant(3, 3, 3, gravity=False)), 9, 549946),
        (Position(LINE8), 2, 1 + 64 + 64 * 63),
        (Position(Variant(20, 20)), 2, 1 + 20 + 400),
    ],
    ids=["won", "full", "deeper than any", "noughts and crosses", "free", "too large for the core"],
)
def test_trees_end(position, depth, nodes):
    """A tree ends only where a game is over, or at the depth."""
    assert native.count_positions(position, depth) == nodes


@needs_core
@pytest.mark.parametrize("depth", one_in(2, [12, 10**15]))
def test_too_many_positions_are_refused(depth):
    """A depth with too many positions is refused before they are counted."""
    with pytest.raises(ProtocolError, match=f"perft {depth}: there may be more than 3000000000 "):
        native.count_positions(Position(), depth)


@given(position=..., depth=st.integers(0, 9), most=st.integers(1, MOST_NODES))
@examples(100)
def test_no_more_than_the_limit_is_counted(position: Position, depth, most):
    """A number is the right one and at most the limit, and what is refused could be more."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "MAX_COUNTED", most)
        patch.setattr(native, "MAX_COUNTED_IN_PYTHON", most)
        try:
            nodes = native.count_positions(position, depth)
        except ProtocolError:
            assert len(position.moves) ** depth >= most / (depth + 1)
        else:
            assert nodes == perft(position, depth) <= most


def test_python_counts_where_there_is_no_core(monkeypatch, capsys):
    """Without the core, Python counts the same number of positions."""
    monkeypatch.setattr(native, "core", None)
    native.is_core_available.cache_clear()
    assert native.count_positions(Position(), 3) == PUBLISHED[3]
    with pytest.raises(ProtocolError, match="more than 1000000 positions"):
        native.count_positions(Position(), 8)
    native.is_core_available.cache_clear()
    assert "the native core is missing" in capsys.readouterr().err


@needs_core
def test_core_refuses_what_it_cannot_hold():
    """The core refuses a board of more than 128 bits, and a steal after the first stone."""
    with pytest.raises(ValueError, match="128 bits"):
        native.core.perft(sizes(Variant(20, 20)), (halves(0), halves(0)), 1)
    late = position_from_moves("12", Variant(7, 6, steal=True))
    with pytest.raises(ValueError, match="the steal is only for the first stone"):
        native.core.perft(sizes(late.variant), native.stones(late), 2, True)
