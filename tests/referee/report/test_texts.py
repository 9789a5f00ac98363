"""Numbers as texts for people."""

import pytest
from c4_referee.report.texts import (
    counted,
    elo_interval,
    points_text,
    signed,
    time_text,
    value_text,
)


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (time_text(0.123), "0.12 ms"),
        (time_text(9.87), "9.9 ms"),
        (time_text(123.4), "123 ms"),
        (time_text(1234), "1.23 s"),
        (time_text(90_000), "1.5 min"),
        (points_text(1.5), "1½"),
        (points_text(0.5), "½"),
        (points_text(0), "0"),
        (signed(0.2), "0"),
        (signed(-12.4), "\N{MINUS SIGN}12"),
        (signed(3), "+3"),
        (value_text(0), "draw"),
        (value_text(-3), "lost \N{MINUS SIGN}3"),
        (counted(1, "game"), "1 game"),
        (counted(1200, "game"), "1,200 games"),
    ],
)
def test_texts(shown, text):
    """Numbers are shown with few digits and their units."""
    assert shown == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (-12.4, 30, "\N{MINUS SIGN}12 to +30"),
        (5, 2000, "at least +5"),
        (-2000, 5, "at most +5"),
        (-2000, 2000, "any"),
        (-2100, 2100, "\N{MINUS SIGN}2100 to +2100"),
    ],
)
def test_bounds_at_which_differences_are_cut_are_left_out(low, high, text):
    """An interval that reaches the largest difference is open, because it may be larger."""
    assert elo_interval(low, high) == text
