"""The game of ``c4-bot --play``: its board and its opponent."""

import pytest
from c4_bot.play.person import SessionOpponent, board
from c4_bot.play.session import Session
from c4_bot.player import registry
from c4_protocol.program.errors import UsageError
from c4_protocol.rules.variant import STANDARD, Variant


@pytest.mark.parametrize(
    ("sides", "variant"),
    [
        ((None, None, None), STANDARD),
        (("9", "7", 5), Variant(9, 7, 5)),
        (("5", None, None), Variant(5, 6)),
        (("3", "3", 3), Variant(3, 3, 3)),
    ],
)
def test_board_is_what_the_command_line_says(sides, variant):
    """The command line sets the board. The default is 7x6 with lines of four."""
    assert board(*sides) == variant


@pytest.mark.parametrize(
    ("sides", "reason"),
    [
        (("x", None, None), "--width x: say a whole number"),
        ((None, "-3", None), "--height -3: say a whole number"),
        (("0", None, None), "a board is 1 to 52 wide and high, not 0x6"),
        (("99", "6", None), "a board is 1 to 52 wide and high, not 99x6"),
        (("3", "3", None), "4 in a row do not fit on a board of 3x3"),
        ((None, None, 9), "9 in a row do not fit on a board of 7x6: say --connect N, at most 7"),
    ],
)
def test_impossible_board_is_refused(sides, reason):
    """An impossible board is refused with an error that says what is possible."""
    with pytest.raises(UsageError, match=reason):
        board(*sides)


@pytest.mark.parametrize(("name", "says_elo"), [("level-3", True), ("needed", False)])
def test_opponent_says_how_strong_a_level_is(name, says_elo):
    """The opponent says how strong a level is; it says nothing of players without an Elo."""
    opponent = SessionOpponent(Session(registry.build_player(name)), STANDARD, 1)
    assert (f"{name} is about " in opponent.about) == says_elo
