"""Runs as one HTML file that needs nothing else: what the weights did, and who won."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from c4_referee.tuning.evolution import Round
from c4_referee.tuning.experiment import rows
from c4_referee.tuning.folder import put
from c4_referee.tuning.genetic import HIGHEST, Weights, spread
from c4_referee.tuning.outcome import History
from c4_referee.tuning.plot import Panel
from c4_referee.tuning.terminal import HEAD, certainty_cells, flags, ratio, result_cells, text_of

NAMES = ("1-seq", "2-seq", "3-seq")
FURTHEST_RATIO = 20.0
"""Ratios beyond are drawn here."""


@dataclass(frozen=True)
class Drawing:
    """One plot: paths with the class that styles them, on a panel with a title."""

    title: str
    panel: Panel
    paths: list[tuple[str, str]]


def write_report(folder: Path, history: History) -> None:
    """Puts ``report.html`` and ``result.json`` into a folder, each whole or not at all."""
    put(folder / "result.json", orjson.dumps(history.outcome, option=orjson.OPT_APPEND_NEWLINE))
    title = f"{history.outcome.rounds} rounds at depth {history.settings.depth}"
    put(folder / "report.html", page(title, [history]).encode())


def write_experiment(folder: Path, histories: Sequence[History]) -> None:
    """Puts ``report.html`` of an experiment into a folder."""
    table = rows(histories)
    tables = [
        {
            "title": "The winners' weights",
            "head": ("", *HEAD),
            "rows": result_cells(table),
            "note": "Means and standard deviations over all winners of all runs of a length, "
            "and ratios of the means.",
        },
        {
            "title": "How well they are known",
            "head": (*HEAD, "1-3-6"),
            "rows": certainty_cells(table),
            "note": "Deviations of the winners within their run, and of the means of runs; "
            "95% intervals of the ratios (Fieller), and whether 1-3-6 is inside both.",
        },
    ]
    title = f"the experiments of seed 000 at depth {histories[0].settings.depth}"
    put(folder / "report.html", page(title, histories, tables).encode())


def page(title: str, histories: Sequence[History], tables: Sequence[dict[str, Any]] = ()) -> str:
    """The file: ``tables`` (``title``, ``head``, ``rows``, ``note``), then a section a run."""
    loader = FileSystemLoader(Path(__file__).parent)
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    template = environment.get_template("report.html.jinja")
    return template.render(title=title, tables=tables, runs=[_section(one) for one in histories])


def _section(history: History) -> dict[str, Any]:
    outcome = history.outcome
    return {
        "settings": asdict(history.settings),
        "outcome": outcome,
        "spread": text_of(spread(outcome.winners)),
        "winners": [(text_of(one), ratio(one, 1), ratio(one, 2)) for one in outcome.winners],
        "command": f"c4-bot --plays sequences {flags(history.settings)}--weights",
        "drawings": [*_of_weights(history.rounds), _of_spread(history), _of_ratios(history.rounds)],
    }


def _of_weights(rounds: Sequence[Round]) -> list[Drawing]:
    """A plot a weight: the population as dots, the winners as a band and their mean."""
    panel = Panel(len(rounds), HIGHEST)
    return [
        Drawing(
            f"{name} weight",
            panel,
            [
                ("dots", panel.dots(_everybody(rounds, gene))),
                ("band", panel.band(_winners(rounds, gene, min), _winners(rounds, gene, max))),
                (f"line seq{gene + 1}", panel.line(_winners(rounds, gene, fmean))),
            ],
        )
        for gene, name in enumerate(NAMES)
    ]


def _everybody(rounds: Sequence[Round], gene: int) -> list[tuple[float, float]]:
    return [(one.number, player[gene]) for one in rounds for player in one.population]


def _winners(
    rounds: Sequence[Round], gene: int, summary: Callable[[list[int]], float]
) -> list[float]:
    return [summary([player[gene] for player in one.winners]) for one in rounds]


def _of_spread(history: History) -> Drawing:
    panel = Panel(len(history.rounds), HIGHEST)
    spreads = [spread(one.winners) for one in history.rounds]
    lines = [(f"line seq{gene + 1}", panel.line([s[gene] for s in spreads])) for gene in range(3)]
    threshold = [float(history.ending.threshold)] * len(spreads)
    return Drawing("spread of the winners", panel, [*lines, ("limit", panel.line(threshold))])


def _of_ratios(rounds: Sequence[Round]) -> Drawing:
    panel = Panel(len(rounds), FURTHEST_RATIO)
    means = [_mean(one.winners) for one in rounds]
    lines = [
        (f"line seq{gene + 1}", panel.line([m[gene] / m[0] if m[0] else None for m in means]))
        for gene in (1, 2)
    ]
    return Drawing("weight / 1-seq weight, of the winners' means", panel, lines)


def _mean(players: Sequence[Weights]) -> list[float]:
    return [fmean(values) for values in zip(*players, strict=True)]
