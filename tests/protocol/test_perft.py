"""Node counts."""

import pytest
from c4_protocol.notation import position_from_moves
from c4_protocol.perft import perft
from c4_protocol.position import Position
from c4_protocol.variant import LINE8, STANDARD, Variant

PUBLISHED = [1, 8, 57, 400, 2801, 19608, 137257]


@pytest.mark.parametrize("depth", range(len(PUBLISHED)))
def test_published_values_are_found(depth: int) -> None:
    """The counts are those of the empty board and include the root."""
    assert perft(Position(), depth) == PUBLISHED[depth]


def test_free_placement_is_counted() -> None:
    """There are 64 first moves, and 63 answers to each."""
    assert perft(Position(LINE8), 2) == 1 + 64 + 64 * 63


def test_won_position_is_a_leaf() -> None:
    """One of seven moves wins: it is counted, but has no nodes below it."""
    position = position_from_moves("112233", STANDARD)
    assert perft(position, 2) == 1 + 7 + 6 * 7
    assert perft(position_from_moves("1122334", STANDARD), 5) == 1


def test_tree_ends_where_the_board_is_full() -> None:
    """A column of three cells has one game; a larger depth changes nothing."""
    assert perft(Position(Variant(1, 3)), 99) == 4
