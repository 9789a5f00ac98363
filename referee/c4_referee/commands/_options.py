"""Options that several commands take, with the types of their values and what follows from them."""

import argparse
import os
import shlex
import sys
from contextlib import ExitStack
from importlib.util import find_spec
from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from c4_protocol.program.errors import UsageError
from c4_protocol.program.parser import add_json, count_up_to, value_parsed_by

from c4_referee.contest.schedule import MAX_GAMES_AT_ONCE, MAX_ROUNDS_OR_PAIRS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from c4_referee.bots.spec import BotSpec
    from c4_referee.contest.play.ledger import EventHandler
    from c4_referee.records.stats.sprt import Sprt


count = count_up_to(MAX_ROUNDS_OR_PAIRS)


def games_at_once(text: str) -> int:
    """Return the number of simultaneous games in ``text``, which is at least 1."""
    value = count(text)
    if value > MAX_GAMES_AT_ONCE:
        raise argparse.ArgumentTypeError(f"at most {MAX_GAMES_AT_ONCE}")
    return value


def port(text: str) -> int:
    """Return the number of a port in ``text``."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else -1
    if not 0 <= number < 65536:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, not '{text}'")
    return number


def add_address(parser: argparse.ArgumentParser) -> None:
    """Add the address of a server to the options of a command."""
    host = "address to listen on (default: %(default)s)"
    parser.add_argument("--host", default="127.0.0.1", help=host)
    number = "number of the port, 0 for any free one (default: %(default)s)"
    parser.add_argument("--port", type=port, default=8000, help=number)


def check_server() -> None:
    """Raise ``UsageError`` if the server is not installed."""
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise UsageError(
            "the server is not installed: pip install 'c4-arena[serve]', in its environment"
        )


def duration(text: str) -> float:
    """Return the time in ``text``, in milliseconds."""
    return _positive(text, "milliseconds", 1)


def seconds(text: str) -> float:
    """Return the time in ``text``, in seconds."""
    return _positive(text, "seconds", 1000)


def _positive(text: str, unit: str, unit_ms: float) -> float:
    from c4_referee.bots.clock import MAX_TIME_MS

    value, end = float(text), MAX_TIME_MS / unit_ms
    if not 0 < value < end:
        raise argparse.ArgumentTypeError(f"{unit}, more than 0 and less than {end:.0f}")
    return value


def sprt(text: str) -> "Sprt":
    """Return the sequential test that ``text`` describes."""
    from c4_referee.records.stats.sprt import Sprt

    return value_parsed_by(Sprt.parse, text)


OPTIONS: dict[str, dict[str, Any]] = {
    "--bots": {
        "metavar": "FILE",
        "help": "TOML file in which each table [bots.NAME] describes a bot; examples/class.toml "
        "explains the keys",
    },
    "--arguments": {
        "choices": ("none", "course", "positional"),
        "help": "arguments to append to the command of a bot, if its table does not set them. "
        "course: --player P --width W --height H, as in the course CSCI 4202. positional: each "
        "value twice, P P W W H H. none: nothing. P is 1 if the bot moves first, otherwise 2.",
    },
    "--dialect": {
        "metavar": "NAME",
        "help": "the dialect of a bot that is a command line, such as uci (default: jsonl); a bot "
        "of the --bots file has a dialect in its table; docs/dialects.md describes all dialects",
    },
    "--strict": {
        "action": "store_true",
        "default": None,  # a file may set it
        "help": "bar a bot if it alone played in all games in which a worker process ended, hung "
        "or wrote a wrong record, after at least 3 such games against different bots (in a match, "
        "both bots are in all games, so no bot is barred)",
    },
    "--variant": {
        "default": "standard",
        "help": "the game: standard (7x6, the default), WxH such as 8x7, or WxHxK for K in a row "
        "such as 9x7x5; also WxH+steal, codingame (9x7+steal), and line8 (8x8 without gravity: a "
        "stone may be put on any free cell)",
    },
    "--time-ms": {
        "type": duration,
        "default": 1000.0,
        "metavar": "N",
        "help": "milliseconds for each move (default: 1000)",
    },
    "--tc": {
        "metavar": "MAIN+INC",
        "help": "a clock for each bot: MAIN seconds for the whole game, and INC seconds more after "
        "each move",
    },
    "--executor": {
        "metavar": "WHERE",
        "help": "where the games are played: local (default), or on a Dask cluster, "
        "dask://HOST:PORT or with TLS dask+tls://HOST:PORT; the events of a game on a cluster "
        "arrive only when the game has ended (see docs/cluster.md)",
    },
    "--concurrency": {
        "type": games_at_once,
        "metavar": "N",
        "help": "maximum number of games at the same time (default: one for each processor, or one "
        "for each thread of the cluster)",
    },
    "--events": {
        "metavar": "FILE",
        "help": "append the events of each game that has a result to FILE, as lines of JSON; - is "
        "standard output",
    },
    "--explain": {
        "action": "store_true",
        "help": "say after the report what its numbers mean",
    },
    "--last": {
        "action": "store_true",
        "help": "take the last match that was played without --out, instead of DIR",
    },
}
"""Options that several commands take, with the arguments of ``add_argument``."""


def add_options(parser: argparse._ActionsContainer, *names: str) -> None:
    """Add some of ``OPTIONS`` to a parser or to a group of it."""
    for name in names:
        parser.add_argument(name, **OPTIONS[name])


def add_sandbox(parser: argparse.ArgumentParser) -> None:
    """Add ``--sandbox`` and ``--no-sandbox``."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--sandbox",
        choices=("auto", "require"),
        help="auto (default): run other people's bots, which are all except our own commands, in a "
        "sandbox where bubblewrap works (Linux): they have no network, and see and write only "
        "their own files. require: run all bots in it, and fail where it does not work",
    )
    group.add_argument(
        "--no-sandbox",
        dest="sandbox",
        action="store_const",
        const="no",
        help="run bots without a sandbox, except those whose tables demand one; they can do "
        "everything that you can do",
    )


