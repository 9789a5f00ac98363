"""Charts of runs and of trainings."""

import math
from collections.abc import Iterable, Sequence
from statistics import fmean

from c4_referee.tuning.evolution import RunHistory, TuningRound
from c4_referee.tuning.experiment import PAPER_RATIOS
from c4_referee.tuning.optimizers import spread_of_weights
from c4_referee.tuning.svg_chart import Band, Chart, Dots, LevelLine, Line, Scale, ratio_scale
from c4_referee.tuning.training import CurvePoint
from c4_referee.tuning.wording import RATIO_NAMES, SHORT_RATIO_NAMES, WEIGHT_NAMES, short_number

LOSS_OF_GUESSING = math.log(2)
"""Loss of a network that gives both players equal chances: the top of its chart."""
WEIGHT_SCALE = Scale(0, 100, (0, 25, 50, 75, 100))


def run_charts(history: RunHistory) -> list[Chart]:
    """Return the charts of a run: its ratios, each weight, and the spread of the winners."""
    return [
        ratio_chart(history, shared_scale([history])),
        *(_weight_chart(history.rounds, gene) for gene in range(len(WEIGHT_NAMES))),
        _spread_chart(history),
    ]


def ratio_chart(history: RunHistory, scale: Scale) -> Chart:
    """Return a chart of the ratios of the winners' mean weights, with those of the paper."""
    ratios = _ratio_series(history.rounds)
    ends = zip(RATIO_NAMES, (values[-1] for values in ratios), strict=True)
    last = ", ".join(f"{name} {short_number(end)}" for name, end in ends if end is not None)
    lines = zip(ratios, (2, 3), SHORT_RATIO_NAMES, strict=True)
    return Chart(
        "Ratios of the winners' mean weights",
        f"At the end: {last or 'unknown'}.",
        scale,
        [*map(LevelLine, PAPER_RATIOS), *(Line(*line) for line in lines)],
    )


def shared_scale(histories: Iterable[RunHistory]) -> Scale:
    """Return a scale for the ratios of all runs and those of the paper."""
    ratios = [values for history in histories for values in _ratio_series(history.rounds)]
    known = [ratio for values in ratios for ratio in values if ratio is not None]
    return ratio_scale([*PAPER_RATIOS, *known])


def _ratio_series(rounds: Sequence[TuningRound]) -> list[list[float | None]]:
    """Return the ratios of the winners' mean weights to their mean 1-seq weight.

    There is a list for each ratio, with an entry for each round. Without a 1-seq weight, it is
    ``None``.
    """
    means = [[*map(fmean, zip(*one.winners, strict=True))] for one in rounds]
    return [[mean[gene] / mean[0] if mean[0] else None for mean in means] for gene in (1, 2)]


def _weight_chart(rounds: Sequence[TuningRound], gene: int) -> Chart:
    """Return a chart of a weight: the winners' range and mean, and all other players as dots."""
    winners = [[player[gene] for player in tuning_round.winners] for tuning_round in rounds]
    others = [
        (tuning_round.round, player[gene])
        for tuning_round in rounds
        for player in dict.fromkeys(tuning_round.population)
        if player not in tuning_round.winners
    ]
    means, hue = [*map(fmean, winners)], gene + 1
    return Chart(
        f"{WEIGHT_NAMES[gene]} weight",
        f"The winners' mean goes from {means[0]:.0f} to {means[-1]:.0f}.",
        WEIGHT_SCALE,
        [
            Dots(others),
            Band([*map(min, winners)], [*map(max, winners)], hue),
            Line(means, hue, f"{means[-1]:.0f}"),
        ],
    )


def _spread_chart(history: RunHistory) -> Chart:
    spreads = [spread_of_weights(one.winners) for one in history.rounds]
    threshold = history.stopping.threshold
    weights = zip(zip(*spreads, strict=True), (1, 2, 3), WEIGHT_NAMES, strict=True)
    return Chart(
        "Spread of the winners",
        f"At the end: {', '.join(map(str, spreads[-1]))}.",
        WEIGHT_SCALE,
        [
            *(Line(*weight) for weight in weights),
            *([LevelLine(threshold, "limit")] * bool(threshold)),
        ],
    )


def learning_charts(curve: Sequence[CurvePoint]) -> list[Chart]:
    """Return the charts of a training: its loss, its judgements, and its matches."""
    return [
        _curve_chart(
            "Loss in solved positions",
            [point.solved_loss for point in curve],
            Scale(0, round(LOSS_OF_GUESSING, 1), (0, 0.2, 0.4, 0.6)),
            decimals=2,
        ),
        _curve_chart(
            "Wins and losses judged correctly, in %",
            [None if point.right is None else 100 * point.right for point in curve],
            Scale(50, 100, (50, 60, 70, 80, 90, 100)),
        ),
        _curve_chart(
            "Score against zugzwang, in %",
            [100 * point.score for point in curve],
            Scale(0, 100, (0, 25, 50, 75, 100)),
        ),
    ]


def _curve_chart(
    title: str, values: Sequence[float | None], scale: Scale, decimals: int = 0
) -> Chart:
    """Return the chart of values, whose last value is written with ``decimals`` after the point."""
    label = "-" if values[-1] is None else f"{values[-1]:.{decimals}f}"
    return Chart(title, f"At the end: {label}.", scale, [Line(values, 1, label)])
