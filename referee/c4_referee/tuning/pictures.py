"""Pictures of runs for papers: the weights of a run, the ratios of many runs, and their intervals.

The rules of ``site.drawing`` apply: an optional dependency draws them, as SVG and PNG.
"""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from c4_referee.site.drawing import COLOURS, GREY, WIDTH, File, drawing, picture_files
from c4_referee.tuning.charts import ratio_series, weight_series
from c4_referee.tuning.evolution import RunHistory, TuningRound
from c4_referee.tuning.experiment import PAPER_RATIOS, PAPER_ROWS, ExperimentRow, experiment_rows
from c4_referee.tuning.wording import RATIO_NAMES, WEIGHT_NAMES, rounds_text, tolerated_range

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis


def run_pictures(history: RunHistory) -> Iterator[File]:
    """Generate ``run.svg`` and ``run.png``: ratios and weights over the rounds of a run."""
    with drawing(WIDTH, 4.6) as figure:
        grid = figure.subplots(2, 2, sharex=True)
        ratios, *weights = grid.flat
        _start_ratios(ratios, *PAPER_RATIOS)
        for gene, (name, line) in enumerate(zip(RATIO_NAMES, ("-", "--"), strict=True), 1):
            _draw_ratio(ratios, history.rounds, gene, linestyle=line, label=name)
        ratios.set_title("winners' ratios", loc="left", fontsize="medium")
        ratios.legend(loc="best", fontsize="small")
        for gene, axes in enumerate(weights):
            _draw_weight(axes, history.rounds, gene)
        for axes in grid[1]:
            axes.set_xlabel("round")
        yield from picture_files(figure, "run")


def experiment_pictures(histories: Sequence[RunHistory]) -> Iterator[File]:
    """Generate two pictures of an experiment: ``runs``, all runs, and ``ratios``, the intervals."""
    by_rounds: dict[int, list[RunHistory]] = {}
    for history in histories:
        by_rounds.setdefault(history.stopping.rounds, []).append(history)
    with drawing(WIDTH, 3.6) as figure:
        grid = figure.subplots(2, len(by_rounds), sharex="col", sharey="row", squeeze=False)
        for column, (rounds, runs) in enumerate(by_rounds.items()):
            alpha = max(0.3, 0.8 - 0.05 * len(runs))  # where many lines meet must be visible
            for gene, axes in enumerate(grid[:, column], 1):
                _start_ratios(axes, PAPER_RATIOS[gene - 1])
                for run in runs:
                    _draw_ratio(axes, run.rounds, gene, alpha=alpha, linewidth=0.8)
            grid[0, column].set_title(f"{rounds} rounds", loc="left", fontsize="medium")
        for axes, name in zip(grid[:, 0], RATIO_NAMES, strict=True):
            axes.set_ylabel(name)
        figure.supxlabel("round", fontsize="medium")
        yield from picture_files(figure, "runs")
    yield from _ratio_picture(experiment_rows(histories))


def _draw_weight(axes: "Axes", rounds: Sequence[TuningRound], gene: int) -> None:
    """Draw a weight: the winners' mean and range, and all other players as dots."""
    lowest, highest, means, others = weight_series(rounds, gene)
    numbers, colour = [tuning_round.round for tuning_round in rounds], COLOURS[gene]
    if others:
        # One picture of all dots is smaller than a thousand shapes.
        axes.plot(*zip(*others, strict=True), ".", color=GREY, markersize=4, alpha=0.6,
                  markeredgewidth=0, rasterized=len(others) > 2000)  # fmt: skip
    axes.fill_between(numbers, lowest, highest, color=colour, alpha=0.3, linewidth=0)
    axes.plot(numbers, means, color=colour)
    axes.set_ylim(-3, 103)
    axes.set_title(f"{WEIGHT_NAMES[gene]} weight", loc="left", fontsize="medium")


def _start_ratios(axes: "Axes", *own: float) -> None:
    """Prepare the axes of ratios, with lines at the ratios of the paper's weights."""
    for value in own:
        axes.axhline(value, color=GREY, linewidth=0.8, linestyle=(0, (2, 2)))
    axes.set_yscale("log")
    _label_decades(axes.yaxis)


def _label_decades(axis: "Axis") -> None:
    """Label a logarithmic axis at 1, 2, 5, 10 and so on."""
    from matplotlib.ticker import LogLocator, NullLocator  # noqa: PLC0415 - optional

    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter("{x:g}")


def _draw_ratio(
    axes: "Axes",
    rounds: Sequence[TuningRound],
    gene: int,
    **style: Any,  # noqa: ANN401 - passed to matplotlib
) -> None:
    """Draw the ratio of the winners' mean weights; ratios of 0 and infinite ones are gaps."""
    values = [value or math.nan for value in ratio_series(rounds)[gene - 1]]
    axes.plot([tuning_round.round for tuning_round in rounds], values, color=COLOURS[gene], **style)


def _ratio_picture(rows: Sequence[ExperimentRow]) -> Iterator[File]:
    with drawing(WIDTH, 0.9 + 0.28 * len(rows)) as figure:
        for place, axes in enumerate(figure.subplots(1, len(RATIO_NAMES), sharey=True)):
            _draw_intervals(axes, rows, place)
        handles = figure.axes[0].get_legend_handles_labels()
        figure.legend(*handles, loc="outside lower center", ncols=3, fontsize="small")
        yield from picture_files(figure, "ratios")


def _draw_intervals(axes: "Axes", rows: Sequence[ExperimentRow], place: int) -> None:
    """Draw the interval of a ratio for each row, beside the paper's ratio."""
    axes.axvspan(*tolerated_range(PAPER_RATIOS[place]), color="#eeeeee", zorder=0)
    axes.axvline(PAPER_RATIOS[place], color=GREY, linewidth=0.8, linestyle=(0, (2, 2)))
    paper = {row.rounds: row.ratios[place] for row in PAPER_ROWS}
    for height, row in enumerate(rows):
        ratio = row.ratios[place]
        if ratio.is_bounded:
            axes.plot([ratio.low, ratio.high], [height, height], color=COLOURS[0], linewidth=2.5)
        first = height == 0
        if row.rounds in paper:
            axes.plot(paper[row.rounds], height, "o", color="black", markerfacecolor="white",
                      label="the paper's runs" if first else None)  # fmt: skip
        axes.plot(ratio.value, height, "o", color=COLOURS[0],
                  label="our runs, with 95% interval" if first else None)  # fmt: skip
    axes.set_xscale("log")
    _label_decades(axes.xaxis)
    axes.set_yticks(range(len(rows)), [rounds_text(row) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.set_title(RATIO_NAMES[place], loc="left", fontsize="medium")
    if not place:
        axes.set_ylabel("rounds")
