"""Solved positions are found by their mirror images, too, and the rules alone show some values."""

import steals
from c4_bot.solve.solver import Solver
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8, STANDARD, STEAL, Variant
from c4_referee.records.stats.solved import (
    Reason,
    Solved,
    find_solved,
    forced_reply,
    position_key,
    score_of_steal,
    value_by_rules,
)
from hypothesis import given
from hypothesis import strategies as st

SMALL = [Variant(4, 3, 3), Variant(4, 4), Variant(3, 4, 3), Variant(5, 3, 3)]
"""Games that are solved quickly."""


def key(moves: str, variant: Variant = STANDARD) -> str:
    """Return the key of the position after some moves."""
    return position_key(position_from_moves(moves, variant))


@given(st.from_type(Position) | steals.POSITIONS)
def test_a_mirror_image_has_the_reversed_scores(position: Position) -> None:
    """The entry of a position is found for its mirror image, with the columns in reverse order."""
    scores = tuple(range(position.variant.width))
    solved = {position_key(position): Solved(3, scores)}
    assert find_solved(position, solved) == Solved(3, scores)
    image = position.mirrored()
    expected = scores if image == position else scores[::-1]
    assert find_solved(image, solved) == Solved(3, expected)


@given(st.from_type(Position) | steals.POSITIONS)
def test_another_position_is_not_found(position: Position) -> None:
    """A position and its successors have different entries."""
    child = position.play(position.moves[0])
    assert find_solved(child, {position_key(position): Solved(3)}) is None


def test_more_details_are_better() -> None:
    """Scores that are known for the mirror image are preferred to a value alone."""
    scores = (-1, -2, 0, 1, None, 1, 0)
    solved = {key("112"): Solved(1), key("776"): Solved(1, scores)}
    assert find_solved(position_from_moves("112", STANDARD), solved) == Solved(1, scores[::-1])
    solved = {key("112"): Solved(1, scores), key("776"): Solved(1)}
    assert find_solved(position_from_moves("112", STANDARD), solved) == Solved(1, scores)
    solved = {key("112"): Solved(1), key("776"): Solved(1)}
    assert find_solved(position_from_moves("112", STANDARD), solved) == Solved(1)


def test_reasons_are_not_mirrored() -> None:
    """Reasons name moves, so a mirror image does not have them, and does not hide them."""
    reasons = (Reason("4", "Column 4 draws.", "1"),)
    solved = {key("112"): Solved(1, (), "", reasons), key("776"): Solved(1, (0,) * 7)}
    assert find_solved(position_from_moves("112", STANDARD), solved) == Solved(
        1, (0,) * 7, "", reasons
    )
    assert find_solved(position_from_moves("776", STANDARD), solved) == Solved(1, (0,) * 7)
    del solved[key("776")]
    assert find_solved(position_from_moves("776", STANDARD), solved) == Solved(1)


def test_a_best_cell_is_mirrored() -> None:
    """The best move of a mirror image is the mirrored cell."""
    solved = {key("a1", LINE8): Solved(26, best="b3")}
    assert find_solved(position_from_moves("a8", LINE8), solved) == Solved(26, best="b6")


@given(st.sampled_from(SMALL), st.lists(st.integers(0, 9), max_size=15), st.integers(0, 9))
def test_the_rules_show_only_true_values(variant: Variant, picks: list[int], other: int) -> None:
    """Values by the rules are those of the solver, and a move beside a forced reply loses."""
    position = Position(variant)
    for pick in picks:
        child = position.play(position.moves[pick % len(position.moves)])
        position = position if child.is_over else child
    value = value_by_rules(position)
    if value is not None:
        assert value == Solver(variant).solve(position).low
    elif (reply := forced_reply(position)) is not None:
        cell = position.moves[other % len(position.moves)]
        assert cell == reply or position.play(cell).winning_cells


def test_rules_decide_nothing_while_the_steal_is_possible() -> None:
    """With lines of two, player 2 has lost after any first stone, unless it steals the stone."""
    stolen = Variant(5, 2, 2, steal=True)
    first = position_from_moves("3", stolen)
    assert value_by_rules(first) is None
    assert forced_reply(first) is None
    assert (value_by_rules(first.without_steal) or 0) < 0
    assert (value_by_rules(first.play(STEAL)) or 0) < 0
    assert forced_reply(position_from_moves("1", stolen)) is None
    assert forced_reply(position_from_moves("1", Variant(5, 1, 2))) == 2


def test_steal_has_the_opposite_of_the_best_score() -> None:
    """The steal leaves the opponent the same choice of columns."""
    assert score_of_steal((-3, None, -1, -4)) == 1
    assert score_of_steal((-3, 2)) == -2
