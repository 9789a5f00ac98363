"""``c4-referee``: parses the command line and wires a match to its displays."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protocol.errors import ArenaError, UsageError

if TYPE_CHECKING:
    from protocol.records import GameEnded, MatchReport
    from referee.match import Match
    from referee.runner import EventHandler

EXAMPLES = """\
examples:
  c4-referee match "c4-bot" "c4-bot --plays random" --games 10 --time-ms 100
  c4-referee match "python my_bot.py" "c4-bot --plays needed" --games 20 --json
  c4-referee match mine theirs --bots class.toml --variant 8x7 --tc 60+0.5 --out results

A bot is a command line in quotes, or the NAME of a table [bots.NAME] in the file of --bots.
Exit code: 0 if every game was played, 1 if not (Ctrl-C ends a match early), 2 for a user's mistake.
"""


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
    match.add_argument("--games", type=_count, default=2, metavar="N", help="default: 2")
    time = match.add_mutually_exclusive_group()
    time.add_argument("--time-ms", type=_duration, default=1000.0, metavar="N", help="a move")
    time.add_argument("--tc", metavar="MAIN+INC", help="seconds for the game and for each move")
    match.add_argument("--variant", default="standard", help="standard, 8x7, 9x7x5 or line8")
    match.add_argument("--bots", metavar="FILE", help="TOML file with tables [bots.NAME]")
    match.add_argument("--concurrency", type=_count, metavar="N", help="games at once")
    match.add_argument(
        "--out", type=Path, metavar="DIR", help="append each game to DIR/games.jsonl"
    )
    match.add_argument("--events", metavar="FILE", help="append every event as JSON; - for stdout")
    match.add_argument("--json", action="store_true", help="print one JSON object, nothing else")


def _match(options: argparse.Namespace) -> int:
    from referee.match import Match
    from referee.process import adopt_orphans, kill_children
    from referee.report.terminal import GameProgress

    match = Match(**_settings(options))
    adopt_orphans()
    try:
        with ExitStack() as stack:
            progress = stack.enter_context(GameProgress(match.games))
            report, games = match.play([*_logs(options, stack), progress])
    finally:
        kill_children()
    _show(options, match, report, games)
    return 0 if report.complete else 1


def _settings(options: argparse.Namespace) -> dict[str, Any]:
    """The fields of the match that the command line asks for."""
    from protocol.variant import Variant
    from referee.bots import find_bots, read_bots
    from referee.clock import TimeControl

    if options.json and options.events == "-":
        raise UsageError("--events - ends with the report as an event: leave out --json")
    return {
        "bots": tuple(find_bots(options.bot, read_bots(options.bots) if options.bots else {})),
        "games": options.games,
        "variant": Variant.parse(options.variant),
        "control": TimeControl.parse(options.tc) if options.tc else TimeControl(options.time_ms),
        "concurrency": options.concurrency or _processors(),
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
    if options.out:
        stream = stack.enter_context(open_log(options.out / "games.jsonl"))
        logs.append(LineLog(stream, "game_ended"))
    if options.events == "-":
        logs.append(LineLog(sys.stdout.buffer))
    elif options.events:
        logs.append(LineLog(stack.enter_context(open_log(Path(options.events)))))
    return logs


def _version() -> int:
    from importlib.metadata import version

    print(f"c4-referee {version('c4-arena')}")
    return 0


def _processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _count(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return value


def _duration(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError("milliseconds, more than 0")
    return value
