"""The experiment's figures, counted by hand; and the ratio of means behind them."""

import math
import random
from statistics import fmean

import pytest
from c4_referee.stats.ratio import Ratio, ratio_of_means
from c4_referee.tuning.evolution import RunSettings
from c4_referee.tuning.experiment import PAPER_ROWS, PAPER_WEIGHTS, experiment_row, plan_runs


def test_programme_is_the_documents() -> None:
    """Twelve runs, every one with a seed of its own; or as many of each length as asked for."""
    programme = plan_runs(RunSettings(), None)
    assert [ending.rounds for _, ending in programme] == [50] * 4 + [100] * 4 + [200] * 2 + [
        300
    ] * 2
    assert len({settings.seed for settings, _ in programme}) == 12
    assert len(plan_runs(RunSettings(), 7)) == 28


def test_documents_ratios_are_those_of_its_averages() -> None:
    """As it rounds them: what we compute is what it computed."""
    for line in PAPER_ROWS:
        for place, ratio in enumerate(line.ratios, 1):
            assert line.means[place] / line.means[0] == pytest.approx(ratio, rel=0.03)


def test_deviations_within_and_between_runs_are_told_apart() -> None:
    """Two runs of copies: nothing within, everything between."""
    row = experiment_row(50, [[(1, 2, 10)] * 4, [(3, 6, 30)] * 4])
    assert row.means == (2, 4, 20)
    assert row.within == (0, 0, 0)
    assert row.between == pytest.approx((math.sqrt(2), math.sqrt(8), math.sqrt(200)))
    assert [ratio.value for ratio in row.ratios] == [2, 10]


@pytest.mark.parametrize(("scale", "inside"), [(1, True), (2, False)])
def test_finding_is_looked_for_in_both_intervals(scale, inside) -> None:
    """Runs around 1-3-6 hold it; with the third weight doubled they do not."""
    draw = random.Random(1)
    runs = [
        [tuple(round(10 * weight * draw.uniform(0.9, 1.1)) for weight in PAPER_WEIGHTS)]
        for _ in range(9)
    ]
    runs = [[(a, b, scale * c)] for ((a, b, c),) in runs]
    assert experiment_row(0, runs).includes_paper_weights is inside


def test_interval_of_one_run_is_everything() -> None:
    """Nor is anything known where the mean below may be 0."""
    assert ratio_of_means([3], [1]) == Ratio(3, -math.inf, math.inf)
    assert ratio_of_means([3, 4, 5], [1, -1, 0.1]).low == -math.inf


def test_interval_is_that_of_a_mean_where_nothing_varies_below() -> None:
    """Fieller's is then Student's: t(2) = 4.303, s = 1, n = 3."""
    found = ratio_of_means([2, 3, 4], [1, 1, 1])
    assert found.low == pytest.approx(3 - 4.3027 / math.sqrt(3), abs=1e-3)
    assert found.high == pytest.approx(3 + 4.3027 / math.sqrt(3), abs=1e-3)


def test_interval_covers_the_truth_as_often_as_it_says() -> None:
    """Of 2000 samples of six pairs, 95% hold the ratio of the means that they are drawn from."""
    draw = random.Random(5)
    held = []
    for _ in range(2000):
        below = [draw.gauss(10, 2) for _ in range(6)]
        above = [one + draw.gauss(20, 3) for one in below]
        held.append(ratio_of_means(above, below).holds(3))
    assert fmean(held) == pytest.approx(0.95, abs=0.015)
