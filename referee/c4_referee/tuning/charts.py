"""Charts of runs and of trainings, as SVG paths with labels, and the numbers that they show."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from c4_referee.tuning.evolution import RunHistory, TuningRound
from c4_referee.tuning.experiment import PAPER_RATIOS
from c4_referee.tuning.genetic import spread
from c4_referee.tuning.plot import WEIGHT_SCALE, Panel, Scale, ratio_scale, round_scale
from c4_referee.tuning.training import CurvePoint
from c4_referee.tuning.wording import RATIO_NAMES, WEIGHT_NAMES, ratio_text, short_number

LABEL_DISTANCE = 14.0
"""Minimum distance of two labels at the right of a plot, in SVG units."""
MAX_LOSS = math.log(2)
"""Loss of a network that gives both players equal chances: the top of its chart."""


@dataclass(frozen=True)
class Drawing:
    """A plot: its title, a summary in words, its panel, and its paths and labels.

    A path is a CSS class and SVG path data. A label is a CSS class, its vertical place and a text.
    """

    title: str
    summary: str
    panel: Panel
    paths: list[tuple[str, str]]
    labels: Sequence[tuple[str, float, str]] = ()


def run_drawings(history: RunHistory) -> list[Drawing]:
    """Return the plots of a run: its ratios, each weight, and the spread of the winners."""
    return [
        _draw_ratio_series(history.rounds),
        *(_draw_weight(history.rounds, gene) for gene in range(len(WEIGHT_NAMES))),
        _draw_spread(history),
    ]


def small_drawing(history: RunHistory, scale: Scale) -> Drawing:
    """Return a plot of the ratios of a run without labels, for a row of a table."""
    best = history.outcome.winners[0]
    summary = f"{ratio_text(best, 1)} and {ratio_text(best, 2)} at the end"
    panel = Panel(round_scale(len(history.rounds)), scale, 256, 44)
    return Drawing("", summary, panel, _ratio_paths(panel, ratio_series(history.rounds)))


def shared_scale(histories: Iterable[RunHistory]) -> Scale:
    """Return a scale for the ratios of all runs and those of the paper."""
    return _ratio_scale(values for history in histories for values in ratio_series(history.rounds))


class WeightSeries(NamedTuple):
    """A weight over the rounds: the winners' lowest, highest and mean values, and all others.

    ``others`` are the round and the value of each player that is not among the winners.
    """

    lowest: list[int]
    highest: list[int]
    means: list[float]
    others: list[tuple[int, int]]


def weight_series(rounds: Sequence[TuningRound], gene: int) -> WeightSeries:
    """Return the values of a weight."""
    winners = [[player[gene] for player in tuning_round.winners] for tuning_round in rounds]
    others = [
        (tuning_round.round, player[gene])
        for tuning_round in rounds
        for player in dict.fromkeys(tuning_round.population)
        if player not in tuning_round.winners
    ]
    return WeightSeries([*map(min, winners)], [*map(max, winners)], [*map(fmean, winners)], others)


def ratio_series(rounds: Sequence[TuningRound]) -> list[list[float | None]]:
    """Return the ratios of the winners' mean weights to their mean 1-seq weight.

    There is a list for each ratio, with an entry for each round. Without a 1-seq weight, it is
    ``None``.
    """
    means = [[fmean(values) for values in zip(*one.winners, strict=True)] for one in rounds]
    return [[one[gene] / one[0] if one[0] else None for one in means] for gene in (1, 2)]


def _draw_weight(rounds: Sequence[TuningRound], gene: int) -> Drawing:
    """Return a plot of a weight: the winners' range and mean, and all other players as dots."""
    panel = Panel(round_scale(len(rounds)), WEIGHT_SCALE)
    lowest, highest, means, others = weight_series(rounds, gene)
    name, hue = WEIGHT_NAMES[gene], f"seq{gene + 1}"
    return Drawing(
        f"{name} weight",
        f"The winners' mean goes from {means[0]:.0f} to {means[-1]:.0f}.",
        panel,
        [
            ("dots", panel.dots(others)),
            (f"band {hue}", panel.band(lowest, highest)),
            (f"line {hue}", panel.line(means)),
        ],
        _labels(panel, {f"{means[-1]:.0f}": means[-1]}, gene + 1),
    )


