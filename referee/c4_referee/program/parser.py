"""The parser of a program with commands, and its completion scripts."""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NoReturn

from c4_protocol.text import visible

WIDTH_OF_CHECKS = 80
"""Columns of the formatter with which argparse checks new arguments. Nothing is printed with it."""
SHELLS = ("bash", "zsh", "tcsh")
"""Shells for which completion scripts can be printed."""


class CommandParser(argparse.ArgumentParser):
    """Parser of a program or of one of its commands, with errors of one line.

    The line breaks of ``epilog``, which shows examples and exit codes at the end of the help, are
    preserved.
    """

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - those of argparse
        super().__init__(**settings, formatter_class=_formatter_of_checks, allow_abbrev=False)

    def format_help(self) -> str:
        """Return the help, as wide as the terminal."""
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Print the error and end the program with exit code 2."""
        line = " ".join(message.split()).replace("invalid _", "invalid ")  # private names of types
        self.exit(2, f"{self.prog}: {visible(line)} (see {self.prog} --help)\n")

    def command_names(self) -> list[str]:
        """Return the names of the program's commands."""
        named = (
            action.choices or () for action in self._actions if action.nargs == argparse.PARSER
        )
        return [name for names in named for name in names]


def _formatter_of_checks(prog: str) -> argparse.HelpFormatter:
    """Return a formatter with which argparse checks each new argument.

    Its width is given, because asking for that of the terminal imports modules that only help
    needs.
    """
    return argparse.RawDescriptionHelpFormatter(prog, width=WIDTH_OF_CHECKS)


def add_commands(parser: CommandParser, package: ModuleType, argv: Sequence[str]) -> None:
    """Add the commands of a program: the modules of ``package``.

    If ``argv`` begins with the name of a command, only this command is imported. Therefore
    additional commands do not make the start slower.
    """
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    parser.add_argument(
        "--print-completion",
        choices=SHELLS,
        metavar="SHELL",
        help="print a completion script for bash, zsh or tcsh and stop",
    )
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="COMMAND")
    names = sorted(module.name for module in iter_modules(package.__path__))
    for name in [name for name in names if name in argv[:1]] or names:
        import_module(f"{package.__name__}.{name}").add(commands)


def write_completion_script(
    parser: CommandParser, shell: str, completions: Mapping[str, Iterable[str]]
) -> None:
    """Write a completion script. ``completions`` are explained at ``program.run.run``."""
    import shtab

    _add_completions(parser, completions)
    sys.stdout.write(shtab.complete(parser, shell))


def _add_completions(parser: argparse.ArgumentParser, known: Mapping[str, Iterable[str]]) -> None:
    """Let a shell offer ``known`` values, files for FILE and DIR|FILE, and folders for DIR.

    The same is done for the options of the parser's commands.
    """
    import shtab

    offered = {"FILE": shtab.FILE, "DIR": shtab.DIRECTORY, "DIR|FILE": shtab.FILE}
    for action in parser._actions:  # noqa: SLF001 - argparse has no public list of them
        if action.metavar in offered:
            action.complete = offered[str(action.metavar)]  # type: ignore[attr-defined]
        elif action.dest in known:
            action.choices = list(known[action.dest])
        elif isinstance(action.choices, Mapping):
            for command in action.choices.values():
                _add_completions(command, known)
