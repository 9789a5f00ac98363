"""The chart of ranks: a line for each bot, dots for versions, colours for the best."""

import re
from xml.etree import ElementTree

from c4_referee.classroom.entries import Row, RunEntry
from c4_referee.classroom.pages.chart import NAMED, rank_chart


def runs(*columns: dict[str, int | None]) -> list[RunEntry]:
    """Return runs from the versions of bots by their names, in the order of their ranks."""
    return [
        RunEntry(str(number), tuple(Row(name, each, 1, 0, 0) for name, each in column.items()))
        for number, column in enumerate(columns)
    ]


def lines(*columns: dict[str, int | None]) -> dict[str, list[str]]:
    """Return the data of both paths of each bot."""
    svg = ElementTree.fromstring(rank_chart(runs(*columns)).svg)
    return {group[0].text: [path.get("d") for path in group[1:]] for group in svg}


def test_line_goes_through_the_ranks_with_dots_for_versions():
    """A line goes on over a run that a bot missed; a dot marks the first run of a version."""
    drawn = lines({"a": 1, "b": 1}, {"b": 1}, {"b": 2, "a": 1})
    assert drawn["a"] == ["M0 0.5L2 1.5", "M0 0.5h0"]
    assert drawn["b"] == ["M0 1.5L1 0.5L2 0.5", "M0 1.5h0M2 0.5h0"]


def test_staff_has_one_dot_and_a_dashed_line():
    """A bot without versions has a dot where it begins, and the class of the staff."""
    chart = rank_chart(runs({"a": 1}, {"a": 1, "staff": None}, {"a": 1, "staff": None}))
    assert re.search(r'class="c1 staff"><title>staff</title>', chart.svg)
    assert "M1 1.5h0" in chart.svg


def test_best_bots_have_colours():
    """The best bots of the last run have colours, and the others have none."""
    names = dict.fromkeys(map(str, range(NAMED + 2)), 1)
    chart = rank_chart(runs(names, names))
    assert [label.colour for label in chart.labels] == [*(f"c{n}" for n in range(NAMED)), "", ""]
    assert chart.places == NAMED + 2


def test_one_run_has_no_chart():
    """A line needs two runs."""
    assert rank_chart(runs({"a": 1})) is None
