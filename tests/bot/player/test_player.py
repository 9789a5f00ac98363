"""Limits of a player, and its first answer."""

import pytest
from c4_bot.contract import Limits, Result
from c4_bot.player.player import MAX_DEPTH, Player
from c4_protocol.program.errors import UsageError, VariantError
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8


class LastMove:
    """A search that returns the last legal move, and records its limits."""

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the last legal move, which is the farthest from the centre."""
        self.limits = limits
        return Result(position.moves[-1])


def player(**fields: object) -> Player:
    """Return a player that has the given fields."""
    return Player("test", LastMove(), **fields)


def test_own_limits_hold_unless_others_are_set():
    """A caller's depth replaces the player's own. Any limit replaces the player's own time."""
    one = player(depth=3, time_ms=1000)
    assert one.bounded(Limits()).depth == 3
    assert one.bounded(Limits()).deadline is not None
    assert one.bounded(Limits(depth=5)).depth == 5
    for limits in (Limits(depth=1), Limits(nodes=1), Limits(deadline=0.0)):
        assert one.bounded(limits).deadline == limits.deadline


@pytest.mark.parametrize(
    ("field", "places"), [("centre_on_first_line", [0, -1, -1]), ("centre_first", [0, 0, -1])]
)
def test_first_position_or_empty_board_is_answered_with_the_centre(field, places):
    """The first position, or each empty board, is answered with the centre without a search."""
    one, position = player(**{field: True}), Position()
    asked = [position, position, position.play(position.moves[0])]
    found = [one.choose(each, Limits()).cell for each in asked]
    assert found == [each.moves[place] for each, place in zip(asked, places, strict=True)]
    one = player(centre_on_first_line=True)
    assert one.choose(asked[2], Limits()).cell == asked[2].moves[0]


def test_game_of_another_kind_is_refused():
    """A player for games with gravity refuses games without it."""
    with pytest.raises(VariantError, match="plays only games with gravity"):
        player(variants="gravity").choose(Position(LINE8), Limits())


@pytest.mark.parametrize(
    "fields", [{"depth": 0}, {"depth": MAX_DEPTH + 1}, {"time_ms": -1}, {"time_ms": float("inf")}]
)
def test_impossible_limit_is_refused(fields):
    """A depth out of range, and a negative or infinite time, are refused."""
    with pytest.raises(UsageError):
        player(**fields)
