"""``c4-bot``: parses the command line and wires a session; imports the rest once that is done.

Real drivers append arguments of their own: ``--player 1 --width 7 --height 6`` in any order, or
bare ones. The first are understood, the others ignored.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from c4_protocol import dialects
from c4_protocol.errors import ArenaError, UsageError

if TYPE_CHECKING:
    from c4_bot.contract import Evaluator

EXAMPLES = """\
examples:
  echo '{"grid":[[0,0,0,0],[0,0,2,1],[0,0,0,1],[0,0,0,2],[0,0,0,0]]}' | c4-bot
  c4-bot --plays needed --depth 4      another player, searching four plies
  c4-bot --level 1                     one that a child can beat
  c4-bot --time-ms 50 --info           50 ms a move, and what it saw in each answer
  c4-bot --dialect console             play 4-in-a-Line against it at the terminal
  c4-bot --list                        the players there are

One precept a line goes in, one move a line comes out, columns counting from 0.
Exit code: 0 if every line was answered, 1 if one was not, 2 for a bad command line.
"""
WAITING = "c4-bot: waiting for lines of JSON; c4-bot --help shows one, Ctrl-D ends"
MOST = 10**9
"""Of anything that is counted on the command line."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs ``c4-bot``; returns its exit code."""
    options = _parser().parse_intermixed_args(argv)
    try:
        if options.version:
            return _print_version()
        if options.list:
            return _print_players(as_json=options.json)
        return _serve(options)
    except ArenaError as error:
        return _failed(str(error), 2)
    except MemoryError:
        return _failed("there is not enough memory to play", 1)
    except OSError as error:
        return _failed(str(error), 1)


def _failed(reason: str, code: int) -> int:
    print(f"c4-bot: {reason}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="c4-bot",
        description="A Connect Four player on standard input and output.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    choice = parser.add_argument_group("the player")
    choice.add_argument("--plays", metavar="NAME", help="which player (default: the strongest)")
    choice.add_argument(
        "--level", type=int, choices=range(1, 11), metavar="1..10", help="the easiest is 1"
    )
    choice.add_argument("--depth", type=number, metavar="N", help="search N plies")
    choice.add_argument("--time-ms", type=duration, metavar="N", help="N milliseconds a move")
    choice.add_argument("--nodes", type=number, metavar="N", help="visit N positions a move")
    choice.add_argument(
        "--threads", type=number, metavar="N", help="at most, and by default, one a processor"
    )
    choice.add_argument("--seed", type=int, metavar="N", help="for players that draw lots")
    choice.add_argument("--weights", type=integers, metavar="1,3,6", help="of the evaluation")
    choice.add_argument("--set", action="append", default=[], type=setting, metavar="NAME=VALUE")
    choice.add_argument("--evaluator", metavar="MODULE:CLASS", help="your own evaluation")
    talk = parser.add_argument_group("the conversation")
    talk.add_argument(
        "--dialect",
        default="auto",
        metavar="NAME",
        help=f"{', '.join(dialects.names())}, or auto: as the first line shows (default)",
    )
    talk.add_argument("--info", action="store_true", help="add what the player saw to each answer")
    talk.add_argument("--verbose", action="store_true", help="tell the same on standard error")
    driver = parser.add_argument_group("what drivers append")
    driver.add_argument(
        "--player", type=int, choices=(1, 2), help="who moves, if a line does not say"
    )
    driver.add_argument("--width", metavar="W", help="ignored: the grid tells")
    driver.add_argument("--height", metavar="H", help="ignored: the grid tells")
    driver.add_argument("ignored", nargs="*", metavar="ANYTHING", help="ignored")
    parser.add_argument("--list", action="store_true", help="print the players and stop")
    parser.add_argument("--json", action="store_true", help="with --list: as a JSON array")
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    return parser


def _serve(options: argparse.Namespace) -> int:
    from c4_bot import registry
    from c4_bot.contract import Limits
    from c4_bot.session import Session

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # end at once, also in the midst of a search
    if options.dialect == "auto" and os.isatty(0):
        print(WAITING, file=sys.stderr)
    evaluator = _evaluator(options)
    session = Session(
        player=registry.build(_name(options), _overrides(options), evaluator, options.seed),
        dialect=None if options.dialect == "auto" else dialects.bot_end(options.dialect),
        limits=Limits(options.depth, options.nodes, threads=_threads(options)),
        time_ms=options.time_ms,
        default_player=options.player,
        show_info=options.info,
        verbose=options.verbose,
    )
    return session.run()


def _name(options: argparse.Namespace) -> str | None:
    """Which player is asked for, if one is."""
    if options.level and options.plays:
        raise UsageError("a level is a player of its own: say --level or --plays")
    return f"level-{options.level}" if options.level else options.plays


def _evaluator(options: argparse.Namespace) -> "Evaluator | None":
    """The user's own, if there is one."""
    from c4_bot.foreign import load_evaluator

    if options.evaluator and options.weights is not None:
        raise UsageError("weights are of our evaluators: say --weights or --evaluator")
    return load_evaluator(options.evaluator) if options.evaluator else None


def _overrides(options: argparse.Namespace) -> dict[str, Any]:
    """The parameters that the command line changes."""
    overrides = dict(options.set)
    if options.weights is not None:
        overrides["weights"] = options.weights
    return overrides


def _print_players(*, as_json: bool) -> int:
    from c4_bot import registry

    sys.stdout.write(registry.listing_json() if as_json else registry.listing())
    return 0


def _print_version() -> int:
    from importlib.metadata import version

    print(f"c4-bot {version('c4-arena')}")
    return 0


def _threads(options: argparse.Namespace) -> int:
    """Not more than there are processors: those that wait for one would make answers late."""
    return min(options.threads or MOST, _processors())


def _processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def number(text: str) -> int:
    """Of things; argparse shows the names of these types to people."""
    value = int(text)
    if not 1 <= value <= MOST:
        raise argparse.ArgumentTypeError(f"1 to {MOST}")
    return value


def duration(text: str) -> float:
    """Milliseconds."""
    value = float(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError("milliseconds, at least 0")
    return value


def integers(text: str) -> tuple[int, ...]:
    """With commas between them."""
    return tuple(int(part) for part in text.split(","))


def setting(text: str) -> tuple[str, Any]:
    """``name=value``; the value is JSON, ``1,3,6`` a list."""
    import orjson

    name, sign, value = text.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError("say name=value")
    for written in (value, f"[{value}]" if "," in value else value):
        with suppress(orjson.JSONDecodeError):
            return name, orjson.loads(written)
    return name, value
