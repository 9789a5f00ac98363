"""Counts of nodes."""

from functools import cache

import pytest
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.perft import perft
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, LINE8, STANDARD, Variant

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


@cache
def naive_count(heights: tuple[int, ...], height: int, ply: int, depth: int) -> int:
    """Return the number of nodes of games in which nobody can win, with the steal.

    It knows only the heights of the columns, and whether the second move is next. That move adds a
    stone to a column, or it adds none.
    """
    if depth == 0:
        return 1
    following = [
        (*heights[:x], stones + 1, *heights[x + 1 :])
        for x, stones in enumerate(heights)
        if stones < height
    ]
    if ply == 1 and following:
        following.append(heights)
    return 1 + sum(naive_count(after, height, ply + 1, depth - 1) for after in following)


@pytest.mark.parametrize("size", [(9, 7), (7, 6), (4, 1), (1, 1), (1, 3), (2, 2)])
@pytest.mark.parametrize("depth", range(6))
def test_steal_is_counted_as_one_more_second_move(size: tuple[int, int], depth: int) -> None:
    """The counts are those of a naive program, on boards on which nobody wins so soon."""
    variant = Variant(*size, connect=5, steal=True)
    assert perft(Position(variant), depth) == naive_count((0,) * size[0], size[1], 0, depth)


def test_counts_of_codingame_are_known() -> None:
    """The counts for 9x7 with the steal stay as they are, and differ from those without it."""
    position = Position(CODINGAME)
    assert [perft(position, depth) for depth in range(5)] == [1, 10, 100, 910, 8200]
    assert [perft(position.without_steal, depth) for depth in range(5)] == [1, 10, 91, 820, 7381]
