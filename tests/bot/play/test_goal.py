"""Length of a line that wins, if the precept does not state it."""

import json

import pytest
from c4_bot.play.goal import position_with_goal
from c4_protocol.dialects.jsonl import BotEnd
from c4_protocol.program.errors import ImpossiblePosition
from c4_protocol.records.messages import MoveRequest, Precept
from c4_protocol.rules.position import Position
from hypothesis import given
from hypothesis import strategies as st

FOUR = [[0] * 6, [0, 0, 0, 0, 2, 2], [0] * 6, [0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 0, 2],
        [0, 0, 0, 0, 0, 2], [0] * 6]  # fmt: skip
"""Player 1 has four in a row, player 2 is to move, and most cells are free."""
BASE = [[0] * 4 + [2, 1]] * 7
"""A grid in which both players have a line as long as the board is wide."""


def precept(grid: list[list[int]], **more: object) -> Precept:
    """Return the precept that a line of JSON with a grid yields."""
    request = BotEnd().read_line(json.dumps({"grid": grid, **more}).encode())
    assert isinstance(request, MoveRequest)
    return request.precept


@given(st.from_type(Position))
def test_stated_goal_is_not_changed(position: Position) -> None:
    """The command line and the board do not change a goal that the precept states."""
    assert position_with_goal(Precept.of(position), 1, connect=9) == position


@pytest.mark.parametrize(("connect", "played"), [(None, 4), (5, 5), (2, 2)])
def test_command_line_sets_a_goal_that_the_precept_does_not_say(connect, played):
    """The command line sets a goal that the precept does not state. The default is four."""
    found = position_with_goal(precept([[0] * 6] * 7), connect=connect)
    assert (found.variant.connect, found.player) == (played, 1)


@pytest.mark.parametrize(
    ("grid", "connect", "played"),
    [(FOUR, None, 5), (FOUR, 3, 5), (FOUR, 5, 5), (BASE, None, 8), ([*BASE, [0] * 6], None, 8)],
)
def test_board_shows_a_longer_goal(grid, connect, played):
    """The goal is longer than the longest complete line, even if such a line does not fit."""
    found = position_with_goal(precept(grid), connect=connect)
    assert (found.variant.connect, found.winner) == (played, 0)


def test_every_length_may_be_complete():
    """If lines of all lengths are complete, the game counts as won, but there is a legal move."""
    found = position_with_goal(precept([[0] * 2 + [2, 1]] * 52))
    assert found.winner
    assert found.moves


@pytest.mark.parametrize(
    ("grid", "stated", "connect", "reason"),
    [
        (FOUR, {"connect": 4}, 5, "player 1 has 4 in a row"),
        *(([[1, 2], [2, 1]], {}, connect, "the game is over") for connect in (None, 2, 3)),
        ([[1, 0, 0, 0, 0, 0], *FOUR[1:]], {}, None, "a stone floats"),
    ],
)
def test_position_without_a_move_is_refused(grid, stated, connect, reason):
    """A game that is over by a stated goal, a full board and a floating stone are refused."""
    with pytest.raises(ImpossiblePosition, match=reason):
        position_with_goal(precept(grid, **stated), connect=connect)


def test_longer_goal_keeps_stones_and_player():
    """A longer goal changes neither the stones nor the player to move."""
    found, stated = position_with_goal(precept(FOUR)), position_with_goal(precept(FOUR, connect=5))
    assert found == stated