def _draw_spread(history: RunHistory) -> Drawing:
    panel = Panel(round_scale(len(history.rounds)), WEIGHT_SCALE)
    spreads = [spread(one.winners) for one in history.rounds]
    paths = [
        (f"line seq{gene + 1}", panel.line([one[gene] for one in spreads])) for gene in range(3)
    ]
    if history.stopping.threshold:
        paths.append(("limit", panel.level(history.stopping.threshold)))
    last = ", ".join(map(str, spreads[-1]))
    labels = _labels(panel, dict(zip(WEIGHT_NAMES, spreads[-1], strict=True)), 1)
    return Drawing("Spread of the winners", f"At the end: {last}.", panel, paths, labels)


def _draw_ratio_series(rounds: Sequence[TuningRound]) -> Drawing:
    ratios = ratio_series(rounds)
    panel = Panel(round_scale(len(rounds)), _ratio_scale(ratios))
    last = [values[-1] for values in ratios]
    words = ", ".join(
        f"{name} {short_number(value)}"
        for name, value in zip(RATIO_NAMES, last, strict=True)
        if value is not None
    )
    ends = {name: one for name, one in zip(("2/1", "3/1"), last, strict=True) if one is not None}
    return Drawing(
        "Ratios of the winners' mean weights",
        f"At the end: {words or 'unknown'}.",
        panel,
        _ratio_paths(panel, ratios),
        _labels(panel, ends, 2),
    )


def _labels(panel: Panel, ends: dict[str, float], first: int) -> list[tuple[str, float, str]]:
    """Return labels beside the ends of lines, far enough from each other, lowest value first.

    ``first`` is the number of the first line's colour.
    """
    placed: list[tuple[str, float, str]] = []
    lowest = panel.height + LABEL_DISTANCE
    for hue, (name, value) in sorted(enumerate(ends.items(), first), key=lambda one: one[1][1]):
        lowest = min(panel.across(value) + 4, lowest - LABEL_DISTANCE)
        placed.append((f"label seq{hue}", round(lowest, 1), name))
    return placed


def _ratio_paths(panel: Panel, ratios: Sequence[Sequence[float | None]]) -> list[tuple[str, str]]:
    levels = "".join(panel.level(one) for one in PAPER_RATIOS)
    lines = [(f"line seq{hue}", panel.line(values)) for hue, values in enumerate(ratios, 2)]
    return [("level", levels), *lines]


def _ratio_scale(ratios: Iterable[Sequence[float | None]]) -> Scale:
    known = (one for values in ratios for one in values if one is not None)
    return ratio_scale([*PAPER_RATIOS, *known])


def learning_drawings(curve: Sequence[CurvePoint]) -> list[Drawing]:
    """Return the plots of a training: its loss, its judgements, and its matches."""
    return [
        _draw_curve(
            "Loss in solved positions",
            [point.solved_loss for point in curve],
            Scale(0, round(MAX_LOSS, 1), (0, 0.2, 0.4, 0.6)),
            decimals=2,
        ),
        _draw_curve(
            "Wins and losses judged correctly, in %",
            [None if point.right is None else 100 * point.right for point in curve],
            Scale(50, 100, (50, 60, 70, 80, 90, 100)),
        ),
        _draw_curve(
            "Score against zugzwang, in %",
            [100 * point.score for point in curve],
            Scale(0, 100, (0, 25, 50, 75, 100)),
        ),
    ]


def _draw_curve(
    title: str, values: Sequence[float | None], scale: Scale, decimals: int = 0
) -> Drawing:
    """Return the plot of values, whose last value is written with ``decimals`` after the point."""
    panel = Panel(round_scale(len(values)), scale)
    last = values[-1]
    label = "-" if last is None else f"{last:.{decimals}f}"
    labels = [] if last is None else [("label seq1", panel.across(last) + 4, label)]
    return Drawing(
        title, f"At the end: {label}.", panel, [("line seq1", panel.line(values))], labels
    )
