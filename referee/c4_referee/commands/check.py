"""``c4-referee check``: whether a bot is safe to enter a tournament."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from c4_protocol.errors import UsageError

from c4_referee.commands.arguments import add_bots, add_json, add_variant, duration

if TYPE_CHECKING:
    from c4_referee.check.driver import Trial

EXAMPLES = """\
examples:
  c4-referee check "python my_bot.py"
  c4-referee check "java -jar bot.jar" --time-ms 500 --variant 8x7
  c4-referee check mine --bots class.toml --json

Exit code: 0 if every rule was kept (advice apart), 1 if not, 2 for a user's mistake.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Describes the command."""
    check = commands.add_parser(
        "check",
        help="is a bot safe to enter a tournament?",
        description="Tries on a bot what real drivers do, and says what to fix.",
        epilog=EXAMPLES,
    )
    check.set_defaults(run=_run)
    check.add_argument("bot", metavar="BOT", help="a command line, or a name of --bots")
    check.add_argument("--time-ms", type=duration, default=1000.0, metavar="N", help="a move")
    add_variant(check)
    add_bots(check)
    add_json(check)


def _run(options: argparse.Namespace) -> int:
    import orjson
    from rich.console import Console

    from c4_referee.check.checker import check
    from c4_referee.check.terminal import Display
    from c4_referee.process import adopt_orphans, kill_children

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
    from c4_protocol.variant import Variant

    from c4_referee.bots import find_bots, read_bots
    from c4_referee.check.driver import Trial

    (spec,) = find_bots([options.bot], read_bots(options.bots) if options.bots else {})
    if spec.dialect != "jsonl":
        raise UsageError(f"bot '{spec.name}' speaks {spec.dialect}: only jsonl can be checked")
    return Trial(spec, Variant.parse(options.variant), spec.time_ms or options.time_ms)
