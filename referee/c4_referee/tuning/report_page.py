"""Reports of runs as HTML files: one file for each run, and one for all runs of an experiment.

Each file has its style inside, so it can be sent or moved by itself. The file of an experiment has
all results of its runs, and links to their files in its folders. Reports of stored runs can be
written again without playing a game.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import astuple, fields
from functools import cache
from pathlib import Path

from c4_protocol.program.errors import UsageError
from jinja2 import ChoiceLoader, Environment, PackageLoader

from c4_referee.records.storage.database import DATABASE_FILE
from c4_referee.report.site.environment import environment, static_text
from c4_referee.system.safe_files import replace_file
from c4_referee.tuning import experiment, wording
from c4_referee.tuning.charts import learning_charts, ratio_chart, run_charts, shared_scale
from c4_referee.tuning.evolution import RunHistory, RunSettings
from c4_referee.tuning.experiment import PAPER_RATIOS, PAPER_ROWS, ExperimentRow, run_folder_name
from c4_referee.tuning.optimizers import spread_of_weights
from c4_referee.tuning.run_folder import ROUNDS_FILE, read_run
from c4_referee.tuning.svg_chart import Panel, Scale, ratio_scale
from c4_referee.tuning.training import STATE_FILE, TrainedNetwork, read_training

REPORT_FILE = "report.html"
RUN_FOLDER_NAME = re.compile(r"(\d{2,})-(\d+)-rounds")
"""Name of the folder of a run of an experiment (``experiment.run_folder_name``)."""


def write_run(folder: Path, history: RunHistory) -> None:
    """Write the report of a run into a folder."""
    replace_file(folder / REPORT_FILE, render_run(history).encode())


def write_experiment(folder: Path, histories: Sequence[RunHistory]) -> None:
    """Write the reports of an experiment and of all its runs into their folders."""
    crumbs = [(f"../{REPORT_FILE}", "All runs")]
    for number, history in enumerate(histories, 1):
        run = folder / run_folder_name(number, history.stopping)
        replace_file(run / REPORT_FILE, render_run(history, number, crumbs).encode())
    replace_file(folder / REPORT_FILE, render_experiment(histories).encode())


def write_training(folder: Path, network: TrainedNetwork) -> None:
    """Write the report of a training into its folder."""
    replace_file(folder / REPORT_FILE, render_training(network).encode())


def render_training(network: TrainedNetwork) -> str:
    """Return the page of a training, which has at least one point."""
    return _render_page(
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


def _render_page(template: str, title: str, **values: object) -> str:
    """Return a page. Its template can call the functions that write values as texts."""
    inline = {"style": static_text("style.css")}
    page = _environment().get_template(template)
    return page.render(root="", inline=inline, words=wording, title=title, **values)


def render_run(history: RunHistory, number: int = 0, crumbs: Sequence[tuple[str, str]] = ()) -> str:
    """Return the page of a run, with its ``number`` in an experiment and links to pages above."""
    settings, stopping = history.settings, history.stopping
    title = f"{history.outcome.rounds} rounds at depth {settings.depth}"
    return _render_page(
        "run.html.jinja",
        f"Run {number}: {title}" if number else title,
        crumbs=crumbs,
        history=history,
        panels=map(Panel, run_charts(history)),
        winners=Counter(wording.winner_cells(history)).items(),
        command=_command_line("evolve", settings, f"--rounds {stopping.rounds}"),
    )


def _command_line(name: str, settings: RunSettings, *more: str) -> str:
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
    scale, lengths = shared_scale(histories), [run.stopping.rounds for run in histories]
    counts = Counter(lengths)
    is_as_in_paper = counts == {row.rounds: row.runs for row in PAPER_ROWS}
    more = [] if is_as_in_paper else [f"--runs {max(counts.values())}"]
    return _render_page(
        "experiment.html.jinja",
        f"The paper's experiment at depth {settings.depth}",
        paper=experiment,
        rows=rows,
        scales=[_ratio_scale(rows, place) for place in range(len(PAPER_RATIOS))],
        runs=[
            (
                f"{run_folder_name(number, run.stopping)}/{REPORT_FILE}",
                Panel(ratio_chart(run, scale), 256, 44),
                run,
            )
            for number, run in enumerate(histories, 1)
        ],
        lengths=lengths,
        spread=spread_of_weights,
        settings=settings,
        command=_command_line("experiment", settings, *more),
    )


def _ratio_scale(rows: Sequence[ExperimentRow], place: int) -> Scale:
    """Return a scale for all values of a ratio: ours, those of the paper, and those that agree."""
    ours = [value for row in rows for value in astuple(row.ratios[place])]
    papers = [row.ratios[place] for row in PAPER_ROWS]
    return ratio_scale([*ours, *papers, *wording.tolerated_range(PAPER_RATIOS[place])])


def is_tuning_folder(folder: Path) -> bool:
    """Return whether a folder holds a run, runs of an experiment, or a training."""
    return (
        (folder / STATE_FILE).is_file()
        or (folder / ROUNDS_FILE).is_file()
        or any(_run_folders(folder))
    )


def check_free_for_training(folder: Path) -> None:
    """Raise ``UsageError`` if a folder holds games or runs, whose report a training would replace.

    Does nothing if the folder holds a training.
    """
    if (folder / STATE_FILE).exists():
        return
    if is_tuning_folder(folder) or (folder / DATABASE_FILE).exists():
        raise UsageError(f"--out {folder}: it holds no training, but games: name another folder")


def check_free_for_runs(folder: Path | None) -> None:
    """Raise ``UsageError`` if a folder holds a training, whose report a run would replace."""
    if folder is not None and (folder / STATE_FILE).exists():
        raise UsageError(f"--out {folder}: it holds a training: name another folder")


def write_stored_reports(folder: Path) -> Path:
    """Write the reports of all runs of a folder, and return the path of the first page.

    Raises ``UsageError`` if the runs cannot be read, if none has a round, or if they belong to
    different experiments.
    """
    if (folder / STATE_FILE).is_file():
        write_training(folder, read_training(folder))
    elif (folder / ROUNDS_FILE).is_file():
        write_run(folder, read_run(folder))
    else:
        write_experiment(folder, _read_experiment(folder))
    return folder / REPORT_FILE


def _run_folders(folder: Path) -> Iterator[tuple[int, int, Path]]:
    """Generate the number, the planned rounds, and the path of each run of an experiment."""
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        name = RUN_FOLDER_NAME.fullmatch(path.name)
        if name and (path / ROUNDS_FILE).is_file():
            yield int(name[1]), int(name[2]), path


def _read_experiment(folder: Path) -> list[RunHistory]:
    histories = []
    for place, (number, rounds, path) in enumerate(_run_folders(folder), 1):
        if number != place:
            raise UsageError(
                f"{folder}: run {place} is missing, or two runs have the same number: "
                "c4-tune experiment with the same --out plays missing runs"
            )
        history = read_run(path)
        if history.outcome.rounds < rounds:
            raise UsageError(
                f"{path}: {history.outcome.rounds} of {rounds} rounds were played: "
                "the same command of c4-tune continues the experiment"
            )
        histories.append(history)
    return histories
