"""Chart of the ranks of all bots over the runs of a class, as an SVG element without text.

A run is one unit wide and a rank one unit high. The page stretches the picture to the width that it
has, and puts the names of the bots beside it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from c4_protocol.program.text import visible

from c4_referee.classroom.entries import RunEntry

NAMED = 5
"""Number of bots of the last run that have a colour: the best ones."""


@dataclass(frozen=True)
class Label:
    """Name of a bot beside the end of its line. ``colour`` is its class, or empty."""

    name: str
    colour: str


@dataclass(frozen=True)
class RankChart:
    """The chart: its SVG element, the number of places, and the names in the last run."""

    svg: str
    places: int
    labels: Sequence[Label]


def rank_chart(runs: Sequence[RunEntry]) -> RankChart | None:
    """Return the chart of the ranks in all runs, the oldest first; ``None`` for less than two.

    The place of a bot is that in its list, so bots of equal rank have different places.
    """
    if len(runs) < 2:
        return None
    last = [row.name for row in runs[-1].rows]
    colours = {name: f"c{place}" for place, name in enumerate(last[:NAMED])}
    names = dict.fromkeys(row.name for run in runs for row in run.rows)
    drawn = sorted(names, key=lambda name: (name in colours, name))  # the last is on top
    lines = "".join(_line(runs, name, colours.get(name, "")) for name in drawn)
    places = max(1, *(len(run.rows) for run in runs))
    label = f"Ranks of {len(names)} bots in {len(runs)} runs. The history has them as a table."
    svg = (
        f'<svg class="ranks" viewBox="0 0 {len(runs) - 1} {places}" preserveAspectRatio="none"'
        f' role="img" aria-label="{label}">{lines}</svg>'
    )
    return RankChart(svg, places, [Label(name, colours.get(name, "")) for name in last])


def _line(runs: Sequence[RunEntry], name: str, colour: str) -> str:
    """Return the line of a bot, with a dot where a version played first."""
    points = [*_points(runs, name)]
    path = "M" + "L".join(f"{x} {y}" for x, y, _ in points)
    versions = [None, *(version for *_, version in points)]
    dots = "".join(
        f"M{x} {y}h0"
        for (x, y, version), before in zip(points, versions, strict=False)
        if version != before or x == points[0][0]
    )
    staff = " staff" if points[-1][2] is None else ""
    return (
        f'<g class="{colour}{staff}"><title>{escape(visible(name))}</title><path d="{path}"/>'
        f'<path class="dots" d="{dots}"/></g>'
    )


def _points(runs: Sequence[RunEntry], name: str) -> Iterator[tuple[int, float, int | None]]:
    """Generate the number of each run of a bot, the middle of its place, and its version."""
    for x, run in enumerate(runs):
        for place, row in enumerate(run.rows):
            if row.name == name:
                yield x, place + 0.5, row.version
