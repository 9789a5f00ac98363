"""The board that options of ``c4-bot`` describe."""

import pytest
from c4_bot.commands._arguments import board
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
