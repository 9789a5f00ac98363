"""``c4-referee check``: checks whether a bot is ready for a tournament."""

import argparse
import shlex
from functools import partial
from typing import TYPE_CHECKING, Any

from c4_protocol.program.commands import print_json, raise_on_signals
from c4_protocol.program.errors import UsageError
from c4_protocol.program.parser import add_json

from c4_referee.commands._options import (
    add_options,
    add_sandbox,
    chosen_bots,
    games_at_once,
    in_shell,
    known_bots,
    same_options,
)

if TYPE_CHECKING:
    from c4_referee.bots.spec import BotSpec
    from c4_referee.check.driver import Trial

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
        usual="--bots --all --time-ms --tc --variant --arguments --dialect --no-sandbox --json",
    )
    check.add_argument(
        "bot",
        nargs="?",
        metavar="BOT",
        help="a command line, or a name in the --bots file (default: all bots in the --bots file)",
    )
    add_options(check.add_mutually_exclusive_group(), "--time-ms", "--tc")
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


def _trial(bot: str, known: "dict[str, BotSpec]", options: argparse.Namespace) -> "Trial":
    """Return what is checked: a bot, in the game and with the time of the options."""
    from c4_protocol.dialects import referee_end
    from c4_protocol.rules.variant import STANDARD, Variant

    from c4_referee.bots.clock import TimeControl
    from c4_referee.check.driver import Trial

    (spec,) = chosen_bots([bot], known, options)
    general = TimeControl.parse(options.tc) if options.tc else TimeControl(options.time_ms)
    control = spec.time_control(general)
    only_game = referee_end(spec.dialect).variant or STANDARD
    variant = Variant.parse(options.variant) if options.variant else only_game
    spec.check_plays(variant, control)
    increment_ms = None if control.main_ms is None else control.increment_ms
    time_ms = control.main_ms or control.move_ms
    return Trial(spec, variant, time_ms, increment_ms=increment_ms)


def _check_one(options: argparse.Namespace) -> int:
    from c4_protocol.terminal.console import SafeConsole
    from rich.text import Text

    from c4_referee.bots.contain.strays import prepared_command
    from c4_referee.check.checker import check
    from c4_referee.check.report_display import CheckDisplay

    trial = _trial(options.bot, known_bots(options), options)
    console = SafeConsole(highlight=False, quiet=options.json)
    progress = SafeConsole(stderr=True)
    display = CheckDisplay(console, trial, lists_all=options.all, progress=progress)
    raise_on_signals()
    with prepared_command(), display.status:
        report = check(trial, on_rule=display.rule)
    display.report(report)
    if options.json:
        print_json(report)
    elif report.passed and not (trial.spec.is_own_command or options.dialect or options.arguments):
        opponent = f'"c4-bot --level 3"{same_options(options)} --out games'
        retry = f"c4-referee retry games {shlex.quote(trial.spec.name)} NEW"
        text = f"Next:\n  c4-referee match {in_shell(options.bot)} {opponent}\n  {retry}"
        text += "   after a change: does NEW mend mistakes?"
        console.print(Text(text), soft_wrap=True)
    return 0 if report.passed else 1


def _check_file(options: argparse.Namespace) -> int:
    """Check all bots of the ``--bots`` file and return the exit code."""
    from c4_protocol.rules.variant import Variant
    from c4_protocol.terminal.console import SafeConsole

    from c4_referee.bots.contain.strays import prepared_command
    from c4_referee.check.whole_file import check_all, print_summary
    from c4_referee.report.terminal.bar import Bar

    if options.dialect:
        raise UsageError("--dialect is for a bot that is a command line: name the bot, too")
    known = known_bots(options)
    if not known:
        raise UsageError(f"there is no bot in {options.bots}: bots are written as [bots.NAME]")
    Variant.parse(options.variant or "standard")
    argv = [word for word in options.argv if word != "--"]
    console = SafeConsole(highlight=False, quiet=options.json)
    raise_on_signals()
    trials = {name: partial(_trial, name, known, options) for name in known}
    with prepared_command(), Bar("checking", total=len(known), threaded=False) as bar:
        checks = check_all(trials, lambda _: bar.add_one(), options.concurrency)
    print_summary(console, argv, checks)
    if options.json:
        reports = [check.report or {"bot": check.bot, "error": check.reason} for check in checks]
        print_json(reports)
    return 0 if all(check.passed for check in checks) else 1
