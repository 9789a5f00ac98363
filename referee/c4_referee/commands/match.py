"""``c4-referee match``: a contest of two bots."""

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from c4_protocol.program.errors import UsageError
from c4_protocol.program.processors import usable_processors
from c4_protocol.program.text import visible

from c4_referee.commands._options import (
    add_options,
    add_output,
    add_sandbox,
    chosen_bots,
    count,
    duration,
    known_bots,
    seconds,
    sprt,
)

if TYPE_CHECKING:
    from c4_referee.contest.contest import Contest

EXAMPLES = """\
examples:
  c4-referee match "c4-bot" "c4-bot --plays random" --games 10 --time-ms 100
  c4-referee match mine="python3 bot.py" "c4-bot --level 3" --games 20 --json
  c4-referee match mine yours --bots class.toml --openings random:4 --games 100
  c4-referee match new old --bots class.toml --openings balanced:8 --until 0.95
  c4-referee match mine yours --bots class.toml --games 40 --out results

A bot is a command line in quotes, or the NAME of a table [bots.NAME] in the
--bots file. NAME="COMMAND LINE" gives it a name; without one, it has that of
its file. kaggle:FILE is an agent for Kaggle's ConnectX.
Exit code: 0 if every game was played, with --sprt or --until if it reached a
decision; 1 if not, for example after Ctrl-C; 2 for a mistake on the command
line or in a file.
"""

JUDGE_SECONDS = 30.0
"""Default time for judging, in seconds. It is enough for about fifty games of 7x6."""
MAX_GAMES = 1000
"""Maximum number of games of a match with --sprt or --until, if --games is not given."""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    match = commands.add_parser(
        "match",
        help="play two bots against each other",
        description="Play two bots against each other. They take turns in moving first.",
        epilog=EXAMPLES,
        usual="--games --time-ms --tc --openings --variant --bots --until --concurrency --out "
        "--explain --json",
    )
    match.add_argument(
        "bot", nargs=2, metavar="BOT", help="a command line, or a name in the --bots file"
    )
    match.add_argument(
        "--games",
        type=count,
        metavar="N",
        help=f"number of games (default: 2; with --sprt or --until: at most {MAX_GAMES})",
    )
    match.add_argument(
        "--sprt",
        type=sprt,
        metavar="E0,E1[,A,B]",
        help="stop as soon as a sequential test decides whether the first bot is E0 or E1 Elo "
        "points stronger; A and B are the error probabilities (default: 0.05 each)",
    )
    match.add_argument(
        "--until",
        type=float,
        metavar="P",
        help="stop as soon as it is P sure, such as 0.95, that one bot is better, or that the bots "
        "are less than --within apart",
    )
    match.add_argument(
        "--within", type=float, metavar="ELO", help="Elo points for --until (default: 30)"
    )
    time = match.add_mutually_exclusive_group()
    add_options(time, "--time-ms", "--tc")
    match.add_argument(
        "--first-ms",
        type=duration,
        metavar="N",
        help="milliseconds for each bot's first move in a game (default: the value of --time-ms)",
    )
    match.add_argument(
        "--startup-ms",
        type=duration,
        default=10_000.0,
        metavar="N",
        help="extra milliseconds for the first answer of a bot's process, because the program must "
        "start up (default: 10000)",
    )
    match.add_argument(
        "--freeze",
        action=argparse.BooleanOptionalAction,
        help="halt each bot while its opponent is to move: always (--freeze), never (--no-freeze), "
        "or by default from then on when it has used a processor there",
    )
    add_options(match, "--variant")
    match.add_argument(
        "--openings",
        default="none",
        metavar="SPEC",
        help="how games begin: none (default, the empty board), random:N (N random moves), "
        "balanced:N (N moves to a position that is a draw if both sides play perfectly), or a file "
        "with one move string per line. Columns count from 1. Each opening is played twice, so "
        "that each bot moves first once.",
    )
    match.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of random openings (default: 0)"
    )
    add_options(
        match, "--bots", "--arguments", "--dialect", "--executor", "--concurrency", "--strict"
    )
    match.set_defaults(executor="local")
    group = match.add_argument_group("the accuracy of moves")
    group.add_argument("--no-accuracy", action="store_true", help="do not judge the moves")
    group.add_argument(
        "--judge",
        metavar="BOT",
        help="judge moves with BOT, whose answers must contain exact scores (default: c4-bot on "
        "7x6; on other boards moves are judged only if --judge is given)",
    )
    group.add_argument(
        "--judge-seconds",
        type=seconds,
        default=JUDGE_SECONDS,
        metavar="N",
        help="maximum time for judging moves, in seconds; the games to judge are chosen at random "
        "(default: %(default)g)",
    )
    match.add_argument("--pin", action="store_true", help="let each game use only one processor")
    add_sandbox(match)
    match.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="store all games in DIR; games of this match that DIR already holds are not played "
        "again (default: keep the games for a while, as c4-referee list says, but not if programs "
        "read the report)",
    )
    add_output(match)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_referee.commands._run_contest import run_contest
    from c4_referee.report.terminal.progress import GameProgress

    contest, test = _contest(options), None
    if (options.sprt, options.until, options.within) != (None, None, None):
        from c4_referee.records.stats.sprt import match_test

        bots = contest.bots[0].name, contest.bots[1].name
        test = match_test(bots, options.sprt, options.until, options.within)
    judge_seconds = None if options.no_accuracy else options.judge_seconds
    out = options.out
    if out is None and not options.json and options.events != "-":
        from c4_referee.records.storage.kept import new_folder

        try:
            out = new_folder(contest.bots)
        except UsageError as error:
            sys.stderr.write(visible(f"c4-referee: the games are not kept: {error}") + "\n")
    return run_contest(contest, options, out, GameProgress(), judge_seconds, test)


def _contest(options: argparse.Namespace) -> "Contest":
    """Return the match that the command line describes."""
    from c4_protocol.rules.variant import Variant

    from c4_referee.bots.clock import TimeControl
    from c4_referee.contest.contest import Contest
    from c4_referee.contest.executor import LOCAL_EXECUTOR, default_concurrency
    from c4_referee.contest.judging.judge import judge_of

    if options.tc and options.first_ms is not None:
        raise UsageError("--first-ms goes with --time-ms: a game clock runs from the first move on")
    if options.pin and not hasattr(os, "sched_setaffinity"):
        raise UsageError("--pin: this system cannot keep a game on one processor")
    known = known_bots(options)
    first, second = chosen_bots(
        options.bot, known, options, here=options.executor == LOCAL_EXECUTOR
    )
    control = TimeControl.parse(options.tc) if options.tc else TimeControl(options.time_ms)
    variant = Variant.parse(options.variant)
    return Contest.match(
        first,
        second,
        games=options.games or (MAX_GAMES if options.sprt or options.until else 2),
        variant=variant,
        openings=options.openings,
        judge=judge_of(options.judge, known, variant),
        seed=options.seed,
        control=replace(control, first_ms=options.first_ms, startup_ms=options.startup_ms),
        concurrency=options.concurrency or default_concurrency(options.executor),
        executor=options.executor,
        strict=bool(options.strict),
        cpus=tuple(usable_processors()) if options.pin else (),
    )
