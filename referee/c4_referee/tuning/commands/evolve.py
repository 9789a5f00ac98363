"""``c4-tune evolve``: one run."""

import argparse
from typing import Any

from c4_protocol.program.parser import add_json

from c4_referee.tuning.commands import _run_options


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command."""
    evolve = commands.add_parser(
        "evolve",
        epilog=_run_options.EXAMPLES_TEXT,
        help="find good weights with tournaments",
        description="Find good weights with tournaments between players with different weights.",
        usual=_run_options.USUAL_OPTIONS,
    )
    _run_options.add_number(evolve, "--rounds", 50, "number of rounds")
    threshold = "stop when each weight differs by less than N between any two winners"
    _run_options.add_number(evolve, "--threshold", 0, threshold, ", which means never")
    _run_options.add_run_settings(evolve)
    add_json(evolve)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_referee.tuning.evolution import StoppingRule
    from c4_referee.tuning.printing import RoundProgress, print_run, print_stored_rounds
    from c4_referee.tuning.report_page import write_run
    from c4_referee.tuning.run_folder import open_run_folder, play_run, write_result

    settings, arena = _run_options.prepared_run(options)
    stopping = StoppingRule(options.rounds, options.threshold)
    with open_run_folder(options.out, settings) as folder:
        if folder is not None:
            print_stored_rounds(len(folder), stopping)
        with RoundProgress(stopping.rounds) as progress:
            history = play_run(settings, stopping, arena, folder, progress)
        if folder is not None:
            write_result(folder.path, history.outcome)
            write_run(folder.path, history)
    return _run_options.print_results(options, history.outcome, print_run, history)
