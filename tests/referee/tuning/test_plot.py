"""Scales and paths of plots in the report."""

import math

import pytest
from c4_referee.tuning.charts import WEIGHT_SCALE
from c4_referee.tuning.plot import (
    Band,
    Chart,
    Dots,
    LevelLine,
    Line,
    Panel,
    Scale,
    ratio_scale,
    round_scale,
)


@pytest.mark.parametrize("values", [[3, 6], [0.02, 98], [3], [0, 3, math.inf, 6]])
def test_every_ratio_is_inside_its_scale(values) -> None:
    """A scale of ratios has room around all positive values, and labels inside."""
    scale = ratio_scale(values)
    for value in values:
        if 0 < value < math.inf:
            assert 0 < scale.share(value) < 1
    assert all(0 <= scale.share(mark) <= 1 for mark in scale.marks)
    assert scale.share(0) == 0
    assert scale.share(-math.inf) == 0
    assert scale.share(math.inf) == 1


def test_equal_factors_are_equal_distances() -> None:
    """On a scale of ratios, 3 is in the middle between 1 and 9."""
    scale = Scale(1, 9, (), logarithmic=True)
    assert scale.share(3) == pytest.approx(0.5)


@pytest.mark.parametrize("last", [1, 2, 3, 4, 5, 7, 10, 49, 50, 99, 100, 300, 1234, 10**6])
def test_rounds_have_few_labels(last) -> None:
    """The first and the last round are labelled, and at most five others."""
    marks = round_scale(last).marks
    assert marks[0] == 1
    assert marks[-1] == last
    assert len(marks) <= 7
    assert [*marks] == sorted(set(marks))


def paths(width, values, *others):
    """Return the paths of a line and of other series in a panel of this width."""
    chart = Chart("", "", WEIGHT_SCALE, [Line(values, 1), *others])
    return [path for _, path in Panel(chart, width, 100).paths]


def test_line_has_gaps_and_no_needless_points() -> None:
    """A line has a gap at ``None``, and only the ends of a level part."""
    assert paths(40, [10, None, 20, 20, 20]) == ["M0 90h0M20 80h0L40 80"]
    assert paths(40, [10, 10, 30, 10, 10]) == ["M0 90h0L10 90L20 70L30 90L40 90"]


def test_dots_and_bands_are_paths() -> None:
    """A dot is drawn once, and a band is closed."""
    others = Dots([(1, 0), (1, 0), (2, 100)]), Band([0, 0], [100, 100], 1), LevelLine(50)
    assert paths(10, [50, 50], *others)[1:] == [
        "M0 100h0M10 0h0",
        "M0 0L10 0L10 100L0 100Z",
        "M0 50H10",
    ]
