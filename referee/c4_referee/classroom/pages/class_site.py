"""Pages of a class that everybody may see: the ranking of the last run, and all runs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from markupsafe import Markup

from c4_referee.classroom.entries import Row, RunEntry
from c4_referee.classroom.pages.chart import rank_chart
from c4_referee.report.texts import counted, points_text
from c4_referee.site.environment import environment
from c4_referee.site.pages import Page
from c4_referee.site.standings_page import Axis
from c4_referee.stats.ratings import Estimate

SURE, LIKELY = 0.95, 0.75
"""Likelihoods from which a rank is called sure and likely. Below, it is called open."""
MAX_SURENESS = 0.99
"""Maximum likelihood that is shown, because more is never known from the games of an evening."""


class Move(NamedTuple):
    """Change of a rank since the run before: a sign with a number, words, and a CSS class."""

    sign: str
    words: str
    kind: str


@dataclass(frozen=True)
class Ranked:
    """A line of the ranking. ``number`` is the number of the bot in the history."""

    row: Row
    number: int
    move: Move | None
    rating: Estimate | None
    sureness: str


class Cell(NamedTuple):
    """A bot in a run. ``version`` is set in the first run of a version after the first one."""

    row: Row
    version: int | None


def class_pages(title: str, runs: Sequence[RunEntry], folders: Mapping[str, str]) -> Iterator[Page]:
    """Generate the pages ``index.html`` and ``history.html`` of a class.

    ``runs`` are all runs, the oldest first. ``folders`` has the paths of their standings pages by
    their names, as seen from these pages. A run without a path has no link.
    """
    runs = [replace(run, rows=tuple(sorted(run.rows, key=_rank))) for run in runs]
    history = _history(runs)
    variables = {"root": "", "title": title, "runs": runs, "folders": folders}
    index = environment().get_template("class.html.jinja")
    yield "index.html", index.render(**variables, **_last_run(runs, [*history]))
    table = environment().get_template("class_history.html.jinja")
    yield "history.html", table.render(**variables, crumbs=[("index.html", title)], history=history)


def _rank(row: Row) -> int:
    return row.rank


def _last_run(runs: Sequence[RunEntry], names: Sequence[str]) -> dict[str, object]:
    """Return the variables of the first page: headline, ranking, axis and chart."""
    if not runs:
        return {"headline": "", "leader": "", "ranking": [], "axis": Axis([]), "chart": None}
    rows, chart = runs[-1].rows, rank_chart(runs)
    ratings = [rating for row in rows if (rating := _rating(row))]
    before = {row.name: row.rank for run in runs[-2:-1] for row in run.rows}
    return {
        "headline": f"Run {len(runs)}, of {runs[-1].name} · {counted(len(rows), 'bot')}",
        "leader": _leader(rows),
        "ranking": [
            Ranked(
                row,
                names.index(row.name) + 1,
                _move(before.get(row.name), row.rank) if before else None,
                _rating(row),
                _sureness(row.los) if row is not rows[-1] else "",
            )
            for row in rows
        ],
        "axis": Axis(ratings),
        "chart": chart and replace(chart, svg=Markup(chart.svg)),
    }


def _leader(rows: Sequence[Row]) -> str:
    """Return a sentence that says who leads, or an empty text without games."""
    best = next((row for row in rows if row.games and not row.gave_up), None)
    return f"{best.name} leads, with {points_text(best.points)} points." if best else ""


def _move(before: int | None, now: int) -> Move:
    """Return the change from a rank in the run before, which is ``None`` for a new bot."""
    if before is None:
        return Move("new", "new in this run", "new")
    if before == now:
        return Move("=", "same rank as in the run before", "same")
    places = counted(abs(before - now), "place")
    if before > now:
        return Move(f"▲{before - now}", f"{places} up since the run before", "up")
    return Move(f"▼{now - before}", f"{places} down since the run before", "down")


def _rating(row: Row) -> Estimate | None:
    if row.rating is None or row.low is None or row.high is None:
        return None
    return Estimate(row.rating, row.low, row.high)


def _sureness(likelihood: float | None) -> str:
    """Return in words how sure it is that a bot is stronger than the next one."""
    if likelihood is None:
        return ""
    word = "sure" if likelihood >= SURE else "likely" if likelihood >= LIKELY else "open"
    over = "over " if likelihood > MAX_SURENESS else ""
    return f"{word}, {over}{min(likelihood, MAX_SURENESS):.0%}"


def _history(runs: Sequence[RunEntry]) -> dict[str, list[Cell | None]]:
    """Return what each bot did in each run, the newest first.

    The bots of the newest run come first, by their ranks. Then come those that were seen last in
    the run before, and so on.
    """
    names = dict.fromkeys(row.name for run in reversed(runs) for row in run.rows)
    history: dict[str, list[Cell | None]] = {name: [] for name in names}
    versions: dict[str, int | None] = {}
    for run in runs:
        rows = {row.name: row for row in run.rows}
        for name, cells in history.items():
            row = rows.get(name)
            is_new = row is not None and versions.get(name, 1) != row.version
            cells.insert(0, Cell(row, row.version if is_new else None) if row else None)
            versions |= {name: row.version} if row else {}
    return history
