"""``c4-tune evolve``: one run."""

import argparse
from typing import Any

from c4_referee.program.arguments import add_json
from c4_referee.tuning.arguments import (
    EXAMPLES,
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
    )
    evolve.set_defaults(run=_run)
    add_number(evolve, "--rounds", 50, "number of rounds")
    threshold = "stop when each weight differs by less than N between any two winners"
    add_number(evolve, "--threshold", 0, threshold, ", which means never")
    add_run_settings(evolve)
    add_json(evolve)


def _run(options: argparse.Namespace) -> int:
    from rich.console import Console

    from c4_referee.program.output import print_json
    from c4_referee.program.run import raise_on_signals
    from c4_referee.tuning.arena import Arena
    from c4_referee.tuning.evolution import StoppingRule
    from c4_referee.tuning.folder import open_run_folder
    from c4_referee.tuning.report import write_run
    from c4_referee.tuning.runs import play_run
    from c4_referee.tuning.stored import check_free_for_runs
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
            write_run(folder.path, history)
    if options.plots:
        from c4_referee.site.drawing import write_pictures
        from c4_referee.tuning.pictures import run_pictures

        write_pictures(options.out, run_pictures(history))
    if options.json:
        print_json(history.outcome)
    else:
        print_run(Console(highlight=False), history)
    return 0
