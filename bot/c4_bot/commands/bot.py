"""``c4-bot``: reads the command line and starts a session, or a game with a person.

Drivers (the programs that run bots) append their own arguments: ``--player 1 --width 7 --height 6``
in any order, or values without flags. Some drivers pass all arguments of a bot as a single argument
with blanks in it. Modules that are not needed to read the command line are imported later, because
the time to start is part of every game.
"""

import argparse
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from c4_protocol import dialects
from c4_protocol.program.errors import UsageError
from c4_protocol.program.exit_codes import exit_code
from c4_protocol.program.parser import (
    Parser,
    add_general_options,
    error_for_value,
    general_exit_code,
    whole_number,
)
from c4_protocol.program.processors import usable_processors
from c4_protocol.program.streams import END_KEY, check_input_is_open
from c4_protocol.program.trusted_options import check_decided

from c4_bot.commands._arguments import add_options, board

if TYPE_CHECKING:
    from c4_protocol.dialects import BotEnd
    from c4_protocol.rules.variant import Variant

    from c4_bot.contract import Evaluator
    from c4_bot.play.session import Session

EPILOG = """\
examples:
  echo '{"grid":[[0,0,0,0],[0,0,2,1],[0,0,0,1],[0,0,0,2],[0,0,0,0]]}' | c4-bot
  c4-bot --play                        play against c4-bot in the terminal
  c4-bot --time-ms 50 --info           50 ms per move; answers have scores

Columns count from 0 in precepts and answers. They count from 1 in what people
read and type. Without gravity, a stone may be put on any free cell.
Exit code: 0 if every line was answered, 1 if a line was not answered, 2 for a
mistake on the command line.
"""
DETAILS = """\
more examples:
  c4-bot --play --level 1 --player 2   an easy opponent that moves first
  c4-bot --web --level 5               a stronger opponent, in the browser
  c4-bot --web --out board             copy the board into a folder
  c4-bot --list                        list the players
  c4-bot --plays needed --depth 4      the player 'needed' searches 4 plies
  c4-bot --dialect console             play 4-in-a-Line on 8x8, without gravity
  c4-bot --connect 5                   for a driver whose games need 5 in a row
  c4-bot --play --width 9 --height 7 --connect 5

The line "perft N" (in the dialect c4engine) asks for the number of positions
after up to N moves. It is refused if there may be more than 3 billion (without
the native core: a million). For the empty board, N is at most 11 (or 7).
"""
WAITING = f"""\
c4-bot: waiting for precepts: it reads a game's state as a line of JSON, and
answers with a line that has a move. Programs use it in this way.
  to play against it yourself: c4-bot --play
  to see an example:           c4-bot --help
  to stop:                     {END_KEY}"""
