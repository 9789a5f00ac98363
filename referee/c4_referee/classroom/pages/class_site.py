"""Pages of a class that everybody may see: the ranking of the last run, and all runs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from c4_referee.classroom.entries import Row
from c4_referee.classroom.runs import Run
from c4_referee.records.stats.ratings import Estimate
from c4_referee.report.site.environment import environment
from c4_referee.report.site.pages import Page
from c4_referee.report.site.standings_page import Axis
from c4_referee.report.texts import TIES, leaders_text

COLOURED = 5
"""Number of bots of the last run that have a colour in the chart: the best ones."""
SURE, LIKELY = 0.95, 0.75
"""Likelihoods from which a rank is called sure and likely. Below, it is called open."""
MAX_SURENESS = 0.99
"""Maximum likelihood that is shown, because more is never known from the games of an evening."""


class Appearance(NamedTuple):
    """A bot in a run. ``place`` is its place in the list, from 0. Equal ranks have several places.

    ``is_new`` is true if another version played in the run before, and ``is_back`` if that was a
    later one.
    """

    place: int
    row: Row
    is_new: bool
    is_back: bool = False


class Point(NamedTuple):
    """A point of a bot's line in a chart. ``y`` is in rows from the top."""

    run: int
    y: float
    is_new: bool


def class_pages(title: str, runs: Sequence[Run], folders: Mapping[str, str]) -> Iterator[Page]:
    """Generate the pages ``index.html`` and ``history.html`` of a class.

    ``runs`` are all runs, the oldest first. ``folders`` has the paths of their standings pages by
    their names, as seen from these pages. A run without a path has no link.
    """
    rows = runs[-1].rows if runs else ()
    ratings = {
        row.name: Estimate(row.rating, row.low, row.high)
        for row in rows
        if row.rating is not None and row.low is not None and row.high is not None
    }
    played = [row for row in rows if row.games and not row.gave_up]
    leaders = [row for row in played if row.rank == played[0].rank]
    variables = {
        "title": title,
        "runs": runs,
        "folders": folders,
        "rows": rows,
        "before": {row.name: row.rank for run in runs[-2:-1] for row in run.rows},
        "leaders": leaders
        and leaders_text([row.name for row in leaders], leaders[0].points, is_over=False),
        "ties": TIES,
        "ratings": ratings,
        "axis": Axis([*ratings.values()]),
        "sureness": sureness,
        "history": (courses := history(runs)),
        "anchor": (anchor := runs[-1].anchor if runs else None),
        "charts": [*charts(runs, courses, anchor)],
        "colours": {row.name: f"c{place}" for place, row in enumerate(rows[:COLOURED])},
    }
    for name, crumbs in (("class", []), ("class_history", [("index.html", title)])):
        page = environment().get_template(f"{name}.html.jinja")
        text = page.render(root="", crumbs=crumbs, **variables)
        yield "history.html" if crumbs else "index.html", text


def sureness(likelihood: float) -> str:
    """Return in words how sure it is that a bot is stronger than the next one."""
    likelihood = round(likelihood, 2)  # so that the word fits the number
    word = "sure" if likelihood >= SURE else "likely" if likelihood >= LIKELY else "open"
    over = "over " if likelihood > MAX_SURENESS else ""
    return f"{word}, {over}{min(likelihood, MAX_SURENESS):.0%}"


def history(runs: Sequence[Run]) -> dict[str, dict[int, Appearance]]:
    """Return the runs of each bot, by the names of bots and the numbers of runs from 0.

    The bots of the newest run come first, by their ranks. Then come those that were seen last in
    the run before, and so on.
    """
    names = dict.fromkeys(row.name for run in reversed(runs) for row in run.rows)
    courses: dict[str, dict[int, Appearance]] = {name: {} for name in names}
    versions: dict[str, int | None] = {}
    for number, run in enumerate(runs):
        for place, row in enumerate(run.rows):
            is_new = row.name not in versions or versions[row.name] != row.version
            is_back = (row.version or 0) < (versions.get(row.name) or 0)
            courses[row.name][number] = Appearance(place, row, is_new, is_back)
            versions[row.name] = row.version
    return courses


def charts(
    runs: Sequence[Run], courses: Mapping[str, Mapping[int, Appearance]], anchor: str | None
) -> Iterator[tuple[str, Mapping[str, Sequence[Point]], tuple[float, float]]]:
    """Generate the charts over all runs: title, line of each bot, and values at both ends.

    The chart of ratings has the runs in which the rating of ``anchor`` is 0, because only these
    can be compared.
    """
    places = max(len(run.rows) for run in runs) if runs else 0
    ranks = {
        name: [Point(run, each.place + 0.5, each.is_new) for run, each in course.items()]
        for name, course in courses.items()
    }
    yield "Ranks", ranks, (1, places)
    zeros = courses.get(anchor, {}) if anchor else {}
    fixed = {
        run for run, each in zeros.items() if each.row.rating == 0 and runs[run].anchor == anchor
    }
    rated = {
        name: [(run, each.row.rating, each.is_new) for run, each in course.items()
               if run in fixed and each.row.rating is not None]
        for name, course in courses.items()
    }  # fmt: skip
    values = [rating for course in rated.values() for _, rating, _ in course]
    if len(fixed) > 1 and max(values) > min(values):
        top, step = max(values), (max(values) - min(values)) / places
        lines = {
            name: [Point(run, round((top - rating) / step, 2), new) for run, rating, new in course]
            for name, course in rated.items() if course
        }  # fmt: skip
        yield "Ratings", lines, (top, min(values))