def demanded(options: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of ``find_bots`` for the options of ``add_sandbox`` and ``--freeze``."""
    from c4_referee.bots.spec import SANDBOX_VARIABLE

    freeze = getattr(options, "freeze", None)
    settings: dict[str, Any] = {} if freeze is None else {"freeze": freeze}
    if options.sandbox == "auto":
        os.environ.pop(SANDBOX_VARIABLE, None)
    elif options.sandbox is not None:
        settings["sandbox"] = options.sandbox == "require"
    return settings


def known_bots(options: argparse.Namespace) -> "dict[str, BotSpec]":
    """Return the bots of the file ``--bots``, by name."""
    from c4_referee.bots.find import read_bots

    return read_bots(options.bots) if options.bots else {}


def chosen_bots(
    texts: "Sequence[str]",
    known: "dict[str, BotSpec]",
    options: argparse.Namespace,
    *,
    here: bool = True,
) -> "list[BotSpec]":
    """Return the bots that are names in ``known`` or command lines, with the options for bots."""
    from c4_referee.bots.find import find_bots

    stored: set[str] = set()
    if out := getattr(options, "out", None):
        from c4_referee.contest.earlier import stored_names

        stored = stored_names(out)
    return find_bots(
        texts,
        known,
        here=here,
        arguments=options.arguments,
        dialect=options.dialect,
        stored=stored,
        **demanded(options),
    )


def named_bot(text: str, names: "Sequence[str]", argument: str = "--bot") -> str:
    """Return the name that is the text, or the only one that contains it."""
    if text in names:
        return text
    found = [name for name in names if text.casefold() in name.casefold()]
    if len(found) != 1:
        how_many = "several bots are" if found else "no bot is"
        raise UsageError(f"{argument} {text}: {how_many} named so: say {', '.join(found or names)}")
    return found[0]


def check_command(bot: str, options: argparse.Namespace) -> str:
    """Return the command that checks a bot as it played, to paste into a shell.

    ``bot`` is what the user has written, and ``options`` are those of the command that has played.
    """
    return f"c4-referee check {in_shell(bot)}{same_options(options)}"


def in_shell(bot: str) -> str:
    """Return a command line of a bot as one word of a shell."""
    return shlex.quote(bot) if {*bot} & {*'"$`\\!'} else f'"{bot}"'


def same_options(options: argparse.Namespace) -> str:
    """Return the options that say how bots play, as they were given, with a space before each."""
    text = ""
    for name in ("--time-ms", "--tc", "--variant", "--arguments", "--dialect", "--bots"):
        value = getattr(options, name[2:].replace("-", "_"), None)
        if value not in {None, OPTIONS[name].get("default")}:
            shown = f"{value:g}" if isinstance(value, float) else shlex.quote(value)
            text += f" {name} {shown}"
    return text + (" --no-sandbox" if options.sandbox == "no" else "")


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add ``--events``, ``--json`` and ``--explain``: what a contest writes."""
    add_options(parser, "--events")
    add_json(parser)
    add_options(parser, "--explain")


def logs(
    events: str | None, out: Path | None, stack: ExitStack, bots: "Sequence[BotSpec]" = ()
) -> "list[EventHandler]":
    """Return the handlers that write events to a file or a pipe, or to standard output for ``-``.

    Raises ``UsageError`` if the file cannot be written, if it holds the games of ``out``, or if one
    of the ``bots`` may write to its folder.
    """
    if not events:
        return []
    from c4_referee.contest.live.file import LIVE_FILE
    from c4_referee.records.storage.database import DATABASE_FILE, database_files
    from c4_referee.records.storage.eventlog import CommittedGames, EventsFile, LineLog
    from c4_referee.records.storage.folder_archive import GAMES_FILE, check_out_of_reach
    from c4_referee.system.safe_files import is_stream, open_stream

    if events == "-":
        return [CommittedGames(LineLog(sys.stdout.buffer))]
    path = Path(events)
    if out is not None:
        kept = [out / GAMES_FILE, out / LIVE_FILE, *database_files(out / DATABASE_FILE)]
        if realpath(path) in map(realpath, kept):
            raise UsageError(
                f"--events {path}: --out stores the games in this file: name another one"
            )
    check_out_of_reach(path, bots)
    if is_stream(path):
        return [CommittedGames(LineLog(stack.enter_context(open_stream(path))))]
    return [CommittedGames(stack.enter_context(EventsFile(path)))]
