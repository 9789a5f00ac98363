"""The dialect with the ``go`` command: what its transcripts cannot show."""

import pytest
from c4_protocol.dialects.c4engine import RefereeEnd
from c4_protocol.program.errors import ImpossiblePosition
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD
from hypothesis import given
from hypothesis import strategies as st


@given(st.lists(st.integers(0, 99), max_size=42))
def test_moves_are_sent_in_the_order_in_which_they_were_made(picks: list[int]) -> None:
    """The moves are sent as they were made, even if others lead to the same position."""
    referee, position, digits = RefereeEnd(), Position(), ""
    referee.read_move(b"readyok")
    for pick in picks:
        if position.ply % 2 == 0:
            line, _, _ = referee.write_precept(position).partition(b"\n")
            assert line.decode() == f"position startpos {digits}"
        cell = position.moves[pick % len(position.moves)]
        position, digits = position.play(cell), f"{digits}{STANDARD.column_of(cell)}"
        if position.is_over:
            break


def test_position_that_no_moves_lead_to_is_refused() -> None:
    """A position that no moves lead to is refused."""
    bottom = STANDARD.cell(0, 0), STANDARD.cell(0, 1)
    above = STANDARD.cell(0, 2), STANDARD.cell(0, 3)
    stones = (sum(1 << cell for cell in bottom), sum(1 << cell for cell in above))
    with pytest.raises(ImpossiblePosition, match="no moves lead to the position"):
        RefereeEnd().write_precept(Position(STANDARD, stones))
