"""Arguments that several commands of ``c4-tune`` take."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from c4_protocol.program.commands import print_json, raise_on_signals
from c4_protocol.program.parser import count_up_to
from c4_protocol.program.processors import usable_processors

from c4_referee.contest.schedule import MAX_ROUNDS_OR_PAIRS

if TYPE_CHECKING:
    from c4_referee.tuning.arena import Arena
    from c4_referee.tuning.evolution import RunSettings

SettingsType = TypeVar("SettingsType")
EXAMPLES_TEXT = """\
examples:
  c4-tune evolve --rounds 300 --out run     as in the paper, at depth 3
  c4-tune evolve --rounds 500 --out run     continue that run up to round 500
  c4-tune evolve --openings 2               two random openings in each round
  c4-tune evolve --depth 6 --threshold 5    stop when winners are nearly equal
  c4-tune evolve --sparring windows,needed  also play against these players
  c4-tune experiment --out paper            the paper's twelve runs
  c4-tune experiment --depth 4 --runs 10    a deeper search than in the paper
  c4-tune judge 13,39,71 --depth 4          compare with the default 1,3,6
  c4-tune train --variant 9x7 --out net     learn an evaluation by self-play

Exit code: 0 if the run was finished, 1 if it was interrupted, 2 for a
mistake on the command line or in a file.
"""
USUAL_OPTIONS = (
    "--rounds --runs --depth --population --method --sparring --concurrency --out --json"
)
"""Options of runs that most people need, for ``--help``."""
count_argument = count_up_to(MAX_ROUNDS_OR_PAIRS)
MAX_THREADS = 1024
"""Maximum number of games at the same time. Each game needs a thread."""


def add_number(
    parser: argparse.ArgumentParser, flag: str, default: int, meaning: str, note: str = ""
) -> None:
    """Add an option for a whole number. Its help ends with the default and a ``note`` about it."""
    text = f"{meaning} (default: {default}{note})"
    parser.add_argument(flag, type=int, default=default, metavar="N", help=text)


def add_threads(parser: argparse.ArgumentParser) -> None:
    """Add ``--concurrency``."""
    parser.add_argument(
        "--concurrency",
        type=int,
        metavar="N",
        help="maximum number of games at the same time (default: one for each processor)",
    )


def checked_threads(options: argparse.Namespace) -> int:
    """Return the number of games at the same time; raise ``UsageError`` if it is out of range."""
    from c4_referee.tuning.arena import check_range

    if options.concurrency is None:
        return len(usable_processors())
    check_range("concurrency", options.concurrency, 1, MAX_THREADS, " games at a time")
    return int(options.concurrency)


def add_run_settings(parser: argparse.ArgumentParser, faithful: bool = False) -> None:
    """Add the options of a run: its settings, ``--concurrency``, and its folder."""
    add_number(parser, "--depth", 3, "search depth in plies")
    add_number(parser, "--population", 20, "number of players")
    add_number(parser, "--elite", 4, "number of winners that stay for the next round")
    add_number(parser, "--seed", 0, "seed of random choices")
    parser.add_argument(
        "--faithful",
        action=argparse.BooleanOptionalAction,
        default=faithful,
        help="give early and late wins the same value, as the paper does"
        f" (default: {'yes' if faithful else 'no'})",
    )
    parser.add_argument(
        "--method",
        default="genetic",
        metavar="NAME",
        help="how to find new weights: genetic (default), or spsa, which makes steps along an "
        "estimated gradient",
    )
    openings = "play each round from N new random openings"
    add_number(parser, "--openings", 0, openings, ", the empty board")
    add_number(parser, "--plies", 4, "number of moves in a random opening")
    parser.add_argument(
        "--sparring",
        type=lambda text: tuple(filter(None, text.split(","))),
        default=(),
        metavar="NAMES",
        help="also play against these players of c4-bot: 'windows', 'needed' or 'sequences', or "
        "several of them with commas, such as windows,needed",
    )
    add_threads(parser)
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="store all rounds and a report in DIR; if DIR holds a run with the same settings, "
        "continue it",
    )


def settings_from_options(options: argparse.Namespace, kind: type[SettingsType]) -> SettingsType:
    """Return settings of a kind of dataclass, each from the option of the same name."""
    from dataclasses import fields

    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: getattr(options, name) for name in names})


def prepared_run(options: argparse.Namespace) -> "tuple[RunSettings, Arena]":
    """Return the settings and the arena of a run, and make Ctrl-C raise an exception.

    Raises ``UsageError`` if an option is out of range, and if ``--out`` holds a training.
    """
    from c4_referee.tuning.arena import Arena
    from c4_referee.tuning.evolution import RunSettings
    from c4_referee.tuning.report_page import check_free_for_runs

    raise_on_signals()
    check_free_for_runs(options.out)
    settings = settings_from_options(options, RunSettings)
    arena = Arena(settings.depth, faithful=settings.faithful, threads=checked_threads(options))
    return settings, arena


def print_results(
    options: argparse.Namespace, record: object, print_text: Callable[..., None], *results: object
) -> int:
    """Print a record as JSON with ``--json``, otherwise results as text. Return exit code 0."""
    if options.json:
        print_json(record)
    else:
        print_text(*results)
    return 0
