"""Pictures for papers: ratings with their intervals, and the value of a game over its moves.

Matplotlib draws them. It is an optional dependency (``pip install 'c4-arena[plots]'``) and is
imported only here and only when a picture is drawn. Each picture is written as SVG, with text that
remains text, and as PNG with 300 dots per inch. The same data give the same files.
"""

import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from c4_protocol.errors import UsageError
from c4_protocol.events import GameEnded
from c4_protocol.text import visible

from c4_referee.stats.solved import GameAnalysis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MISSING = "pictures need matplotlib: pip install 'c4-arena[plots]'"
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Colours that people with colour-blindness tell apart (Okabe and Ito 2008)."""
GREY = "#767676"
WIDTH = 6.0
"""Width of a picture in inches."""
MAX_NAME = 28
"""Maximum length of a name in a picture. The rest of a longer name is left out."""
MAX_GAMES = 50
"""Maximum number of games of which ``write_plots`` draws the values."""
STYLE: dict[str, Any] = {
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "font.family": "sans-serif",
    "font.size": 9,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 1.5,
    "savefig.dpi": 300,
    "svg.fonttype": "none",
    "svg.hashsalt": "c4-arena",
    "text.parse_math": False,
}

MINUS = "\N{MINUS SIGN}"

Rating = tuple[str, float, float, float]
"""Name of a bot, its rating in Elo points, and the ends of the 95% interval."""


def check_installed() -> None:
    """Raise ``UsageError`` if matplotlib is not installed."""
    if find_spec("matplotlib") is None:
        raise UsageError(MISSING)


@contextmanager
def drawing(width: float, height: float) -> Iterator["Figure"]:
    """Context manager for a new picture with our style. ``width`` and ``height`` are in inches.

    Raises ``UsageError`` if matplotlib is not installed.
    """
    check_installed()
    from matplotlib import style  # noqa: PLC0415 - optional, and takes half a second
    from matplotlib.figure import Figure  # noqa: PLC0415 - likewise

    # The default style is listed first, because the user may have a style of their own.
    with style.context(["default", STYLE]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from")  # names in any script
        yield Figure((width, height))


def save_picture(figure: "Figure", folder: Path, name: str) -> None:
    """Write a picture into a folder as ``name.svg`` and ``name.png``, without dates."""
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None})
    figure.savefig(folder / f"{name}.png", metadata={"Software": None})


def write_plots(
    ratings: Sequence[Rating], games: Iterable[tuple[GameEnded, GameAnalysis]], folder: Path
) -> None:
    """Write the ratings, and the values of at most ``MAX_GAMES`` games of which some are known."""
    if ratings:
        write_rating_plot(ratings, folder)
    known = ((game, found) for game, found in games if _has_values(found))
    for (game, found), _ in zip(known, range(MAX_GAMES), strict=False):
        write_value_plot(game, found, folder)


def write_rating_plot(ratings: Sequence[Rating], folder: Path) -> None:
    """Write ``ratings.svg`` and ``ratings.png``: each bot's rating and interval, in this order."""
    places = [-place for place in range(len(ratings))]
    points = [one[1] for one in ratings]
    errors = [[one[1] - one[2] for one in ratings], [one[3] - one[1] for one in ratings]]
    with drawing(WIDTH, 0.8 + 0.24 * len(ratings)) as figure:
        axes = figure.add_subplot()
        axes.axvline(0, color=GREY, linewidth=0.8)
        axes.errorbar(points, places, xerr=errors, fmt="o", color=COLOURS[0], markersize=4.5)
        axes.set_yticks(places, [short_name(one[0]) for one in ratings])
        axes.set_ylim(min(places) - 0.7, 0.7)
        axes.grid(visible=False, axis="y")
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("rating in Elo points, with 95% interval")
        _write_ratings_at_the_right(axes, ratings, places)
        save_picture(figure, folder, "ratings")


def _write_ratings_at_the_right(
    axes: "Axes", ratings: Sequence[Rating], places: Sequence[int]
) -> None:
    for (_, points, low, high), place in zip(ratings, places, strict=True):
        text = f"{points:+.0f} ({low:+.0f} to {high:+.0f})".replace("-", MINUS)
        axes.annotate(
            text,
            (1.02, place),
            xycoords=("axes fraction", "data"),
            verticalalignment="center",
            annotation_clip=False,
        )


def write_value_plot(game: GameEnded, analysis: GameAnalysis, folder: Path) -> None:
    """Write ``game-N.svg`` and ``game-N.png``: the value of each position of a game.

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
        axes.set_xlabel("ply")
        axes.set_ylabel("value for the first player")
        save_picture(figure, folder, f"game-{game.game}")


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
        label = "the move before changed the result"
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
