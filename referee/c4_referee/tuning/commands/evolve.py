"""``c4-tune evolve``: one run."""

import argparse
from typing import Any

from c4_protocol.program.commands import print_json, raise_on_signals
from c4_protocol.program.parser import add_json

from c4_referee.tuning.commands._arguments import (
    EXAMPLES,
    USUAL,
    add_number,
    add_run_settings,
    run_settings,
    threads,
)


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command."""
    evolve = commands.add_parser(
        "evolve",
        help="find good weights with tournaments",
        description="Find good weights with tournaments between players with different weights.",
        epilog=EXAMPLES,
        usual=USUAL,
    )
    evolve.set_defaults(run=_run)
    add_number(evolve, "--rounds", 50, "number of rounds")
    threshold = "stop when each weight differs by less than N between any two winners"
    add_number(evolve, "--threshold", 0, threshold, ", which means never")
    add_run_settings(evolve)
    add_json(evolve)


def _run(options: argparse.Namespace) -> int:
    from rich.console import Console

    from c4_referee.tuning.arena import Arena
    from c4_referee.tuning.evolution import StoppingRule
    from c4_referee.tuning.report_page import write_run
    from c4_referee.tuning.run_folder import open_run_folder, play_run
    from c4_referee.tuning.stored_runs import check_free_for_runs
    from c4_referee.tuning.terminal import RoundProgress, print_run, print_stored_rounds

    raise_on_signals()
    check_free_for_runs(options.out)
    settings, stopping = run_settings(options), StoppingRule(options.rounds, options.threshold)
    arena = Arena(settings.search, threads(options))
    with open_run_folder(options.out, settings, resume=options.resume) as folder:
        if folder is not None:
            print_stored_rounds(len(folder), stopping)
        with RoundProgress(stopping.rounds) as progress:
            history = play_run(settings, stopping, arena, folder, progress)
        if folder is not None:
            write_run(folder.path, history, plots=options.plots)
    if options.json:
        print_json(history.outcome)
    else:
        print_run(Console(highlight=False), history)
    return 0
