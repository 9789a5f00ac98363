"""Moves between two positions."""

import random

import pytest
from c4_protocol.program.errors import ImpossiblePosition
from c4_protocol.rules.notation import replay
from c4_protocol.rules.position import Position
from c4_protocol.rules.route import Route, moves_between
from c4_protocol.rules.variant import CODINGAME, LINE8, STANDARD, STEAL, Variant
from hypothesis import example, given
from hypothesis import strategies as st


def check_moves(start, goal):
    """Assert that legal moves are found from a position to the stones of another one."""
    cells = moves_between(start, goal.stones, goal.player)
    assert cells is not None
    for cell in cells:
        assert cell in start.moves
        start = start.play(cell)
    assert (start.stones, start.player) == (goal.stones, goal.player)


@example(51, CODINGAME)  # with a steal, the same stones are the turn of either player
@given(st.integers(0, 1 << 20), st.sampled_from([STANDARD, CODINGAME, LINE8, Variant(5, 4, 3)]))
def test_moves_between_positions_of_a_game_are_found(seed, variant):
    """Between two positions of a game, legal moves are found that lead from one to the other."""
    chance = random.Random(seed)
    start = position = Position(variant)
    for _ in range(chance.randrange(12)):
        if not position.is_over:
            position = position.play(chance.choice(position.moves))
        if chance.random() < 0.4:
            start = position
    check_moves(start, position)


@pytest.mark.parametrize("moves", ["4s", "4s5", "4s45123", "44", "445"])
@pytest.mark.parametrize("known", [0, 1, 2])
def test_steal_is_one_of_the_moves(moves, known):
    """The steal is found. Few stones show whether it was played."""
    start, goal = (replay(each, CODINGAME)[0] for each in (moves[:known], moves))
    check_moves(start, goal)
    if goal.ply < 3:
        assert (STEAL in moves_between(start, goal.stones)) == ("s" in moves[known:])


def test_no_moves_lead_to_an_earlier_position():
    """Nothing is found if stones would have to be removed, or if the game was over."""
    later, won = replay("445", STANDARD)[0], replay("1212121", STANDARD)[0]
    assert moves_between(later, replay("44", STANDARD)[0].stones) is None
    assert moves_between(won, replay("12121213", Variant(7, 6, 5))[0].stones) is None


def test_player_to_move_decides():
    """Nothing is found if the other player would be to move after the moves."""
    assert moves_between(Position(), Position().stones, 2) is None
    assert moves_between(Position(player=2), Position().stones, 2) == []


def test_route_begins_anew_if_stones_are_gone():
    """The next game begins on the empty board, also after a position that no moves lead to."""
    route, empty = Route(), Position()
    for moves, cells in (("44", 2), ("", 0), ("445", 3), ("", 0), ("4", 1)):
        goal = replay(moves, STANDARD)[0]
        route.extend_to(goal)
        assert (len(route.cells), route.position) == (cells, goal)
    with pytest.raises(ImpossiblePosition):
        route.extend_to(Position(STANDARD, (3, 12)))
    route.extend_to(Position(player=2))
    assert (route.cells, route.position) == ([], empty)
