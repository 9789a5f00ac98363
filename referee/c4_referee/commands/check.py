"""``c4-referee check``: checks whether a bot is ready for a tournament."""

import argparse
from typing import Any

from c4_protocol.program.commands import print_json, raise_on_signals
from c4_protocol.program.errors import UsageError
from c4_protocol.program.parser import add_json
from c4_protocol.program.processors import usable_processors

from c4_referee.commands._options import (
    add_options,
    add_sandbox,
    chosen_bots,
    games_at_once,
    known_bots,
)

EXAMPLES = """\
examples:
  c4-referee check "python3 my_bot.py"
  c4-referee check ./my_engine --dialect uci
  c4-referee check mine --bots class.toml --all
  c4-referee check --bots class.toml      every bot of the file, and a summary

There are two verdicts. A bot that needs "player" in the line, for example, is
ready for this referee, but not for the course's driver.
Exit code: 0 if every checked bot is ready for both, 1 if not, 2 for a mistake
on the command line or in a file. Advice does not change the exit code.
"""
DETAILS = """\
Each cause of a failure is shown once, with a shell command that shows the
failure again.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    check = commands.add_parser(
        "check",
        help="check whether a bot follows the rules, and say what to fix",
        description="Start a bot, ask it for moves as real drivers do, and report what to fix.\n"
        "A bot that breaks a rule would forfeit games in a tournament.",
        epilog=EXAMPLES,
        details=DETAILS,
        usual="--bots --all --time-ms --variant --arguments --dialect --no-sandbox --json",
    )
    check.add_argument(
        "bot",
        nargs="?",
        metavar="BOT",
        help="a command line, or a name in the --bots file (default: all bots in the --bots file)",
    )
    add_options(check, "--time-ms")
    check.add_argument(
        "--all",
        action="store_true",
        help="list all rules, including the rules that the bot follows",
    )
    check.add_argument(
        "--concurrency",
        type=games_at_once,
        metavar="N",
        help="if BOT is not given: maximum number of bots checked at the same time (default: one "
        "for each processor)",
    )
    add_options(check, "--variant", "--arguments", "--dialect")
    check.set_defaults(variant=None)
    add_sandbox(check)
    add_options(check, "--bots")
    add_json(check)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    if options.bot is not None:
        return _check_one(options)
    if not options.bots:
        raise UsageError(
            "name a bot: a command line in quotes, or --bots FILE for all bots of a file"
        )
    return _check_file(options)


def _check_one(options: argparse.Namespace) -> int:
    from c4_protocol.dialects import referee_end
    from c4_protocol.rules.variant import STANDARD, Variant
    from c4_protocol.terminal.console import SafeConsole

    from c4_referee.bots.clock import TimeControl
    from c4_referee.bots.contain.strays import prepared_command
    from c4_referee.check.checker import check
    from c4_referee.check.driver import Trial
    from c4_referee.check.report_display import CheckDisplay

    (spec,) = chosen_bots([options.bot], known_bots(options), options)
    time_ms = spec.time_ms or options.time_ms
    only_game = referee_end(spec.dialect).variant or STANDARD
    variant = Variant.parse(options.variant) if options.variant else only_game
    spec.check_plays(variant, TimeControl(time_ms))
    trial = Trial(spec, variant, time_ms)
    console = SafeConsole(highlight=False, quiet=options.json)
    progress = SafeConsole(stderr=True)
    display = CheckDisplay(console, trial, lists_all=options.all, progress=progress)
    raise_on_signals()
    with prepared_command(), display.status:
        report = check(trial, on_rule=display.rule)
    display.report(report)
    if options.json:
        print_json(report)
    return 0 if report.passed else 1


def _check_file(options: argparse.Namespace) -> int:
    """Check all bots of the ``--bots`` file and return the exit code."""
    from c4_protocol.rules.variant import Variant
    from c4_protocol.terminal.console import SafeConsole

    from c4_referee.check.whole_file import check_all, check_progress, print_summary

    if options.dialect:
        raise UsageError("--dialect is for a bot that is a command line: name the bot, too")
    names = list(known_bots(options))
    if not names:
        raise UsageError(f"there is no bot in {options.bots}: bots are written as [bots.NAME]")
    Variant.parse(options.variant or "standard")
    argv = [word for word in options.argv if word != "--"]
    at_once = min(options.concurrency or len(usable_processors()), len(names))
    console = SafeConsole(highlight=False, quiet=options.json)
    raise_on_signals()
    with check_progress(SafeConsole(stderr=True), len(names)) as count:
        checks = check_all(names, argv, at_once, count)
    print_summary(console, argv, checks)
    if options.json:
        reports = [check.report or {"bot": check.bot, "error": check.reason} for check in checks]
        print_json(reports)
    return 0 if all(check.passed for check in checks) else 1
