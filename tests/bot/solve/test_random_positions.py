"""Random positions: different, of the wanted size, and the same for a seed."""

import pytest
from c4_bot.solve.random_positions import random_lines
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.variant import LINE8, STANDARD, Variant


@pytest.mark.parametrize("variant", [STANDARD, LINE8, Variant(4, 4)])
def test_positions_are_different_and_open(variant):
    """No position is repeated or mirrored, or the end of a game."""
    lines = [*random_lines(60, range(5, 9), 1, variant)]
    positions = [position_from_moves(line.decode(), variant) for line in lines]
    assert lines == [*random_lines(60, range(5, 9), 1, variant)]
    assert {position.ply for position in positions} == {5, 6, 7, 8}
    assert not any(position.is_over for position in positions)
    assert len({frozenset((one, one.mirrored())) for one in positions}) == 60


def test_impossible_wishes_are_refused():
    """Too many stones, or more positions than there are, are one line."""
    with pytest.raises(UsageError, match="at most 15 stones"):
        [*random_lines(1, range(3, 17), 1, Variant(4, 4))]
    with pytest.raises(UsageError, match="only 4 different positions; two mirror images"):
        [*random_lines(9, range(1, 2), 1, STANDARD)]
