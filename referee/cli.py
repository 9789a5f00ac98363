"""``c4-referee``: parses the command line and wires a match to its displays."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocol.errors import ArenaError, UsageError

if TYPE_CHECKING:
    from protocol.records import GameEnded, MatchReport
    from referee.books import EventHandler
    from referee.check.driver import Trial
    from referee.match import Match
    from referee.stats.sprt import Sprt

EXAMPLES = """\
examples:
  c4-referee match "c4-bot" "c4-bot --plays random" --games 10 --time-ms 100
  c4-referee match "python my_bot.py" "c4-bot --plays needed" --games 20 --json
  c4-referee match mine theirs --openings random:4 --games 100 --bots class.toml
  c4-referee match new old --openings random:6 --sprt 0,50 --bots class.toml
  c4-referee match mine theirs --bots class.toml --variant 8x7 --tc 60+0.5 --out results

A bot is a command line in quotes, or the NAME of a table [bots.NAME] in the file of --bots.
Exit code: 0 if every game was played or --sprt decided, 1 if not (Ctrl-C ends a match early), 2 for
a user's mistake.
"""

CHECK_EXAMPLES = """\
examples:
  c4-referee check "python my_bot.py"
  c4-referee check "java -jar bot.jar" --time-ms 500 --variant 8x7
  c4-referee check mine --bots class.toml --json

Exit code: 0 if every rule was kept (advice apart), 1 if not, 2 for a user's mistake.
"""


MOST_GAMES = 1000
"""How many games a match with --sprt has if it is not decided before."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs ``c4-referee``; returns its exit code."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)  # a shell may have had them ignored
    parser = _parser()
    options = parser.parse_args(argv)
    if not (options.version or options.run):
        parser.error("no command: say what to do, as in c4-referee match --help")
    try:
        return _version() if options.version else int(options.run(options))
    except ArenaError as error:
        return _failed(str(error), 2)
    except OSError as error:
        return _failed(str(error), 1)
    except KeyboardInterrupt:
        return 1


def _failed(reason: str, code: int) -> int:
    """Says why there is no result; what could not be written before won't be tried again."""
    print(f"c4-referee: {reason}", file=sys.stderr)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="c4-referee",
        description="Runs Connect Four bots against each other and judges them.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="COMMAND")
    _add_match(commands)
    _add_check(commands)
    return parser