"""Text for a person who starts c4-bot in a terminal."""
PLAYER_OPTIONS = {
    "--plays NAME": "the player to use (default: perfect, the strongest; if --evaluator is given: "
    "sequences); --list shows all players",
    "--level N": "the strength, from 1 (easiest) to 10, about 100 Elo apart; use this or --plays",
    "--depth N": "search N plies; a ply is one move of one player (default: the player's own "
    "depth)",
    "--time-ms N": "think at most N milliseconds per move (default: the player's own limit; 1000 "
    "for perfect)",
    "--nodes N": "visit at most N positions per move (default: no limit)",
    "--threads N": "number of threads of one search (default and maximum: one per processor)",
    "--seed N": "seed for players that choose moves at random (default: a new seed each time)",
    "--weights 1,3,6": "weights of the player's evaluation (default: the player's own weights)",
    "--set NAME=VALUE": "set any other parameter of the player; can be given several times",
    "--evaluator EVALUATOR": "use your own evaluation, a class in Python: FILE.py:CLASS or "
    "MODULE:CLASS",
}
INPUT_AND_OUTPUT_OPTIONS = {
    "--dialect NAME": "the dialect of the lines (default: auto, by the first line); the dialects "
    f"are {', '.join(dialects.names())}",
    "--info": "add score, depth, expected moves and a reason to each answer",
    "--verbose": "write score, depth, expected moves and a reason for each move to standard "
    "error, as text for people",
    "--serve": "answer every line, also a bad one, with one line; if it cannot be answered, as in "
    'a game that is over, its answer is {"error": REASON}',
    "--play": "play against a person in the terminal",
    "--web": "play and analyse in the browser; prints the address of the board, which --level, "
    "--player, --width, --height and --connect change",
    "--no-open": "with --web: only print the address of the board",
    "--out DIR": "with --web: copy the board into the folder DIR, and print the address of the "
    "copy; only an earlier copy can be replaced",
    "--puzzle N": "solve puzzle N, or a random one, in the terminal; puzzles 1 to 100 are easy, "
    "101 to 200 medium, and 201 to 300 hard; --seed repeats the random choice",
}
ABOUT_GAME = "Drivers (programs that run bots) may append --player, --width and --height."
SIZE = (
    "with --play, --web and --dialect moves: number of {}; otherwise the size of the board comes "
    "from the input or the dialect"
)
GAME_OPTIONS = {
    "--connect N": "number of stones in a row needed to win, if a precept does not give it "
    "(default: 4)",
    "--player 1|2": "with --play or --web: 1 if you move first (default), 2 if the bot moves "
    "first; otherwise the player to move, if neither a precept nor the numbers of stones show it "
    "(default: 1)",
    "--width N": SIZE.format("columns (default: 7)"),
    "--height N": SIZE.format("rows (default: 6)"),
    "--one-variant": "end with exit code 2 at a line whose variant the player does not play, "
    "instead of waiting for the next line; c4-referee starts c4-bot in this way",
    "ignored ANYTHING": "other words from a driver; they are ignored",
}
OTHER_OPTIONS = {
    "--list": "list the players and stop",
    "--json": "with --list: print a JSON array",
}
FLAG = re.compile(r"\s*--?[a-z]", re.IGNORECASE)
SEVERAL = re.compile(r"\s*--?[a-z-]+\s", re.IGNORECASE)
"""Starts of an argument that is a flag, and of one that holds a flag and other words."""


def run(argv: Sequence[str]) -> int:
    """Run ``c4-bot`` with these arguments; return its exit code."""
    out_of_memory = ("there is not enough memory to play", 1)
    return exit_code("c4-bot", lambda: _run(argv), out_of_memory=out_of_memory)


def _run(argv: Sequence[str]) -> int:
    own = parser()
    options = own.parse_intermixed_args([*_words(argv)])
    flags = [word for word in options.ignored if FLAG.match(word)]
    if flags:  # argparse treats an unknown flag that contains a blank as a positional argument
        own.error(f"unrecognized arguments: {' '.join(flags)}")
    if (code := general_exit_code(own, options, _choices)) is not None:
        return code
    if options.puzzle is not None:
        _refuse_others(options, "puzzle", {"seed"}, "say --puzzle N")
        from c4_bot.puzzles.puzzle_game import solve_puzzles

        return solve_puzzles(options.puzzle or None, options.seed)
    if options.web or options.no_open or options.out is not None:
        return _show_web(options)
    if options.list:
        from c4_bot.player import registry

        sys.stdout.write(
            registry.list_of_players_json() if options.json else registry.list_of_players()
        )
        return 0
    if options.serve and (options.play or options.dialect not in {"auto", "jsonl"}):
        raise UsageError("--serve is for lines of JSON: use it without --play and --dialect")
    return _play(options) if options.play else _serve(options)


