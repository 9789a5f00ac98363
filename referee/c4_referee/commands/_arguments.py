"""Arguments that several commands take, with the types of their values."""

import argparse
import os
import sys
from contextlib import ExitStack
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


def add_bots(parser: argparse.ArgumentParser) -> None:
    """Add ``--bots``, the file in which bots are found by name."""
    parser.add_argument(
        "--bots",
        metavar="FILE",
        help="TOML file in which each table [bots.NAME] describes a bot; examples/class.toml "
        "explains the keys",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add ``--arguments``, which appends arguments to the bots' commands."""
    parser.add_argument(
        "--arguments",
        choices=("none", "course", "positional"),
        help="arguments to append to the command of a bot, if its table does not set them. course: "
        "--player P --width W --height H, as in the course CSCI 4202. positional: each value "
        "twice, P P W W H H. none: nothing. P is 1 if the bot moves first, otherwise 2.",
    )


def add_dialect(parser: argparse.ArgumentParser) -> None:
    """Add ``--dialect``, the dialect of bots that are command lines."""
    parser.add_argument(
        "--dialect",
        metavar="NAME",
        help="the dialect of a bot that is a command line, such as uci (default: jsonl); a bot of "
        "the --bots file has a dialect in its table; docs/dialects.md describes all dialects",
    )


def add_strict(parser: argparse.ArgumentParser) -> None:
    """Add ``--strict``. The value is ``None`` if it is not given, because a file may set it."""
    parser.add_argument(
        "--strict",
        action="store_true",
        default=None,
        help="bar a bot if it alone played in all games in which a worker process ended, hung or "
        "wrote a wrong record, after at least 3 such games against different bots (in a match, "
        "both bots are in all games, so no bot is barred)",
    )


def add_variant(parser: argparse.ArgumentParser) -> None:
    """Add ``--variant``, the board and rules of the game."""
    parser.add_argument(
        "--variant",
        default="standard",
        help="the game: standard (7x6, the default), WxH such as 8x7, or WxHxK for K in a row "
        "such as 9x7x5; also WxH+steal, codingame (9x7+steal), and line8 (8x8 without gravity: a "
        "stone may be put on any free cell)",
    )


def add_time(parser: argparse._ActionsContainer) -> None:
    """Add ``--time-ms``, the time for a move."""
    parser.add_argument(
        "--time-ms",
        type=duration,
        default=1000.0,
        metavar="N",
        help="milliseconds for each move (default: 1000)",
    )


def add_tc(parser: argparse._ActionsContainer) -> None:
    """Add ``--tc``, a clock for the game."""
    parser.add_argument(
        "--tc",
        metavar="MAIN+INC",
        help="a clock for each bot: MAIN seconds for the whole game, and INC seconds more after "
        "each move",
    )


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

    return find_bots(
        texts,
        known,
        here=here,
        arguments=options.arguments,
        dialect=options.dialect,
        **demanded(options),
    )


def add_executor(parser: argparse.ArgumentParser, default: str | None = "local") -> None:
    """Add ``--executor`` and ``--concurrency``: where games are played, and how many together."""
    parser.add_argument(
        "--executor",
        default=default,
        metavar="WHERE",
        help="where the games are played: local (default), or on a Dask cluster, dask://HOST:PORT "
        "or with TLS dask+tls://HOST:PORT; the events of a game on a cluster arrive only when the "
        "game has ended (see docs/cluster.md)",
    )
    parser.add_argument(
        "--concurrency",
        type=games_at_once,
        metavar="N",
        help="maximum number of games at the same time (default: one for each processor, or one "
        "for each thread of the cluster)",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add ``--events``, ``--json`` and ``--explain``: what a contest writes."""
    parser.add_argument(
        "--events",
        metavar="FILE",
        help="append the events of each game that has a result to FILE, as lines of JSON; - is "
        "standard output",
    )
    add_json(parser)
    parser.add_argument(
        "--explain", action="store_true", help="say after the report what its numbers mean"
    )


def logs(
    events: str | None, out: Path | None, stack: ExitStack, bots: "Sequence[BotSpec]" = ()
) -> "list[EventHandler]":
    """Return the handlers that write events to a file or a pipe, or to standard output for ``-``.

    Raises ``UsageError`` if the file cannot be written, if it holds the games of ``out``, or if one
    of the ``bots`` may write to its folder.
    """
    if not events:
        return []
    from c4_referee.records.storage.eventlog import CommittedGames, EventsFile, LineLog
    from c4_referee.records.storage.folder_archive import check_out_of_reach
    from c4_referee.system.safe_files import is_stream, open_stream

    if events == "-":
        return [CommittedGames(LineLog(sys.stdout.buffer))]
    path = Path(events)
    _check_apart(path, out)
    check_out_of_reach(path, bots)
    if is_stream(path):
        return [CommittedGames(LineLog(stack.enter_context(open_stream(path))))]
    return [CommittedGames(stack.enter_context(EventsFile(path)))]


def _check_apart(events: Path, out: Path | None) -> None:
    """Raise ``UsageError`` if events would be written to a file that holds the games of ``out``."""
    if out is None:
        return
    from c4_referee.contest.live.file import LIVE_FILE
    from c4_referee.records.storage.database import DATABASE_FILE, database_files
    from c4_referee.records.storage.folder_archive import GAMES_FILE

    kept = [out / GAMES_FILE, out / LIVE_FILE, *database_files(out / DATABASE_FILE)]
    if realpath(events) in map(realpath, kept):
        raise UsageError(
            f"--events {events}: --out stores the games in this file: name another one"
        )


count = count_up_to(MAX_ROUNDS_OR_PAIRS)


def games_at_once(text: str) -> int:
    """Return the number of simultaneous games in ``text``, which is at least 1."""
    value = count(text)
    if value > MAX_GAMES_AT_ONCE:
        raise argparse.ArgumentTypeError(f"at most {MAX_GAMES_AT_ONCE}")
    return value


def duration(text: str) -> float:
    """Return the time in ``text``, in milliseconds."""
    from c4_referee.bots.clock import MAX_TIME_MS

    return _positive(text, "milliseconds", MAX_TIME_MS)


def seconds(text: str) -> float:
    """Return the time in ``text``, in seconds."""
    from c4_referee.bots.clock import MAX_TIME_MS

    return _positive(text, "seconds", MAX_TIME_MS / 1000)


def _positive(text: str, unit: str, end: float) -> float:
    value = float(text)
    if not 0 < value < end:
        raise argparse.ArgumentTypeError(f"{unit}, more than 0 and less than {end:.0f}")
    return value


def sprt(text: str) -> "Sprt":
    """Return the sequential test that ``text`` describes."""
    from c4_referee.records.stats.sprt import Sprt

    return value_parsed_by(Sprt.parse, text)
