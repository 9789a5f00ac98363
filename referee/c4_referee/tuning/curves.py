"""Charts of learning curves: what a network knew after each part of its training."""

import math
from collections.abc import Sequence

from c4_referee.tuning.charts import Drawing
from c4_referee.tuning.plot import Panel, Scale, round_scale
from c4_referee.tuning.training import CurvePoint

MAX_LOSS = math.log(2)
"""Loss of a network that gives both players equal chances: the top of its chart."""


def learning_drawings(curve: Sequence[CurvePoint]) -> list[Drawing]:
    """Return the plots of a training: its loss, its judgements, and its matches."""
    return [
        _draw(
            "Loss in solved positions",
            [point.solved_loss for point in curve],
            Scale(0, round(MAX_LOSS, 1), (0, 0.2, 0.4, 0.6)),
            decimals=2,
        ),
        _draw(
            "Wins and losses judged correctly, in %",
            [None if point.right is None else 100 * point.right for point in curve],
            Scale(50, 100, (50, 60, 70, 80, 90, 100)),
        ),
        _draw(
            "Score against zugzwang, in %",
            [100 * point.score for point in curve],
            Scale(0, 100, (0, 25, 50, 75, 100)),
        ),
    ]


def _draw(title: str, values: Sequence[float | None], scale: Scale, decimals: int = 0) -> Drawing:
    """Return the plot of values, whose last value is written with ``decimals`` after the point."""
    panel = Panel(round_scale(len(values)), scale)
    last = values[-1]
    label = "-" if last is None else f"{last:.{decimals}f}"
    labels = [] if last is None else [("label seq1", panel.across(last) + 4, label)]
    return Drawing(
        title, f"At the end: {label}.", panel, [("line seq1", panel.line(values))], labels
    )