def _words(argv: Sequence[str]) -> Iterator[str]:
    """Yield the words of the command line. Split arguments with several words, as a shell would.

    The course's 2016 driver passes all arguments of a bot as one argument. Other values that
    contain blanks, such as the name of a file, stay as they are. On Windows, a backslash is a part
    of a path. Raises ``UsageError`` for a quote that is not closed.
    """
    for argument in argv:
        if SEVERAL.match(argument) or (len(argv) == 1 and len(argument.split()) > 1):
            try:
                escaped = argument.replace("\\", "\\\\") if os.name == "nt" else argument
                yield from shlex.split(escaped)
            except ValueError as error:
                reason = str(error).lower()
                raise UsageError(f"cannot split the argument {argument!r}: {reason}") from None
        else:
            yield argument


def parser() -> Parser:
    """Return the parser of the command line."""
    made = Parser(
        prog="c4-bot",
        description="Plays Connect Four: against programs through standard input and output, or\n"
        "against a person in the terminal (--play) or browser (--web). By default, it\n"
        "reads one precept (a game's state as JSON) per line and writes a move for each.",
        epilog=EPILOG,
        details=DETAILS,
        usual="--play --web --puzzle --plays --level --time-ms --depth --info --serve --player "
        "--list --dialect --version",
    )
    check_decided((*PLAYER_OPTIONS, *INPUT_AND_OUTPUT_OPTIONS, *GAME_OPTIONS, *OTHER_OPTIONS))
    number = {"type": whole_number()}
    add_options(
        made.add_argument_group("the player"),
        PLAYER_OPTIONS,
        level={"type": whole_number(1, 10)},
        depth=number,
        time_ms={"type": _milliseconds},
        nodes=number,
        threads=number,
        seed={"type": int},
        weights={"type": _integers},
        set={"action": "append", "default": [], "type": _setting},
    )
    add_options(
        made.add_argument_group("input and output"),
        INPUT_AND_OUTPUT_OPTIONS,
        dialect={"default": "auto"},
        puzzle={"nargs": "?", "const": 0, **number},
    )
    add_options(
        made.add_argument_group("the game", ABOUT_GAME),
        GAME_OPTIONS,
        connect={"type": _line_length},
        player={"type": whole_number(1, 2)},
        ignored={"nargs": "*"},
    )
    add_options(made, OTHER_OPTIONS)
    add_general_options(made, ("precept", "move"), "the lines")
    return made


def _serve(options: argparse.Namespace) -> int:
    if options.evaluator:
        sys.stdout = sys.stderr  # the user's code may print, but this is no answer
    if options.serve:
        options.dialect = "jsonl"
    if options.dialect == "auto" and os.isatty(0):
        print(WAITING, file=sys.stderr)
    session = _session(options)
    if session.dialect and session.dialect.variant:
        _check_board(options, session.dialect.variant)
    check_input_is_open()
    return session.run()


def _check_board(options: argparse.Namespace, variant: "Variant") -> None:
    """Raise ``UsageError`` if a flag differs from the only board that the dialect can describe."""
    for name in ("width", "height", "connect"):
        given, only = getattr(options, name), getattr(variant, name)
        if given is not None and str(given) != str(only):
            raise UsageError(
                f"--{name} {given}: with --dialect {options.dialect} it is always {only}; "
                "c4-bot --play plays on other boards"
            )


def _session(options: argparse.Namespace) -> "Session":
    from c4_bot.contract import Limits
    from c4_bot.play.session import Session
    from c4_bot.player import registry

    if options.level and options.plays:
        raise UsageError("--level and --plays both choose the player: use one of them")
    name = f"level-{options.level}" if options.level else options.plays
    weights = {} if options.weights is None else {"weights": options.weights}
    available = len(usable_processors())  # more threads would make answers late
    threads = min(options.threads or available, available)
    dialect = None if options.dialect == "auto" else dialects.bot_end(options.dialect)
    return Session(
        player=registry.build_player(
            name, dict(options.set) | weights, _evaluator(options), options.seed
        ),
        dialect=dialect,
        limits=Limits(options.depth, options.nodes, threads=threads),
        time_ms=options.time_ms,
        default_player=options.player,
        connect=options.connect,
        game=_game(options, dialect),
        one_variant=options.one_variant,
        answers_all=options.serve,
        show_info=options.info,
        verbose=options.verbose,
    )


