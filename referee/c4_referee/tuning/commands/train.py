"""``c4-tune train``: learned weights for the evaluator ``network``."""

import argparse
from pathlib import Path
from typing import Any

from c4_protocol.program.commands import raise_on_signals
from c4_protocol.program.parser import add_json

from c4_referee.tuning.commands import _run_options


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command."""
    train = commands.add_parser(
        "train",
        epilog=_run_options.EXAMPLES_TEXT,
        help="learn the weights of the evaluator 'network' from games against itself",
        description="Learn the weights of the evaluator 'network' for one game, from games of the\n"
        "network against itself.",
    )
    train.add_argument(
        "--variant",
        required=True,
        help="the game: WxH such as 9x7, or WxHxK for K in a row such as 10x8x5",
    )
    train.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="DIR",
        help="store the weights, the learning curve and a report in DIR; if DIR holds a training "
        "with the same settings, continue it",
    )
    train.add_argument(
        "--games",
        type=_run_options.count_argument,
        default=128_000,
        metavar="N",
        help="number of games (default: 128000, rounded up to a multiple of 32)",
    )
    _run_options.add_number(train, "--seed", 0, "seed of random choices")
    _run_options.add_number(train, "--depth", 2, "search depth in plies")
    solved = "solve positions with at most N free cells"
    _run_options.add_number(
        train, "--solved", 22, solved, "; larger boards need more time for the same number"
    )
    _run_options.add_number(
        train, "--every", 12_800, "store the training and play a match every N games"
    )
    _run_options.add_threads(train)
    add_json(train)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_referee.tuning.printing import TrainingProgress, print_training
    from c4_referee.tuning.report_page import check_free_for_training, write_training
    from c4_referee.tuning.run_folder import write_result
    from c4_referee.tuning.training import TrainSettings, train

    raise_on_signals()
    check_free_for_training(options.out)
    settings = _run_options.settings_from_options(options, TrainSettings)
    with TrainingProgress(options.games) as progress:
        network = train(
            settings, options.games, _run_options.checked_threads(options), options.out, progress
        )
    write_result(options.out, network)
    write_training(options.out, network)
    return _run_options.print_results(options, network, print_training, network)
