"""Limits of a player, and its first answer."""

import pytest
from c4_bot.contract import Limits, Result
from c4_bot.player import MAX_DEPTH, Player
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


def test_own_depth_holds_unless_another_is_set():
    """A depth in the caller's limits replaces the player's own depth."""
    one = player(depth=3)
    assert one.bounded(Limits()).depth == 3
    assert one.bounded(Limits(depth=5)).depth == 5


def test_own_time_holds_only_without_a_limit():
    """Any limit of the caller replaces the player's own time."""
    one = player(time_ms=1000)
    assert one.bounded(Limits()).deadline is not None
    for limits in (Limits(depth=1), Limits(nodes=1), Limits(deadline=0.0)):
        assert one.bounded(limits).deadline == limits.deadline


def test_only_the_first_position_is_answered_with_the_centre():
    """With ``centre_on_first_line``, the second position is searched."""
    one, position = player(centre_on_first_line=True), Position().play(Position().moves[0])
    assert one.choose(position, Limits()).cell == position.moves[0]
    assert one.choose(position, Limits()).cell == position.moves[-1]


def test_empty_board_is_always_answered_with_the_centre():
    """With ``centre_first``, only the empty board is answered with the centre."""
    one, position = player(centre_first=True), Position()
    for _ in range(2):
        assert one.choose(position, Limits()).cell == position.moves[0]
    child = position.play(position.moves[0])
    assert one.choose(child, Limits()).cell == child.moves[-1]


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
