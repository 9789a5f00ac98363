"""Rows of the experiment, checked by hand, and the ratio of means."""

import math
import random
from statistics import fmean

import pytest
from c4_referee.stats.ratio import Ratio, ratio_of_means
from c4_referee.tuning.evolution import RunSettings
from c4_referee.tuning.experiment import PAPER_ROWS, PAPER_WEIGHTS, experiment_row, plan_runs


def test_plan_is_that_of_the_paper() -> None:
    """There are twelve runs, each with its own seed, or as many of each length as asked for."""
    plan = plan_runs(RunSettings(), None)
    assert [ending.rounds for _, ending in plan] == [50] * 4 + [100] * 4 + [200] * 2 + [300] * 2
    assert len({settings.seed for settings, _ in plan}) == 12
    assert len(plan_runs(RunSettings(), 7)) == 28


def test_papers_ratios_are_those_of_its_averages() -> None:
    """Within its rounding, the ratio is computed as in our rows."""
    for line in PAPER_ROWS:
        for place, ratio in enumerate(line.ratios, 1):
            assert line.means[place] / line.means[0] == pytest.approx(ratio, rel=0.03)


def test_deviations_within_and_between_runs_are_separate() -> None:
    """Runs of identical winners have a deviation of 0 within, and all deviation between."""
    row = experiment_row(50, [[(1, 2, 10)] * 4, [(3, 6, 30)] * 4])
    assert row.means == (2, 4, 20)
    assert row.within == (0, 0, 0)
    assert row.between == pytest.approx((math.sqrt(2), math.sqrt(8), math.sqrt(200)))
    assert [ratio.value for ratio in row.ratios] == [2, 10]


@pytest.mark.parametrize(("scale", "inside"), [(1, True), (2, False)])
def test_paper_weights_are_sought_in_both_intervals(scale, inside) -> None:
    """Runs around 1-3-6 include it; with the third weight doubled they do not."""
    draw = random.Random(1)
    runs = [
        [tuple(round(10 * weight * draw.uniform(0.9, 1.1)) for weight in PAPER_WEIGHTS)]
        for _ in range(9)
    ]
    runs = [[(a, b, scale * c)] for ((a, b, c),) in runs]
    assert experiment_row(0, runs).includes_paper_weights is inside


def test_interval_of_one_run_is_everything() -> None:
    """The interval is also unbounded if the mean below may be 0."""
    assert ratio_of_means([3], [1]) == Ratio(3, -math.inf, math.inf)
    assert ratio_of_means([3, 4, 5], [1, -1, 0.1]).low == -math.inf


def test_interval_is_that_of_a_mean_where_nothing_varies_below() -> None:
    """Fieller's interval then equals Student's: t(2) = 4.303, s = 1, n = 3."""
    found = ratio_of_means([2, 3, 4], [1, 1, 1])
    assert found.low == pytest.approx(3 - 4.3027 / math.sqrt(3), abs=1e-3)
    assert found.high == pytest.approx(3 + 4.3027 / math.sqrt(3), abs=1e-3)


def test_interval_covers_the_truth_as_often_as_it_says() -> None:
    """In 2000 samples of six pairs, 95% of the intervals contain the true ratio."""
    draw = random.Random(5)
    held = []
    for _ in range(2000):
        below = [draw.gauss(10, 2) for _ in range(6)]
        above = [one + draw.gauss(20, 3) for one in below]
        held.append(ratio_of_means(above, below).holds(3))
    assert fmean(held) == pytest.approx(0.95, abs=0.015)