def _game(options: argparse.Namespace, dialect: "BotEnd | None") -> "Variant | None":
    """Return the game that the flags describe, or ``None`` if the dialect describes the game.

    If the dialect is not known yet, wrong values are ignored: drivers append flags of their own.
    """
    flags = options.width, options.height, options.connect
    if flags == (None, None, None) or (dialect and dialect.describes_game):
        return None
    try:
        return board(*flags)
    except UsageError:
        if dialect is None:
            return None
        raise


def _play(options: argparse.Namespace) -> int:
    """Let a person play against the bot, in a game with gravity."""
    if options.dialect != "auto" or "line8" in options.ignored:
        raise UsageError(
            "--play is for games with gravity, and speaks no dialect: play line8 with "
            "c4-bot --dialect console"
        )
    if options.ignored:
        raise UsageError(
            f"--play: unknown word {options.ignored[0]!r}: choose the player with --plays NAME, "
            "and the board with --width, --height and --connect"
        )
    variant = board(options.width, options.height, options.connect)
    session = _session(options)
    session.player.check_plays(variant)
    session.verbose |= options.info
    from c4_bot.play.person import play

    return play(session, variant, options.player or 1)


def _show_web(options: argparse.Namespace) -> int:
    """Open or copy the board in the browser; refuse options that do not apply to it."""
    if not options.web:
        raise UsageError("--no-open and --out say what happens to a page: use them with --web")
    known = {"no_open", "out", "level", "player", "width", "height", "connect"}
    _refuse_others(options, "web", known, "say --out DIR to name a folder")
    from c4_bot.commands import web

    return web.run(options)


def _refuse_others(options: argparse.Namespace, flag: str, known: set[str], advice: str) -> None:
    """Raise ``UsageError`` for a word, or for an option that does not apply to a flag."""
    if options.ignored:
        raise UsageError(f"--{flag}: unknown word {options.ignored[0]!r}: {advice}")
    unset = vars(parser().parse_args(()))
    for name, value in vars(options).items():
        if value != unset[name] and name not in known | {flag}:
            raise UsageError(f"--{flag}: use it without --{name.replace('_', '-')}")


def _evaluator(options: argparse.Namespace) -> "Evaluator | None":
    """Return the user's own evaluator; ``None`` if ``--evaluator`` is not given."""
    if not options.evaluator:
        return None
    if options.weights is not None:
        raise UsageError(
            "--weights does not apply to your own evaluator: use --weights or --evaluator"
        )
    from c4_bot.player.foreign import load_evaluator

    return load_evaluator(options.evaluator)


def _choices() -> dict[str, Iterable[str]]:
    """Return the values that a shell completes, by the name of the option."""
    from c4_bot.player import registry

    return {
        "plays": [*registry.player_specs()],
        "dialect": ["auto", *dialects.names()],
        "level": map(str, range(1, 11)),
        "player": ("1", "2"),
    }


def _milliseconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < float("inf"):
        raise error_for_value(text, "say a number of milliseconds, 0 or more")
    return value


def _integers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        wanted = "say whole numbers with commas between them, as in 1,3,6"
        raise error_for_value(text, wanted) from None


def _line_length(text: str) -> int:
    from c4_protocol.rules.variant import MAX_SIDE

    return whole_number(2, MAX_SIDE)(text)


def _setting(text: str) -> tuple[str, Any]:
    """Read ``NAME=VALUE``. The value is JSON, a list such as ``1,3,6``, or any other text."""
    import orjson

    name, sign, value = text.partition("=")
    if not sign:
        raise error_for_value(text, "say NAME=VALUE")
    for written in (value, f"[{value}]" if "," in value else value):
        with suppress(orjson.JSONDecodeError):
            return name, orjson.loads(written)
    return name, value