def _add_match(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    match = commands.add_parser(
        "match",
        help="two bots against each other",
        description="Two bots against each other, taking turns in going first.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    match.set_defaults(run=_match)
    match.add_argument("bot", nargs=2, metavar="BOT", help="a command line, or a name of --bots")
    match.add_argument(
        "--games", type=_count, metavar="N", help=f"default: 2; with --sprt at most {MOST_GAMES}"
    )
    match.add_argument(
        "--sprt",
        type=_sprt,
        metavar="E0,E1[,A,B]",
        help="stop once it is decided whether the first bot is E0 or E1 Elo stronger, with error "
        "probabilities A and B (default: 0.05 each)",
    )
    time = match.add_mutually_exclusive_group()
    time.add_argument("--time-ms", type=_duration, default=1000.0, metavar="N", help="a move")
    time.add_argument("--tc", metavar="MAIN+INC", help="seconds for the game and for each move")
    match.add_argument("--first-ms", type=_duration, metavar="N", help="the first move's own time")
    match.add_argument(
        "--startup-ms",
        type=_duration,
        default=10_000.0,
        metavar="N",
        help="on top of the first answer, for the bot to start (default: 10000)",
    )
    match.add_argument(
        "--freeze", action="store_true", help="stop each bot while the other one is on turn"
    )
    match.add_argument("--variant", default="standard", help="standard, 8x7, 9x7x5 or line8")
    match.add_argument(
        "--openings",
        default="none",
        metavar="SPEC",
        help="random:N (plies), or a file of move strings; each is played with both colours",
    )
    match.add_argument("--seed", type=int, default=0, metavar="N", help="of random openings")
    match.add_argument("--bots", metavar="FILE", help="TOML file with tables [bots.NAME]")
    match.add_argument("--concurrency", type=_count, metavar="N", help="games at once")
    match.add_argument("--pin", action="store_true", help="keep each game on one processor")
    match.add_argument(
        "--sandbox",
        action="store_true",
        help="no network for the bots, and nothing to write to but /tmp and their cwd",
    )
    match.add_argument(
        "--out", type=Path, metavar="DIR", help="keep all games in DIR, and go on from those there"
    )
    match.add_argument("--events", metavar="FILE", help="append every event as JSON; - for stdout")
    match.add_argument("--json", action="store_true", help="print one JSON object, nothing else")


def _add_check(commands: Any) -> None:  # noqa: ANN401 - as above
    check = commands.add_parser(
        "check",
        help="is a bot safe to enter a tournament?",
        description="Tries on a bot what real drivers do, and says what to fix.",
        epilog=CHECK_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    check.set_defaults(run=_check)
    check.add_argument("bot", metavar="BOT", help="a command line, or a name of --bots")
    check.add_argument("--time-ms", type=_duration, default=1000.0, metavar="N", help="a move")
    check.add_argument("--variant", default="standard", help="standard, 8x7, 9x7x5 or line8")
    check.add_argument("--bots", metavar="FILE", help="TOML file with tables [bots.NAME]")
    check.add_argument("--json", action="store_true", help="print one JSON object, nothing else")


def _match(options: argparse.Namespace) -> int:
    from referee.match import Match
    from referee.process import adopt_orphans, kill_children
    from referee.report.terminal import GameProgress

    match = Match(**_settings(options))
    adopt_orphans()
    try:
        with ExitStack() as stack:
            progress = stack.enter_context(GameProgress())
            report, games = match.play(_logs(options, stack), options.out, progress)
    finally:
        kill_children()
    _show(options, match, report, games)
    return 0 if report.complete else 1


def _check(options: argparse.Namespace) -> int:
    import orjson
    from rich.console import Console

    from referee.check.checker import check
    from referee.check.terminal import Display
    from referee.process import adopt_orphans, kill_children

    trial = _trial(options)
    display = Display(Console(highlight=False, quiet=options.json))
    display.title(trial)
    adopt_orphans()
    try:
        report = check(trial, display.outcome)
    finally:
        kill_children()
    display.verdict(report)
    if options.json:
        sys.stdout.buffer.write(orjson.dumps(report, option=orjson.OPT_APPEND_NEWLINE))
    sys.stdout.flush()
    return 0 if report.passed else 1


def _trial(options: argparse.Namespace) -> "Trial":
    """The bot to check and its game; raises ``UsageError``."""
    from protocol.variant import Variant
    from referee.bots import find_bots, read_bots
    from referee.check.driver import Trial

    (spec,) = find_bots([options.bot], read_bots(options.bots) if options.bots else {})
    if spec.dialect != "jsonl":
        raise UsageError(f"bot '{spec.name}' speaks {spec.dialect}: only jsonl can be checked")
    return Trial(spec, Variant.parse(options.variant), spec.time_ms or options.time_ms)


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    """The fields of the match that the command line asks for."""
    from protocol.variant import Variant
    from referee.bots import find_bots, read_bots
    from referee.clock import TimeControl

    if options.json and options.events == "-":
        raise UsageError("--events - ends with the report as an event: leave out --json")
    if options.tc and options.first_ms is not None:
        raise UsageError("--first-ms goes with --time-ms: a game clock runs from the first move on")
    if options.pin and not hasattr(os, "sched_setaffinity"):
        raise UsageError("--pin: this system cannot keep a game on one processor")
    known = read_bots(options.bots) if options.bots else {}
    demanded = {name: True for name in ("sandbox", "freeze") if getattr(options, name)}
    control = TimeControl.parse(options.tc) if options.tc else TimeControl(options.time_ms)
    return {
        "bots": tuple(find_bots(options.bot, known, **demanded)),
        "games": options.games or (MOST_GAMES if options.sprt else 2),
        "sprt": options.sprt,
        "variant": Variant.parse(options.variant),
        "openings": options.openings,
        "seed": options.seed,
        "control": replace(control, first_ms=options.first_ms, startup_ms=options.startup_ms),
        "concurrency": options.concurrency or len(_processors()),
        "cpus": tuple(_processors()) if options.pin else (),
    }


def _show(
    options: argparse.Namespace, match: "Match", report: "MatchReport", games: "list[GameEnded]"
) -> None:
    import orjson
    from rich.console import Console

    from referee.report.terminal import print_match

    if options.json:
        sys.stdout.buffer.write(orjson.dumps(report, option=orjson.OPT_APPEND_NEWLINE))
    else:
        console = Console(stderr=options.events == "-", highlight=False)
        print_match(console, report, games, match.variant)
    sys.stdout.flush()


def _logs(options: argparse.Namespace, stack: ExitStack) -> "list[EventHandler]":
    """Those who write events down."""
    from referee.eventlog import LineLog, open_log

    logs: list[EventHandler] = []
    if options.events == "-":
        logs.append(LineLog(sys.stdout.buffer))
    elif options.events:
        logs.append(LineLog(stack.enter_context(open_log(Path(options.events)))))
    return logs


def _version() -> int:
    from importlib.metadata import version

    print(f"c4-referee {version('c4-arena')}")
    return 0


def _processors() -> Sequence[int]:
    """The processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return range(os.cpu_count() or 1)


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return value


def _sprt(text: str) -> "Sprt":
    from referee.stats.sprt import Sprt

    try:
        return Sprt.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _duration(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError("milliseconds, more than 0")
    return value
