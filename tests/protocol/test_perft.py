"""Counts of nodes."""

import pytest
from c4_protocol.notation import position_from_moves
from c4_protocol.perft import perft
from c4_protocol.position import Position
from c4_protocol.variant import LINE8, STANDARD, Variant

PUBLISHED = [1, 8, 57, 400, 2801, 19608, 137257]


@pytest.mark.parametrize("depth", range(len(PUBLISHED)))
def test_published_values_are_found(depth: int) -> None:
    """The counts from the empty board, with the root, are the published ones."""
    assert perft(Position(), depth) == PUBLISHED[depth]


def test_free_placement_is_counted() -> None:
    """Without gravity, 8x8 has 64 first moves, and 63 replies to each."""
    assert perft(Position(LINE8), 2) == 1 + 64 + 64 * 63


def test_won_position_is_a_leaf() -> None:
    """A won position is counted, but has no nodes below it."""
    position = position_from_moves("112233", STANDARD)
    assert perft(position, 2) == 1 + 7 + 6 * 7
    assert perft(position_from_moves("1122334", STANDARD), 5) == 1


def test_tree_ends_where_the_board_is_full() -> None:
    """The tree ends at a full board, so that a larger depth changes nothing."""
    assert perft(Position(Variant(1, 3)), 99) == 4
