"""Reports of runs as HTML files: one file for each run, and one for all runs of an experiment.

Each file has its style inside, so it can be sent or moved by itself. The file of an experiment has
all results of its runs, and links to their files in its folders.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import orjson
from jinja2 import ChoiceLoader, Environment, PackageLoader

from c4_referee.site.drawing import write_pictures
from c4_referee.site.environment import environment, static_text
from c4_referee.storage.safe_files import replace_file
from c4_referee.tuning.charts import learning_drawings, run_drawings, shared_scale, small_drawing
from c4_referee.tuning.evolution import RunHistory, RunSettings
from c4_referee.tuning.experiment import (
    PAPER_RATIOS,
    PAPER_ROWS,
    TOLERANCE,
    ExperimentRow,
    experiment_rows,
    run_folder_name,
)
from c4_referee.tuning.genetic import spread
from c4_referee.tuning.pictures import experiment_pictures, run_pictures
from c4_referee.tuning.plot import Scale, ratio_scale
from c4_referee.tuning.run_folder import RESULT
from c4_referee.tuning.training import TrainedNetwork
from c4_referee.tuning.wording import (
    DEVIATION_HEADINGS,
    RATIO_NAMES,
    TRAINING_HEADINGS,
    WEIGHT_HEADINGS,
    deviation_cells,
    end_in_words,
    interval_text,
    play_command,
    ratio_text,
    rounds_text,
    settings_in_words,
    short_number,
    tolerated_range,
    training_cells,
    training_in_words,
    verdict_sentence,
    weight_cells,
    weights_text,
)

REPORT = "report.html"


def write_run(folder: Path, history: RunHistory, *, plots: bool = False) -> None:
    """Write ``result.json`` and the report of a run into a folder. Neither is left incomplete."""
    data = orjson.dumps(history.outcome, option=orjson.OPT_APPEND_NEWLINE)
    replace_file(folder / RESULT, data)
    write_run_report(folder, history, plots=plots)


def write_run_report(folder: Path, history: RunHistory, *, plots: bool = False) -> None:
    """Write the report of a run into a folder, and its pictures if there are to be ``plots``."""
    replace_file(folder / REPORT, render_run(history).encode())
    if plots:
        write_pictures(folder, run_pictures(history))


def write_reports(folder: Path, histories: Sequence[RunHistory], *, plots: bool = False) -> None:
    """Write the reports of an experiment and of all its runs into their folders, and pictures."""
    crumbs = [(f"../{REPORT}", "All runs")]
    for number, history in enumerate(histories, 1):
        run = folder / run_folder_name(number, history.stopping)
        replace_file(run / REPORT, render_run(history, number, crumbs).encode())
    replace_file(folder / REPORT, render_experiment(histories).encode())
    if plots:
        write_pictures(folder, experiment_pictures(histories))


def write_training(folder: Path, network: TrainedNetwork) -> None:
    """Write the report and ``result.json`` of a training into its folder."""
    replace_file(folder / RESULT, orjson.dumps(network, option=orjson.OPT_APPEND_NEWLINE))
    replace_file(folder / REPORT, render_training(network).encode())


def render_training(network: TrainedNetwork) -> str:
    """Return the page of a training, which has at least one point."""
    settings, last = network.settings, network.curve[-1]
    return _render(
        "training.html.jinja",
        title=f"A network for {settings.variant}",
        crumbs=(),
        games=f"{last.games:,}",
        score=f"{last.score:.0%}",
        every=f"{settings.every:,}",
        drawings=learning_drawings(network.curve),
        head=TRAINING_HEADINGS,
        rows=training_cells(network.curve),
        settings=list(training_in_words(settings)),
        command=f"c4-tune train {settings.command} --games {last.games}",
    )


@cache
def _environment() -> Environment:
    own = PackageLoader("c4_referee.tuning")
    shared = environment()
    return shared.overlay(loader=ChoiceLoader([own, *filter(None, [shared.loader])]))


def _render(template: str, **values: object) -> str:
    inline = {"style": static_text("style.css")}
    return _environment().get_template(template).render(root="", inline=inline, **values)


def render_run(history: RunHistory, number: int = 0, crumbs: Sequence[tuple[str, str]] = ()) -> str:
    """Return the page of a run, with its ``number`` in an experiment and links to pages above."""
    settings, outcome = history.settings, history.outcome
    best = outcome.winners[0]
    title = f"{outcome.rounds} rounds at depth {settings.depth}"
    return _render(
        "run.html.jinja",
        title=f"Run {number}: {title}" if number else title,
        crumbs=crumbs,
        best=weights_text(best),
        ratios=f"1 to {ratio_text(best, 1)} to {ratio_text(best, 2)}" if best[0] else "",
        play=play_command(settings, best),
        drawings=run_drawings(history),
        threshold=history.stopping.threshold,
        winners=list(_winners(history)),
        settings=[
            *settings_in_words(settings),
            ("Seed", f"{settings.seed}, which determines all random choices."),
            ("End", end_in_words(history.stopping, outcome.rounds, outcome.stopped_by)),
            ("Games", _games_in_words(history)),
        ],
        command=_command("evolve", settings, f"--rounds {history.stopping.rounds}"),
    )


def _winners(history: RunHistory) -> Iterable[tuple[str, int, str, str, str]]:
    last = history.rounds[-1]
    scores = dict(zip(last.population, last.scores, strict=True))
    for winner, copies in Counter(history.outcome.winners).items():
        score = str(scores.get(winner, "-"))
        yield weights_text(winner), copies, score, ratio_text(winner, 1), ratio_text(winner, 2)


def _games_in_words(history: RunHistory) -> str:
    outcome = history.outcome
    return (
        f"{outcome.games:,} games, {outcome.distinct_games:,} of them distinct; "
        f"{outcome.played:,} had to be played, in {outcome.seconds:.1f} s."
    )


def _command(name: str, settings: RunSettings, *more: str) -> str:
    """Return the command line of a run or of an experiment, with all options that matter."""
    faithful = name == "experiment"
    options = [
        f"--{field.name} {_option_text(value)}"
        for field in fields(settings)
        if (value := getattr(settings, field.name)) != field.default and field.name != "faithful"
    ]
    if settings.faithful != faithful:
        options.append("--faithful" if settings.faithful else "--no-faithful")
    return " ".join(["c4-tune", name, *more, *options])


def _option_text(value: object) -> str:
    return ",".join(value) if isinstance(value, tuple) else str(value)


def render_experiment(histories: Sequence[RunHistory]) -> str:
    """Return the page of all runs of an experiment."""
    rows, first = experiment_rows(histories), histories[0]
    scale = shared_scale(histories)
    return _render(
        "experiment.html.jinja",
        title=f"The paper's experiment at depth {first.settings.depth}",
        lead=_lead(histories),
        comparisons=[
            _comparison(rows, name, own, place)
            for place, (name, own) in enumerate(zip(RATIO_NAMES, PAPER_RATIOS, strict=True))
        ],
        tolerance=f"{TOLERANCE:g}",
        scale=scale,
        runs=[_run_line(number, history, scale) for number, history in enumerate(histories, 1)],
        weights={"head": WEIGHT_HEADINGS, "rows": weight_cells(rows)},
        deviations={"head": DEVIATION_HEADINGS, "rows": deviation_cells(rows)},
        settings=list(settings_in_words(first.settings)),
        command=_command("experiment", first.settings, *_runs_option(histories)),
    )


def _lead(histories: Sequence[RunHistory]) -> str:
    lengths = [history.stopping.rounds for history in histories]
    return (
        f"{len(histories)} runs of {min(lengths)} to {max(lengths)} rounds. Do they lead to the "
        "proportions of the paper's weights, 1 to 3 to 6?"
    )


def _runs_option(histories: Sequence[RunHistory]) -> list[str]:
    """Return ``--runs`` if there are not as many runs of each length as in the paper."""
    counts = Counter(history.stopping.rounds for history in histories)
    if counts == {row.rounds: row.runs for row in PAPER_ROWS}:
        return []
    return [f"--runs {max(counts.values())}"]


def _run_line(number: int, history: RunHistory, scale: Scale) -> dict[str, Any]:
    """Return what the page shows of a run."""
    outcome = history.outcome
    best = outcome.winners[0]
    return {
        "number": number,
        "address": f"{run_folder_name(number, history.stopping)}/{REPORT}",
        "rounds": outcome.rounds,
        "drawing": small_drawing(history, scale),
        "best": weights_text(best),
        "winners": " ".join(map(weights_text, outcome.winners)),
        "second": ratio_text(best, 1),
        "third": ratio_text(best, 2),
        "spread": weights_text(spread(outcome.winners)),
        "stopped_by": outcome.stopped_by,
        "games": f"{outcome.games:,}",
        "distinct": f"{outcome.distinct_games:,}",
    }


def _comparison(rows: Sequence[ExperimentRow], name: str, own: float, place: int) -> dict[str, Any]:
    """Return what the page shows of a ratio: the answer, and a row for each length of runs."""
    paper = {row.rounds: row.ratios[place] for row in PAPER_ROWS}
    ratios = [row.ratios[place] for row in rows]
    ends = [end for one in ratios for end in (one.value, one.low, one.high)]
    low, high = tolerated_range(own)
    scale = ratio_scale([*ends, *paper.values(), low, high])
    verdict = rows[-1].verdicts[place]
    return {
        "name": name,
        "paper": f"{own:g}",
        "value": short_number(ratios[-1].value),
        "interval": interval_text(ratios[-1]),
        "verdict": verdict,
        "statement": verdict_sentence(verdict, own),
        "marks": [(_percent(scale, one), f"{one:g}") for one in (low, own, high)],
        "allowed": [_percent(scale, one) for one in (low, high)],
        "own": _percent(scale, own),
        "rows": [_comparison_row(row, place, paper.get(row.rounds), scale) for row in rows],
    }


def _comparison_row(
    row: ExperimentRow, place: int, paper: float | None, scale: Scale
) -> dict[str, Any]:
    ratio = row.ratios[place]
    ends = [_percent(scale, ratio.low), _percent(scale, ratio.high)]
    return {
        "rounds": rounds_text(row),
        "runs": row.runs,
        "value": short_number(ratio.value),
        "interval": interval_text(ratio),
        "place": _percent(scale, ratio.value),
        "bar": ends if ratio.is_bounded else None,
        "paper": None if paper is None else _percent(scale, paper),
        "paper_value": None if paper is None else f"{paper:g}",
        "verdict": row.verdicts[place],
    }


def _percent(scale: Scale, value: float) -> float:
    return round(100 * scale.share(value), 1)
