"""Small runs, their pages and what the terminal shows of them are those of golden files."""

import re
from dataclasses import replace

import orjson
import pytest
from c4_referee.tuning import printing
from c4_referee.tuning.arena import Arena
from c4_referee.tuning.evolution import RunSettings, StoppingRule
from c4_referee.tuning.experiment import experiment_rows
from c4_referee.tuning.report_page import render_experiment, render_run, render_training
from c4_referee.tuning.run_folder import play_run
from c4_referee.tuning.training import CurvePoint, TrainedNetwork, TrainSettings

pytest.importorskip("c4_bot._core")  # without it, other numbers of positions are visited

SMALL = RunSettings(depth=1, population=6, elite=2)
RUNS = {
    "genetic": (SMALL, StoppingRule(12)),
    "spsa": (replace(SMALL, method="spsa", seed=3), StoppingRule(40, 30)),
    "openings": (
        replace(SMALL, faithful=True, openings=2, plies=1, sparring=("windows", "needed")),
        StoppingRule(3),
    ),
}
POINTS = [
    CurvePoint(64, 0.5, None, None, 1, 0, 1, 2.0),
    CurvePoint(1024, 0.25, 0.0567, 1.0, 9, 0, 0, 75.0),
]


def played(name):
    """Return a run whose rounds took half a second each."""
    settings, ending = RUNS[name]
    history = play_run(settings, ending, Arena(settings.depth))
    return replace(history, rounds=[replace(one, seconds=0.5) for one in history.rounds])


def body(page):
    """Return a page without its style sheet."""
    return re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)


@pytest.mark.parametrize("name", RUNS)
def test_run_is_that_of_the_golden_file(golden, capsys, name):
    """A run has the rounds, the page and the texts that are stored."""
    history = played(name)
    printing.print_run(history)
    rounds = b"".join(orjson.dumps(replace(one, played=[])) + b"\n" for one in history.rounds)
    golden(
        f"tuning/{name}.txt", rounds.decode() + capsys.readouterr().out + body(render_run(history))
    )


def test_experiment_is_that_of_the_golden_file(golden, capsys):
    """An experiment of runs of two lengths has the page and the tables that are stored."""
    runs = [played("genetic")] * 3 + [played("openings"), played("spsa")]
    printing.print_experiment(experiment_rows(runs), [run.outcome for run in runs])
    golden("tuning/experiment.txt", capsys.readouterr().out + body(render_experiment(runs)))


@pytest.mark.parametrize("count", [1, 2])
def test_training_is_that_of_the_golden_file(golden, capsys, count):
    """A training has the page and the table that are stored, also if values are unknown."""
    network = TrainedNetwork(TrainSettings("9x7x4", seed=2), POINTS[:count])
    printing.print_training(network)
    golden(f"tuning/training{count}.txt", capsys.readouterr().out + body(render_training(network)))
