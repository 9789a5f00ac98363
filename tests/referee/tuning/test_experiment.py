"""Rows of the experiment, checked by hand, and the ratio of means."""

import math
import random

import pytest
from c4_referee.tuning.evolution import RunSettings
from c4_referee.tuning.experiment import PAPER_ROWS, PAPER_WEIGHTS, experiment_row, plan_runs


def test_plan_is_that_of_the_paper() -> None:
    """The plan has the paper's twelve runs, or a given number of runs of each length.

    Each run of the paper's plan has its own seed.
    """
    plan = plan_runs(RunSettings(), None)
    assert [ending.rounds for _, ending in plan] == [50] * 4 + [100] * 4 + [200] * 2 + [300] * 2
    assert len({settings.seed for settings, _ in plan}) == 12
    assert len(plan_runs(RunSettings(), 7)) == 28


def test_papers_ratios_are_those_of_its_averages() -> None:
    """The paper's ratios are computed from its averages like ours, up to rounding."""
    for line in PAPER_ROWS:
        for place, ratio in enumerate(line.ratios, 1):
            assert line.means[place] / line.means[0] == pytest.approx(ratio, rel=0.03)


def test_deviations_within_and_between_runs_are_separate() -> None:
    """Runs of identical winners have a deviation of 0 within runs, and all of it between runs."""
    row = experiment_row(50, [[(1, 2, 10)] * 4, [(3, 6, 30)] * 4])
    assert row.means == (2, 4, 20)
    assert row.within == (0, 0, 0)
    assert row.between == pytest.approx((math.sqrt(2), math.sqrt(8), math.sqrt(200)))
    assert [ratio.value for ratio in row.ratios] == [2, 10]


@pytest.mark.parametrize(("scale", "inside"), [(1, True), (2, False)])
def test_paper_weights_are_sought_in_both_intervals(scale, inside) -> None:
    """Runs around 1-3-6 include the paper's weights. With the third weight doubled, they do not."""
    draw = random.Random(1)
    runs = [
        [tuple(round(10 * weight * draw.uniform(0.9, 1.1)) for weight in PAPER_WEIGHTS)]
        for _ in range(9)
    ]
    runs = [[(a, b, scale * c)] for ((a, b, c),) in runs]
    assert experiment_row(0, runs).includes_paper_weights is inside
