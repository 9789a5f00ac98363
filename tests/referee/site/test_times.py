"""The distribution of the times of moves."""

import pytest
from c4_referee.site.texts import counted, points_text, signed, time_text, value_text
from c4_referee.site.times import BIN_WIDTH, time_chart
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

TIMES = st.lists(st.floats(0, 1e9), min_size=1).map(sorted)


@examples(100)
@given(TIMES)
def test_bars_have_all_moves(times):
    """Each move is in one bar, and the highest bar has the full height."""
    chart = time_chart(times)
    assert sum(bar.moves for bar in chart.bars) == chart.moves == len(times)
    assert max(bar.height for bar in chart.bars) == 120
    assert chart.width == BIN_WIDTH * len(chart.bars)
    assert [bar.x for bar in chart.bars] == [*range(0, chart.width, BIN_WIDTH)]


def test_bars_are_between_their_marks():
    """The marks below a bar are the bounds of its times."""
    chart = time_chart([1.5, 3.0, 4.0, 150.0])
    assert [bar.moves for bar in chart.bars] == [1, 2, 0, 0, 0, 0, 1]
    assert chart.marks[0] == (0, "1 ms")
    assert chart.marks[-1] == (chart.width, "200 ms")
    assert (chart.median, chart.longest) == ("3.5 ms", "150 ms")


def test_tiny_times_have_no_mark_to_the_left():
    """Times below the first bound are in a bar without a mark on its left."""
    assert time_chart([0.0]).marks == [(BIN_WIDTH, "0.01 ms")]


def test_no_times_are_no_chart():
    """A bot without moves has no chart."""
    assert time_chart([]) is None


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
