"""Pictures of contests: ratings with their intervals, and the value of a game over its moves."""

import math
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from c4_protocol.program.text import visible
from c4_protocol.records.events import GameEnded

from c4_referee.records.stats.ratings import Estimate
from c4_referee.records.stats.solved import GameAnalysis
from c4_referee.records.storage.contests import StoredContest
from c4_referee.report.site.drawing import (
    COLOURS,
    FOLDER,
    GREY,
    WIDTH,
    File,
    drawing,
    picture_files,
)
from c4_referee.report.site.results import ContestResults
from c4_referee.report.texts import elo_interval, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_NAME = 28
"""Maximum length of a name in a picture. The rest of a longer name is left out."""
MAX_GAMES = 50
"""Maximum number of games of a contest whose values are drawn."""


def site_plots(contests: Sequence[StoredContest]) -> Iterator[File]:
    """Generate the pictures of a site, with their paths in the site, as ``site_pages`` does.

    For each contest, these are the ratings, and the values of at most ``MAX_GAMES`` games. Games
    without known values are left out. Games that matter most come first.
    """
    for contest in contests:
        folder = f"{contest.number}/{FOLDER}" if len(contests) > 1 else FOLDER
        for name, data in _contest_plots(ContestResults(contest)):
            yield f"{folder}/{name}", data


def _contest_plots(results: ContestResults) -> Iterator[File]:
    ratings = results.ratings
    rows = [(row.bot, ratings[row.bot]) for row in results.standings.bots if row.bot in ratings]
    if rows:
        label = "Elo difference to the opponent" if results.is_match else "rating in Elo points"
        yield from rating_plot(rows, label)
    analyses = ((game, results.analysis(game)) for game in results.games_by_importance)
    shown = ((game, analysis) for game, analysis in analyses if _has_values(analysis))
    for game, analysis in islice(shown, MAX_GAMES):
        yield from value_plot(game, analysis)


def rating_plot(ratings: Sequence[tuple[str, Estimate]], label: str) -> Iterator[File]:
    """Generate ``ratings.svg`` and ``ratings.png``: the rating of each name, in this order.

    ``label`` says what the ratings are.
    """
    places = [-place for place in range(len(ratings))]
    points = [rating.points for _, rating in ratings]
    errors = [
        [rating.points - rating.low for _, rating in ratings],
        [rating.high - rating.points for _, rating in ratings],
    ]
    with drawing(WIDTH, 0.8 + 0.24 * len(ratings)) as figure:
        axes = figure.add_subplot()
        axes.axvline(0, color=GREY, linewidth=0.8)
        axes.errorbar(points, places, xerr=errors, fmt="o", color=COLOURS[0], markersize=4.5)
        axes.set_yticks(places, [short_name(name) for name, _ in ratings])
        axes.set_ylim(min(places) - 0.7, 0.7)
        axes.grid(visible=False, axis="y")
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(f"{label}, with 95% interval")
        _write_ratings_at_the_right(axes, [rating for _, rating in ratings], places)
        yield from picture_files(figure, "ratings")


def _write_ratings_at_the_right(
    axes: "Axes", ratings: Sequence[Estimate], places: Sequence[int]
) -> None:
    for rating, place in zip(ratings, places, strict=True):
        text = f"{signed(rating.points)} ({elo_interval(rating.low, rating.high)})"
        axes.annotate(
            text,
            (1.02, place),
            xycoords=("axes fraction", "data"),
            verticalalignment="center",
            annotation_clip=False,
        )


def value_plot(game: GameEnded, analysis: GameAnalysis) -> Iterator[File]:
    """Generate ``game-N.svg`` and ``game-N.png``: the value of each position of a game.

    Values are shown for the first player: above 0 the first player wins, below 0 the second. Moves
    that changed the result are marked.
    """
    values = _values_of_first(analysis)
    edges = [ply - 0.5 for ply in range(len(values) + 1)]
    with drawing(WIDTH, 2.6) as figure:
        axes = figure.add_subplot()
        axes.axhline(0, color=GREY, linewidth=0.8)
        for limit, colour in ((max, COLOURS[1]), (min, COLOURS[0])):
            halves = [value if math.isnan(value) else limit(value, 0.0) for value in values]
            axes.stairs(halves, edges, fill=True, color=colour, alpha=0.25)
        axes.stairs(values, edges, baseline=None, color="black", linewidth=1.2)
        _mark_changes(axes, analysis, values)
        _label_winners(axes, game, values)
        axes.set_xlim(edges[0], edges[-1])
        axes.set_xlabel("move")
        axes.set_ylabel("value for the first player")
        yield from picture_files(figure, f"game-{game.game}")


def _values_of_first(analysis: GameAnalysis) -> list[float]:
    return [
        math.nan if value is None else float(-value if ply % 2 else value)
        for ply, value in enumerate(analysis.values)
    ]


def _has_values(analysis: GameAnalysis) -> bool:
    return sum(value is not None for value in analysis.values) > 1


def _mark_changes(axes: "Axes", analysis: GameAnalysis, values: Sequence[float]) -> None:
    """Mark the positions after the moves that changed the result."""
    plies = [change.ply + 1 for change in analysis.changes]
    if plies:
        label = "after a move that changed the result"
        heights = [values[ply] for ply in plies]
        axes.plot(plies, heights, "D", color="black", markersize=5, label=label)
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.2)


def _label_winners(axes: "Axes", game: GameEnded, values: Sequence[float]) -> None:
    """Write at the right which player wins above and below 0, and make both halves equal."""
    limit = 1.1 * max((abs(value) for value in values if not math.isnan(value)), default=1) or 1
    axes.set_ylim(-limit, limit)
    for name, colour, height in ((game.first, COLOURS[1], 0.75), (game.second, COLOURS[0], 0.25)):
        axes.annotate(
            f"{short_name(name)}\nwins",
            (1.02, height),
            xycoords="axes fraction",
            verticalalignment="center",
            color=colour,
        )


def short_name(name: str) -> str:
    """Return a name in which every character is visible, cut to ``MAX_NAME`` characters."""
    text = visible(name)
    return text if len(text) <= MAX_NAME else f"{text[: MAX_NAME - 1]}…"
