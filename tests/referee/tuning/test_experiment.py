"""Rows of the experiment, checked by hand, and the ratio of means."""

import random

import pytest
from c4_referee.tuning.evolution import RunSettings
from c4_referee.tuning.experiment import PAPER_WEIGHTS, experiment_row, plan_runs


def test_plan_is_that_of_the_paper() -> None:
    """The plan has the paper's twelve runs, or a given number of runs of each length.

    Each run of the paper's plan has its own seed.
    """
    plan = plan_runs(RunSettings(), None)
    assert [ending.rounds for _, ending in plan] == [50] * 4 + [100] * 4 + [200] * 2 + [300] * 2
    assert len({settings.seed for settings, _ in plan}) == 12
    assert len(plan_runs(RunSettings(), 7)) == 28


def runs_around_the_paper(seed, count, scale=1):
    """Return winners of runs around 1-3-6, with the third weight multiplied by ``scale``."""
    draw = random.Random(seed)
    weights = [
        [10 * weight * draw.uniform(0.7, 1.3) for weight in PAPER_WEIGHTS] for _ in range(count)
    ]
    return [[(round(a), round(b), round(scale * c))] for a, b, c in weights]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("scale", "verdict"), [(1, "agrees"), (2, "differs"), (1.5, "undecided")])
def test_verdicts_do_not_depend_on_the_seed(seed, scale, verdict) -> None:
    """Runs around 1-3-6 agree with it for every seed; with the third weight doubled, none do."""
    row = experiment_row(0, runs_around_the_paper(seed, 40, scale))
    assert row.verdicts == ("agrees", verdict)


def test_few_runs_decide_nothing() -> None:
    """One run never decides, and two runs do not if they differ much."""
    for runs in ([(1, 3, 6)], [(5, 15, 30), (15, 45, 90)]):
        row = experiment_row(50, [[weights] for weights in runs])
        assert row.verdicts == ("undecided", "undecided")
