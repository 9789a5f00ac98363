"""Code that ``c4-bot`` and ``c4-solve`` share: parser, types, completion.

The same code for the referee's commands is in ``referee/c4_referee/program/``. The code that all
commands share is in ``c4_protocol.program``.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from c4_protocol.text import visible

MOST = 10**9
"""Maximum of a number on a command line, for options without a maximum of their own."""
MAX_THREADS = 1 << 10
"""Maximum number of threads of a search. Starting this many takes some hundredths of a second."""
WIDTH_OF_CHECKS = 80
"""Columns of the formatter with which argparse checks new arguments. Nothing is printed with it."""
SHELLS = ("bash", "zsh", "tcsh")
"""Shells that completion scripts are written for."""
FILES = frozenset({"FILE", "EVALUATOR"})
"""Metavars of options whose value begins with the name of a file."""


class Parser(argparse.ArgumentParser):
    """A parser that reports a mistake in one line and preserves the line breaks of its help."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - argparse's own
        super().__init__(**settings, formatter_class=_formatter_of_checks, allow_abbrev=False)

    def format_help(self) -> str:
        """Return the help, as wide as the terminal."""
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Print the mistake in one line, and end the program with exit code 2."""
        line = " ".join(message.split())
        self.exit(2, f"{self.prog}: {visible(line)} (see {self.prog} --help)\n")


def _formatter_of_checks(prog: str) -> argparse.HelpFormatter:
    """Return a formatter with which argparse checks each new argument.

    Its width is given, because asking for that of the terminal imports modules that only help
    needs.
    """
    return argparse.RawDescriptionHelpFormatter(prog, width=WIDTH_OF_CHECKS)


def add_general_options(parser: Parser, schemas: Sequence[str]) -> None:
    """Add ``--schema``, ``--version`` and ``--print-completion``.

    ``schemas`` are the names of the schemas of the lines that the program reads and writes.
    """
    parser.add_argument(
        "--schema",
        choices=schemas,
        metavar="NAME",
        help=f"print the JSON Schema of the lines and stop; NAME is {' or '.join(schemas)}",
    )
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    parser.add_argument(
        "--print-completion",
        choices=SHELLS,
        metavar="SHELL",
        help="print a completion script for bash, zsh or tcsh and stop",
    )


def general_exit_code(
    program: str,
    options: argparse.Namespace,
    parser: Callable[[], Parser],
    choices: Callable[[], Mapping[str, Iterable[str]]],
) -> int | None:
    """Carry out one of the general options, and return the exit code.

    Returns ``None`` if none of them is given. ``choices`` returns the values to complete, by the
    name of the attribute that an option sets.
    """
    if options.schema:
        return _print_schema(options.schema)
    if options.version:
        return _print_version(program)
    if options.print_completion:
        return _print_completion(parser(), options.print_completion, choices())
    return None


def _print_schema(name: str) -> int:
    from c4_protocol.published import schema_text

    sys.stdout.write(schema_text(name))
    return 0


def _print_version(program: str) -> int:
    from importlib.metadata import version

    print(f"{program} {version('c4-arena')}")
    return 0


def _print_completion(parser: Parser, shell: str, choices: Mapping[str, Iterable[str]]) -> int:
    """Print the completion script of a parser for a shell; return the exit code.

    The values of an option are completed from the parser's own choices, from ``choices`` (by the
    name of the attribute that the option sets), or with file names if the metavar is in ``FILES``.
    """
    import shtab

    for action in parser._actions:  # noqa: SLF001 - argparse has no public list of them
        if action.metavar in FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.dest in choices:
            action.choices = list(choices[action.dest])
    sys.stdout.write(shtab.complete(parser, shell))
    return 0


def whole_number(least: int = 1, most: int = MOST) -> Callable[[str], int]:
    """Return an argparse type: a function that reads a whole number from ``least`` to ``most``."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            between = "or" if most == least + 1 else "to"
            raise _impossible(text, f"say a whole number, {least} {between} {most}")
        return value

    return number


def milliseconds(text: str) -> float:
    """Read a number of milliseconds, at least 0."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < float("inf"):
        raise _impossible(text, "say a number of milliseconds, 0 or more")
    return value


def integers(text: str) -> tuple[int, ...]:
    """Read whole numbers that are separated by commas."""
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        wanted = "say whole numbers with commas between them, as in 1,3,6"
        raise _impossible(text, wanted) from None


def line_length(text: str) -> int:
    """Read the number of stones that make a line."""
    from c4_protocol.variant import MAX_SIDE

    return whole_number(2, MAX_SIDE)(text)


def setting(text: str) -> tuple[str, Any]:
    """Read ``NAME=VALUE``. The value is JSON, a list such as ``1,3,6``, or any other text."""
    import orjson

    name, sign, value = text.partition("=")
    if not sign:
        raise _impossible(text, "say NAME=VALUE")
    for written in (value, f"[{value}]" if "," in value else value):
        with suppress(orjson.JSONDecodeError):
            return name, orjson.loads(written)
    return name, value


def _impossible(text: str, wanted: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(f"{text[:40]!r} is not possible: {wanted}")
