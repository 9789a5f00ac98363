"""Shared by ``c4-bot`` and ``c4-solve``: a parser, one-line errors, types of values, completion.

``referee/c4_referee/program/`` is the referee's counterpart.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

MOST = 10**9
"""Maximum of any number on a command line."""
SHELLS = ("bash", "zsh", "tcsh")
"""Shells that completion scripts are written for."""
FILES = frozenset({"FILE", "EVALUATOR"})
"""Metavars of values that are, or begin with, the name of a file."""


class Parser(argparse.ArgumentParser):
    """A parser that reports a mistake in one line and keeps the line breaks of its help."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - argparse's own
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**settings, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """End the program with exit code 2."""
        line = " ".join(message.split())
        self.exit(2, f"{self.prog}: {line} (see {self.prog} --help)\n")


def add_general_options(parser: Parser) -> None:
    """Add the options that are about the program itself."""
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    parser.add_argument(
        "--print-completion",
        choices=SHELLS,
        metavar="SHELL",
        help="print a completion script for bash, zsh or tcsh and stop",
    )


def failed(program: str, reason: object, code: int) -> int:
    """Say in one line why a program ends; return ``code``.

    Output that could not be written before is given up: trying again would print a traceback.
    """
    print(f"{program}: {reason}", file=sys.stderr)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code


def print_version(program: str) -> int:
    """Print the version of a program; return the exit code."""
    from importlib.metadata import version

    print(f"{program} {version('c4-arena')}")
    return 0


def print_completion(
    parser: Parser, shell: str, choices: Mapping[str, Iterable[str]] | None = None
) -> int:
    """Print the completion script of a parser for a shell; return the exit code.

    Values are completed from the parser's own choices, from ``choices`` (by the name of the
    attribute that an option sets), and with file names where the metavar is one of ``FILES``.
    """
    import shtab

    for action in parser._actions:  # noqa: SLF001 - argparse has no public list of them
        if action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif choices and action.dest in choices:
            action.choices = list(choices[action.dest])
    sys.stdout.write(shtab.complete(parser, shell))
    return 0


def whole_number(least: int = 1, most: int = MOST) -> Callable[[str], int]:
    """Return a type of arguments: whole numbers from ``least`` to ``most``."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            between = "or" if most == least + 1 else "to"
            wanted = f"say a whole number, {least} {between} {most}"
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not possible: {wanted}")
        return value

    return number


def milliseconds(text: str) -> float:
    """Read a number of milliseconds, at least 0."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(
            f"{text[:40]!r} is not possible: say a number of milliseconds, 0 or more"
        )
    return value


def integers(text: str) -> tuple[int, ...]:
    """Read whole numbers with commas between them."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        wanted = "say whole numbers with commas between them, as in 1,3,6"
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not possible: {wanted}") from None
