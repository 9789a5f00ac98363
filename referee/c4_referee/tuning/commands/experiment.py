"""``c4-tune experiment``: the runs of the paper."""

import argparse
from typing import Any

from c4_protocol.program.parser import add_json

from c4_referee.tuning.commands import _run_options


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command."""
    experiment = commands.add_parser(
        "experiment",
        epilog=_run_options.EXAMPLES_TEXT,
        help="repeat the paper's runs of 50, 100, 200 and 300 rounds",
        description="Repeat the paper's runs of 50, 100, 200 and 300 rounds.",
        usual=_run_options.USUAL_OPTIONS,
    )
    experiment.add_argument(
        "--runs",
        type=_run_options.count_argument,
        metavar="N",
        help="number of runs for each number of rounds (default, as in the paper: 4 runs of 50 "
        "rounds, 4 of 100, 2 of 200, 2 of 300)",
    )
    _run_options.add_run_settings(experiment, faithful=True)
    add_json(experiment)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_referee.tuning.experiment import experiment_rows, plan_runs, play_experiment
    from c4_referee.tuning.printing import RoundProgress, print_experiment
    from c4_referee.tuning.report_page import write_experiment

    settings, arena = _run_options.prepared_run(options)
    plan = plan_runs(settings, options.runs)
    with RoundProgress(sum(stopping.rounds for _, stopping in plan)) as progress:
        histories = list(play_experiment(plan, arena, options.out, progress))
    if options.out:
        write_experiment(options.out, histories)
    rows, outcomes = experiment_rows(histories), [history.outcome for history in histories]
    return _run_options.print_results(
        options, {"rows": rows, "runs": outcomes}, print_experiment, rows, outcomes
    )
