"""``c4-tune experiment``: the runs of the paper."""

import argparse
from typing import Any

from c4_protocol.program.commands import print_json, raise_on_signals
from c4_protocol.program.parser import add_json

from c4_referee.tuning.commands._arguments import (
    EXAMPLES,
    USUAL,
    add_run_settings,
    count,
    run_settings,
    threads,
)


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command."""
    experiment = commands.add_parser(
        "experiment",
        help="repeat the paper's runs of 50, 100, 200 and 300 rounds",
        description="Repeat the paper's runs of 50, 100, 200 and 300 rounds.",
        epilog=EXAMPLES,
        usual=USUAL,
    )
    experiment.set_defaults(run=_run)
    experiment.add_argument(
        "--runs",
        type=count,
        metavar="N",
        help="number of runs for each number of rounds (default, as in the paper: 4 runs of 50 "
        "rounds, 4 of 100, 2 of 200, 2 of 300)",
    )
    add_run_settings(experiment, faithful=True)
    add_json(experiment)


def _run(options: argparse.Namespace) -> int:
    from rich.console import Console

    from c4_referee.tuning.arena import Arena
    from c4_referee.tuning.experiment import experiment_rows, plan_runs, play_experiment
    from c4_referee.tuning.report_page import write_reports
    from c4_referee.tuning.stored_runs import check_free_for_runs
    from c4_referee.tuning.terminal import RoundProgress, print_experiment

    raise_on_signals()
    check_free_for_runs(options.out)
    settings = run_settings(options)
    arena = Arena(settings.search, threads(options))
    plan = plan_runs(settings, options.runs)
    with RoundProgress(sum(stopping.rounds for _, stopping in plan)) as progress:
        histories = list(play_experiment(plan, arena, options.out, progress, resume=options.resume))
    rows = experiment_rows(histories)
    if options.out:
        write_reports(options.out, histories, plots=options.plots)
    if options.json:
        print_json({"rows": rows, "runs": [history.outcome for history in histories]})
    else:
        print_experiment(Console(highlight=False), rows, histories)
    return 0
