"""The report of runs as one self-contained HTML file: plots of the weights, and the winners."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from c4_referee.tuning.evolution import TuningRound
from c4_referee.tuning.experiment import experiment_rows
from c4_referee.tuning.folder import replace_file
from c4_referee.tuning.genetic import MAX_WEIGHT, Weights, spread
from c4_referee.tuning.plot import Panel
from c4_referee.tuning.runs import RunHistory
from c4_referee.tuning.terminal import (
    EXPERIMENT_HEADINGS,
    bot_flags,
    interval_cells,
    ratio_text,
    result_cells,
    weights_text,
)

WEIGHT_NAMES = ("1-seq", "2-seq", "3-seq")
MAX_RATIO = 20.0
"""Maximum ratio in a plot. Larger ratios are drawn at the top edge."""


@dataclass(frozen=True)
class Drawing:
    """A plot: its title, its panel, and its paths. A path is a CSS class and SVG path data."""

    title: str
    panel: Panel
    paths: list[tuple[str, str]]


def write_report(folder: Path, history: RunHistory) -> None:
    """Write ``report.html`` and ``result.json`` into a folder. Neither is left incomplete."""
    data = orjson.dumps(history.outcome, option=orjson.OPT_APPEND_NEWLINE)
    replace_file(folder / "result.json", data)
    title = f"{history.outcome.rounds} rounds at depth {history.settings.depth}"
    replace_file(folder / "report.html", render_page(title, [history]).encode())


def write_experiment(folder: Path, histories: Sequence[RunHistory]) -> None:
    """Write ``report.html`` of an experiment into a folder."""
    rows = experiment_rows(histories)
    tables = [
        {
            "title": "The winners' weights",
            "head": ("", *EXPERIMENT_HEADINGS),
            "rows": result_cells(rows),
            "note": "Means and standard deviations over the winners of all runs of the same "
            "length, and ratios of the means.",
        },
        {
            "title": "How reliable the results are",
            "head": (*EXPERIMENT_HEADINGS, "1-3-6"),
            "rows": interval_cells(rows),
            "note": "Standard deviations of the winners within a run, and of the means of runs; "
            "95% intervals of the ratios (Fieller), and whether 1-3-6 is inside both intervals.",
        },
    ]
    title = f"The runs of the paper at depth {histories[0].settings.depth}"
    replace_file(folder / "report.html", render_page(title, histories, tables).encode())


def render_page(
    title: str, histories: Sequence[RunHistory], tables: Sequence[dict[str, Any]] = ()
) -> str:
    """Return a page with tables, followed by the runs.

    A table has the keys ``title``, ``head``, ``rows`` and ``note``.
    """
    loader = FileSystemLoader(Path(__file__).parent)
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    template = environment.get_template("report.html.jinja")
    return template.render(title=title, tables=tables, runs=[_section(one) for one in histories])


def _section(history: RunHistory) -> dict[str, Any]:
    outcome = history.outcome
    return {
        "settings": asdict(history.settings),
        "outcome": outcome,
        "spread": weights_text(spread(outcome.winners)),
        "winners": [
            (weights_text(one), ratio_text(one, 1), ratio_text(one, 2)) for one in outcome.winners
        ],
        "command": f"c4-bot --plays sequences {bot_flags(history.settings)}--weights",
        "drawings": [
            *_draw_weights(history.rounds),
            _draw_spread(history),
            _draw_ratios(history.rounds),
        ],
    }


def _draw_weights(rounds: Sequence[TuningRound]) -> list[Drawing]:
    """Return a plot of each weight: all players as dots, and the range and mean of the winners."""
    panel = Panel(len(rounds), MAX_WEIGHT)
    return [
        Drawing(
            f"{name} weight",
            panel,
            [
                ("dots", panel.dots(_points_of_all(rounds, gene))),
                ("band", panel.band(*(_winners_summary(rounds, gene, end) for end in (min, max)))),
                (f"line seq{gene + 1}", panel.line(_winners_summary(rounds, gene, fmean))),
            ],
        )
        for gene, name in enumerate(WEIGHT_NAMES)
    ]


def _points_of_all(rounds: Sequence[TuningRound], gene: int) -> list[tuple[float, float]]:
    return [(one.number, player[gene]) for one in rounds for player in one.population]


def _winners_summary(
    rounds: Sequence[TuningRound], gene: int, summary: Callable[[list[int]], float]
) -> list[float]:
    return [summary([player[gene] for player in one.winners]) for one in rounds]


def _draw_spread(history: RunHistory) -> Drawing:
    panel = Panel(len(history.rounds), MAX_WEIGHT)
    spreads = [spread(one.winners) for one in history.rounds]
    lines = [(f"line seq{gene + 1}", panel.line([s[gene] for s in spreads])) for gene in range(3)]
    threshold = [float(history.stopping.threshold)] * len(spreads)
    return Drawing("spread of the winners", panel, [*lines, ("limit", panel.line(threshold))])


def _draw_ratios(rounds: Sequence[TuningRound]) -> Drawing:
    panel = Panel(len(rounds), MAX_RATIO)
    means = [_mean_weights(one.winners) for one in rounds]
    lines = [
        (f"line seq{gene + 1}", panel.line([m[gene] / m[0] if m[0] else None for m in means]))
        for gene in (1, 2)
    ]
    return Drawing("ratio of the winners' mean weights to the 1-seq weight", panel, lines)


def _mean_weights(players: Sequence[Weights]) -> list[float]:
    return [fmean(values) for values in zip(*players, strict=True)]
