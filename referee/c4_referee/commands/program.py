"""A program of several commands: how its command line is read, and how it ends."""

import argparse
import os
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from c4_protocol.errors import ArenaError

SHELLS = ("bash", "zsh", "tcsh")
"""Shells that completion scripts are written for."""


class Parser(argparse.ArgumentParser):
    """A parser of a program or of one of its commands, whose complaints are one line.

    Its help ends with ``epilog`` as it stands there, examples and exit codes.
    """

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - argparse's own
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**settings, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """End the program with exit code 2."""
        line = " ".join(message.split()).replace("invalid _", "invalid ")  # private names of types
        self.exit(2, f"{self.prog}: {line} (see {self.prog} --help)\n")


def add_commands(parser: Parser) -> Any:  # noqa: ANN401 - argparse has no public type for it
    """Where a program's commands are added."""
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    parser.add_argument(
        "--print-completion",
        choices=SHELLS,
        metavar="SHELL",
        help="print a completion script for bash, zsh or tcsh and stop",
    )
    parser.set_defaults(run=None)
    return parser.add_subparsers(metavar="COMMAND")


def run(
    parser: Parser,
    argv: Sequence[str] | None,
    interrupted: str = "",
    completions: Mapping[str, Iterable[str]] | None = None,
) -> int:
    """Run the command that is asked for; return the program's exit code.

    A command sets ``run``, a function of the options. Ctrl-C ends it with 1 and the words
    ``interrupted``. ``completions`` are values that a shell offers, by the name of the attribute
    that an option sets.
    """
    _take_signals()
    options = parser.parse_args(argv)
    if not (options.version or options.print_completion or options.run):
        parser.error(f"no command: say {_either(_commands(parser))}")
    try:
        if options.version:
            return _version(parser.prog)
        if options.print_completion:
            return _print_completion(parser, options.print_completion, completions or {})
        return int(options.run(options))
    except ArenaError as error:
        return _failed(parser.prog, str(error), 2)
    except OSError as error:
        return _failed(parser.prog, str(error), 1)
    except KeyboardInterrupt:
        return _failed(parser.prog, interrupted, 1) if interrupted else 1


def _commands(parser: Parser) -> list[str]:
    """Return the names of the program's commands."""
    actions = parser._actions  # noqa: SLF001 - argparse has no public list of them
    named = (action.choices or () for action in actions if action.nargs == argparse.PARSER)
    return [name for names in named for name in names]


def _either(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _take_signals() -> None:
    """Whatever ends a program in a terminal is Ctrl-C."""
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell may have had them ignored
        signal.signal(number, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup has it
        signal.signal(signal.SIGHUP, signal.default_int_handler)


def _failed(program: str, reason: str, code: int) -> int:
    """Says why there is no result; what could not be written before won't be tried again."""
    sys.stderr.write(f"{program}: {reason}\n")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code


def _version(program: str) -> int:
    from importlib.metadata import version

    sys.stdout.write(f"{program} {version('c4-arena')}\n")
    return 0


def _print_completion(parser: Parser, shell: str, completions: Mapping[str, Iterable[str]]) -> int:
    import shtab

    _add_completions(parser, completions)
    sys.stdout.write(shtab.complete(parser, shell))
    return 0


def _add_completions(parser: argparse.ArgumentParser, known: Mapping[str, Iterable[str]]) -> None:
    """Offer ``known`` values, files for FILE and folders for DIR, also in a program's commands."""
    import shtab

    places = {"FILE": shtab.FILE, "DIR": shtab.DIRECTORY}
    for action in parser._actions:  # noqa: SLF001 - argparse has no public list of them
        if action.metavar in places:
            action.complete = places[str(action.metavar)]  # type: ignore[attr-defined]
        elif action.dest in known:
            action.choices = list(known[action.dest])
        elif isinstance(action.choices, Mapping):
            for command in action.choices.values():
                _add_completions(command, known)
