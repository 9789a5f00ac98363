"""Reports of runs as HTML files: one file for each run, and one for all runs of an experiment.

Each file has its style inside, so it can be sent or moved by itself. The file of an experiment has
all results of its runs, and links to their files in its folders.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, fields
from functools import cache
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, PackageLoader

from c4_referee.site.drawing import write_pictures
from c4_referee.site.environment import environment, static_text
from c4_referee.storage.safe_files import replace_file
from c4_referee.tuning import experiment, wording
from c4_referee.tuning.charts import learning_charts, ratio_chart, run_charts, shared_scale
from c4_referee.tuning.evolution import RunHistory, RunSettings
from c4_referee.tuning.experiment import PAPER_RATIOS, PAPER_ROWS, ExperimentRow, run_folder_name
from c4_referee.tuning.genetic import spread
from c4_referee.tuning.pictures import experiment_pictures, run_pictures
from c4_referee.tuning.plot import Panel, Scale, ratio_scale
from c4_referee.tuning.training import TrainedNetwork

REPORT = "report.html"


def write_run(folder: Path, history: RunHistory, *, plots: bool = False) -> None:
    """Write the report of a run into a folder, and its pictures if there are to be ``plots``."""
    replace_file(folder / REPORT, render_run(history).encode())
    if plots:
        write_pictures(folder, run_pictures(history))


def write_experiment(folder: Path, histories: Sequence[RunHistory], *, plots: bool = False) -> None:
    """Write the reports of an experiment and of all its runs into their folders, and pictures."""
    crumbs = [(f"../{REPORT}", "All runs")]
    for number, history in enumerate(histories, 1):
        run = folder / run_folder_name(number, history.stopping)
        replace_file(run / REPORT, render_run(history, number, crumbs).encode())
    replace_file(folder / REPORT, render_experiment(histories).encode())
    if plots:
        write_pictures(folder, experiment_pictures(histories))


def write_training(folder: Path, network: TrainedNetwork) -> None:
    """Write the report of a training into its folder."""
    replace_file(folder / REPORT, render_training(network).encode())


def render_training(network: TrainedNetwork) -> str:
    """Return the page of a training, which has at least one point."""
    return _render(
        "training.html.jinja",
        f"A network for {network.settings.variant}",
        network=network,
        panels=map(Panel, learning_charts(network.curve)),
    )


@cache
def _environment() -> Environment:
    own = PackageLoader("c4_referee.tuning")
    shared = environment()
    return shared.overlay(loader=ChoiceLoader([own, *filter(None, [shared.loader])]))


def _render(template: str, title: str, **values: object) -> str:
    """Return a page. Its template can call the functions that write values as texts."""
    return (
        _environment()
        .get_template(template)
        .render(
            root="",
            inline={"style": static_text("style.css")},
            words=wording,
            title=title,
            **values,
        )
    )


def render_run(history: RunHistory, number: int = 0, crumbs: Sequence[tuple[str, str]] = ()) -> str:
    """Return the page of a run, with its ``number`` in an experiment and links to pages above."""
    settings, stopping = history.settings, history.stopping
    title = f"{history.outcome.rounds} rounds at depth {settings.depth}"
    return _render(
        "run.html.jinja",
        f"Run {number}: {title}" if number else title,
        crumbs=crumbs,
        history=history,
        panels=map(Panel, run_charts(history)),
        winners=Counter(wording.winner_cells(history)).items(),
        command=_command("evolve", settings, f"--rounds {stopping.rounds}"),
    )


def _command(name: str, settings: RunSettings, *more: str) -> str:
    """Return the command line of a run or of an experiment, with all options that matter."""
    options = [
        f"--{field.name} {','.join(value) if isinstance(value, tuple) else value}"
        for field in fields(settings)
        if (value := getattr(settings, field.name)) != field.default and field.name != "faithful"
    ]
    if settings.faithful != (name == "experiment"):
        options.append("--faithful" if settings.faithful else "--no-faithful")
    return " ".join(["c4-tune", name, *more, *options])


def render_experiment(histories: Sequence[RunHistory]) -> str:
    """Return the page of all runs of an experiment."""
    rows, settings = experiment.experiment_rows(histories), histories[0].settings
    scale = shared_scale(histories)
    return _render(
        "experiment.html.jinja",
        f"The paper's experiment at depth {settings.depth}",
        paper=experiment,
        rows=rows,
        scales=[_ratio_scale(rows, place) for place in range(len(PAPER_RATIOS))],
        runs=[
            (
                f"{run_folder_name(number, run.stopping)}/{REPORT}",
                Panel(ratio_chart(run, scale), 256, 44),
                run,
            )
            for number, run in enumerate(histories, 1)
        ],
        lengths=[run.stopping.rounds for run in histories],
        spread=spread,
        settings=settings,
        command=_command("experiment", settings, *_runs_option(histories)),
    )


def _runs_option(histories: Sequence[RunHistory]) -> list[str]:
    """Return ``--runs`` if there are not as many runs of each length as in the paper."""
    counts = Counter(history.stopping.rounds for history in histories)
    if counts == {row.rounds: row.runs for row in PAPER_ROWS}:
        return []
    return [f"--runs {max(counts.values())}"]


def _ratio_scale(rows: Sequence[ExperimentRow], place: int) -> Scale:
    """Return a scale for all values of a ratio: ours, those of the paper, and those that agree."""
    ours = [value for row in rows for value in astuple(row.ratios[place])]
    papers = [row.ratios[place] for row in PAPER_ROWS]
    return ratio_scale([*ours, *papers, *wording.tolerated_range(PAPER_RATIOS[place])])
