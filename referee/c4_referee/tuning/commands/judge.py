"""``c4-tune judge``: compares weights with other weights and with the solver."""

import argparse
from typing import TYPE_CHECKING, Any

from c4_protocol.program.commands import raise_on_signals
from c4_protocol.program.parser import add_json, value_parsed_by

from c4_referee.tuning.commands import _run_options

if TYPE_CHECKING:
    from c4_referee.records.stats.sprt import Sprt


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command."""
    judge = commands.add_parser(
        "judge",
        epilog=_run_options.EXAMPLES_TEXT,
        help="compare two sets of weights, in games and with the solver",
        description="Play games between two sets of weights from random openings, and compare the\n"
        "moves of both with the moves of the solver.",
        usual="--against --depth --pairs --positions --sprt --concurrency --json",
    )
    judge.add_argument(
        "weights",
        type=_weights,
        metavar="WEIGHTS",
        help="the set of weights to judge, such as 13,39,71",
    )
    judge.add_argument(
        "--against",
        type=_weights,
        default=(1, 3, 6),
        metavar="WEIGHTS",
        help="the other set of weights (default: 1,3,6)",
    )
    _run_options.add_number(judge, "--depth", 3, "search depth in plies")
    pairs = "play at most N pairs of games; each side moves first once in a pair"
    _run_options.add_number(judge, "--pairs", 2000, pairs)
    _run_options.add_number(judge, "--plies", 6, "number of moves in a random opening")
    judge.add_argument(
        "--sprt",
        type=_sprt,
        default="0,20",
        metavar="ELO0,ELO1[,ALPHA,BETA]",
        help="stop as soon as a sequential test decides whether WEIGHTS are ELO0 or ELO1 Elo "
        "points stronger (default: 0,20); ALPHA is the probability of deciding for ELO1 if ELO0 is "
        "true, and BETA of deciding for ELO0 if ELO1 is true (default: 0.05 each)",
    )
    positions = "solve N positions and count how often each side plays a best move"
    _run_options.add_number(judge, "--positions", 500, positions, "; 0 means none")
    _run_options.add_number(judge, "--seed", 0, "seed of random choices")
    _run_options.add_threads(judge)
    add_json(judge)


def _weights(text: str) -> tuple[int, ...]:
    weights = tuple(int(part) for part in text.split(","))
    if len(weights) != 3:
        raise argparse.ArgumentTypeError("three weights, as in 1,3,6")
    return weights


def _sprt(text: str) -> "Sprt":
    from c4_referee.records.stats.sprt import Sprt

    return value_parsed_by(Sprt.parse, text)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_referee.tuning.arena import Arena
    from c4_referee.tuning.comparison import compare
    from c4_referee.tuning.printing import print_comparison

    raise_on_signals()
    comparison = compare(
        Arena(options.depth, threads=_run_options.checked_threads(options)),
        options.weights,
        options.against,
        sprt=options.sprt,
        pairs=options.pairs,
        plies=options.plies,
        positions=options.positions,
        seed=options.seed,
    )
    return _run_options.print_results(options, comparison, print_comparison, comparison)
