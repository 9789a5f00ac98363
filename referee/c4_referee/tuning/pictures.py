"""Pictures of runs for papers: the weights of a run, the ratios of many runs, and their intervals.

The rules of ``site.drawing`` apply: an optional dependency draws them, as SVG and PNG.
"""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from c4_referee.report.site.drawing import COLOURS, GREY, WIDTH, File, drawing, picture_files
from c4_referee.tuning.charts import ratio_chart, run_charts, shared_scale
from c4_referee.tuning.evolution import RunHistory
from c4_referee.tuning.experiment import PAPER_RATIOS, ExperimentRow, experiment_rows, paper_row
from c4_referee.tuning.plot import Band, Chart, Dots, LevelLine, Line
from c4_referee.tuning.wording import RATIO_NAMES, rounds_text, tolerated_range

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

DASHED_LINE = (0, (2, 2))
"""Style of the lines of the paper's ratios."""


def run_pictures(history: RunHistory) -> Iterator[File]:
    """Generate ``run.svg`` and ``run.png``: ratios and weights over the rounds of a run."""
    with drawing(WIDTH, 4.6) as figure:
        grid = figure.subplots(2, 2, sharex=True)
        for axes, chart in zip(grid.flat, run_charts(history), strict=False):  # not the spread
            _draw_chart(axes, chart)
        grid[0, 0].lines[-1].set_linestyle("--")
        grid[0, 0].legend(grid[0, 0].lines[-2:], RATIO_NAMES, loc="best", fontsize="small")
        for axes in grid[1]:
            axes.set_xlabel("round")
        yield from picture_files(figure, "run")


def experiment_pictures(histories: Sequence[RunHistory]) -> Iterator[File]:
    """Generate two pictures of an experiment: ``runs``, all runs, and ``ratios``, the intervals."""
    by_rounds: dict[int, list[RunHistory]] = {}
    for history in histories:
        by_rounds.setdefault(history.stopping.rounds, []).append(history)
    scale = shared_scale(histories)
    with drawing(WIDTH, 3.6) as figure:
        grid = figure.subplots(2, len(by_rounds), sharex="col", sharey="row", squeeze=False)
        for column, (rounds, runs) in enumerate(by_rounds.items()):
            alpha = max(0.3, 0.8 - 0.05 * len(runs))  # where many lines meet must be visible
            charts = [ratio_chart(run, scale) for run in runs]
            for place, axes in enumerate(grid[:, column]):
                lines = [chart.lines[place] for chart in charts]
                title = "" if place else f"{rounds} rounds"
                chart = Chart(title, "", scale, [LevelLine(PAPER_RATIOS[place]), *lines])
                _draw_chart(axes, chart, alpha=alpha, linewidth=0.8)
        for axes, name in zip(grid[:, 0], RATIO_NAMES, strict=True):
            axes.set_ylabel(name)
        figure.supxlabel("round", fontsize="medium")
        yield from picture_files(figure, "runs")
    yield from _ratio_picture(experiment_rows(histories))


def _draw_chart(
    axes: "Axes",
    chart: Chart,
    **style: Any,  # noqa: ANN401 - of lines, for matplotlib
) -> None:
    """Draw the series of a chart. On a logarithmic axis, lines have gaps at values of 0."""
    if chart.scale.logarithmic:
        axes.set_yscale("log", nonpositive="mask")
        _label_decades(axes.yaxis)
    else:
        axes.set_ylim(-3, 103)
    axes.set_title(chart.title, loc="left", fontsize="medium")
    rounds = range(1, len(chart.lines[0].values) + 1)
    for series in chart.series:
        match series:
            case Line(values, hue):
                known = [math.nan if value is None else value for value in values]
                axes.plot(rounds, known, color=COLOURS[hue - 1], **style)
            case Band(low, high, hue):
                colour = COLOURS[hue - 1]
                axes.fill_between(rounds, low, high, color=colour, alpha=0.3, linewidth=0)
            case Dots([_, *_] as points):
                # One picture of all dots is smaller than a thousand shapes.
                axes.plot(*zip(*points, strict=True), ".", color=GREY, markersize=4, alpha=0.6,
                          markeredgewidth=0, rasterized=len(points) > 2000)  # fmt: skip
            case LevelLine(value):
                axes.axhline(value, color=GREY, linewidth=0.8, linestyle=DASHED_LINE)


def _label_decades(axis: "Axis") -> None:
    """Label a logarithmic axis at 1, 2, 5, 10 and so on."""
    from matplotlib.ticker import LogLocator, NullLocator  # noqa: PLC0415 - optional

    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter("{x:g}")


def _ratio_picture(rows: Sequence[ExperimentRow]) -> Iterator[File]:
    with drawing(WIDTH, 0.9 + 0.28 * len(rows)) as figure:
        for place, axes in enumerate(figure.subplots(1, len(RATIO_NAMES), sharey=True)):
            _draw_intervals(axes, rows, place)
        handles = figure.axes[0].get_legend_handles_labels()
        figure.legend(*handles, loc="outside lower center", ncols=3, fontsize="small")
        yield from picture_files(figure, "ratios")


def _draw_intervals(axes: "Axes", rows: Sequence[ExperimentRow], ratio_index: int) -> None:
    """Draw one line for each row: a ratio with its 95% interval, and the paper's ratio.

    ``ratio_index`` says which of ``RATIO_NAMES`` is drawn, from 0.
    """
    axes.axvspan(*tolerated_range(PAPER_RATIOS[ratio_index]), color="#eeeeee", zorder=0)
    axes.axvline(PAPER_RATIOS[ratio_index], color=GREY, linewidth=0.8, linestyle=DASHED_LINE)
    for height, row in enumerate(rows):
        ratio = row.ratios[ratio_index]
        if ratio.is_bounded:
            axes.plot([ratio.low, ratio.high], [height, height], color=COLOURS[0], linewidth=2.5)
        first, papers = height == 0, paper_row(row.rounds)
        if papers:
            paper_ratio = papers.ratios[ratio_index]
            axes.plot(paper_ratio, height, "o", color="black", markerfacecolor="white",
                      label="the paper's runs" if first else None)  # fmt: skip
        axes.plot(ratio.value, height, "o", color=COLOURS[0],
                  label="our runs, with 95% interval" if first else None)  # fmt: skip
    axes.set_xscale("log")
    _label_decades(axes.xaxis)
    axes.set_yticks(range(len(rows)), [rounds_text(row) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(visible=False, axis="y")
    axes.set_title(RATIO_NAMES[ratio_index], loc="left", fontsize="medium")
    if not ratio_index:
        axes.set_ylabel("rounds")
