"""The distribution of the times of moves."""

import pytest
from c4_referee.site.times import time_chart
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

TIMES = st.lists(st.floats(0, 1e9), min_size=1).map(sorted)


@examples(100)
@given(TIMES)
def test_bars_have_all_moves(times):
    """Each move is in one bar, and the longest bar has the full length."""
    chart = time_chart(times)
    assert sum(bar.moves for bar in chart.bars) == chart.moves == len(times)
    assert sum(bar.share for bar in chart.bars) == pytest.approx(1)
    assert max(bar.length for bar in chart.bars) == 100
    assert len({bar.label for bar in chart.bars}) == len(chart.bars)


def test_bars_have_the_bounds_of_their_times():
    """The label of a bar names the bounds of its times."""
    chart = time_chart([1.5, 3.0, 4.0, 150.0])
    assert [bar.moves for bar in chart.bars] == [1, 2, 0, 0, 0, 0, 1]
    assert chart.bars[0].label == "1 to 2 ms"
    assert chart.bars[-1].label == "100 to 200 ms"
    assert (chart.median, chart.longest) == ("3.5 ms", "150 ms")
    assert time_chart([float(ms) for ms in range(1, 101)]).most == "96 ms"


def test_extreme_times_have_labels():
    """Times below the first bound and above the last one have bars of their own."""
    assert time_chart([0.0]).bars[0].label == "below 0.01 ms"
    assert time_chart([1e9]).bars[0].label == "50,000 s or more"


def test_no_times_are_no_chart():
    """A bot without moves has no chart."""
    assert time_chart([]) is None
