"""Parsers of the command lines of all programs: options that all of them have, and numbers."""

import argparse
import re
import sys
from argparse import SUPPRESS
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from c4_protocol.program.text import visible

MAX_NUMBER = 10**9
"""Maximum of a number on a command line, for options without a maximum of their own."""
LEAST_WIDTH = 40
"""Minimum width of a line in a help, in characters, also in a narrower terminal."""
CHECK_WIDTH = 80
"""Columns of the formatter with which argparse checks new arguments. Nothing is printed with it."""
FIRST_CLAUSE = re.compile(r"(?:\([^)]*\)|(?!; |\. ).)*", re.DOTALL)
"""Pattern for the part of an option's text that the short help shows."""
NEGATIVE_NUMBERS = re.compile(r"-\.?\d[\d.,-]*")
"""Pattern for the beginning of an argument that is a value and no option, such as -5,0."""
UNKNOWN_OPTION = re.compile(r"unrecognized arguments: (?:.*? )?(-[^\s=]+)")
WRONG_CHOICE = re.compile(r"invalid choice: '(.*?)' \(choose from (.*)\)$")
"""Patterns for errors of argparse: the first unknown option, and a wrong value of a list."""
COMPLETION_SHELLS = ("bash", "zsh", "tcsh")
"""Shells for which completion scripts can be printed."""

Value = TypeVar("Value")
Completions = Callable[[], Mapping[str, Iterable[str]]]
"""Function that returns the values that a shell offers, by the attribute that an option sets."""


class Parser(argparse.ArgumentParser):
    """Parser of a program or of one of its commands, with errors of one line.

    ``--help`` shows the options in ``usual``, which names them with blanks between them, or all
    options if it is empty. ``--help-all`` shows all options, and ``details`` at the end; the help
    names it only if one of the two is given. The line breaks of the description, of ``epilog`` and
    of ``details`` are preserved. A function that returns the details is called only for this help.
    """

    def __init__(
        self,
        *,
        usual: str = "",
        details: str | Callable[[], str] = "",
        **settings: Any,  # noqa: ANN401 - those of argparse
    ) -> None:
        super().__init__(**settings, formatter_class=_formatter_for_checks, allow_abbrev=False)
        self._negative_number_matcher = NEGATIVE_NUMBERS
        self._details = details
        self._usual = [*usual.split(), "--help", "--help-all"] if usual else []
        shown = "show all options and details, and stop" if usual or details else SUPPRESS
        self.add_argument("--help-all", action=_PrintFullHelp, nargs=0, help=shown)

    def format_help(self) -> str:
        """Return the help with the usual options, as wide as the terminal.

        If there are others, the text of each option ends at its first semicolon or full stop.
        """
        if not self._usual:
            return self._format_help()
        texts = [(action, action.help) for action in self._actions]
        self.usage = self._short_usage()
        for action, text in texts:
            action.help = _first_clause(text or "") if self._is_usual(action) else SUPPRESS
        try:
            return self._format_help()
        finally:
            self.usage = None
            for action, text in texts:
                action.help = text

    @property
    def details(self) -> str:
        """Text at the end of the help with all options."""
        return self._details if isinstance(self._details, str) else self._details()

    def format_full_help(self) -> str:
        """Return the help with all options and the details, as wide as the terminal."""
        return "\n".join(filter(None, (self._format_help(), _broken(self.details))))

    def _format_help(self) -> str:
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return _broken(super().format_help())

    def _short_usage(self) -> str:
        """Return the usage with ``[OPTIONS]`` in place of all options."""
        formatter = _formatter_for_checks(self.prog)
        arguments = [action for action in self._actions if not action.option_strings]
        formatter.add_usage(None, arguments, [], prefix="")
        words = formatter.format_help().strip().removeprefix(self.prog)
        return f"%(prog)s [OPTIONS]{words.replace('%', '%%')}"

    def _is_usual(self, action: argparse.Action) -> bool:
        return not action.option_strings or any(
            name in self._usual for name in action.option_strings
        )

    def error(self, message: str) -> NoReturn:
        """Print the error, with what was probably meant, and end the program with exit code 2.

        Arguments that nobody knows are those of the command, if argparse has parsed one.
        """
        from difflib import get_close_matches

        line = " ".join(message.split()).replace("invalid _", "invalid ")  # private names of types
        commands, near = self.commands, list[str]()
        if line.startswith("unrecognized arguments") and len(commands) == 1:
            next(iter(commands.values())).error(message)
        if unknown := UNKNOWN_OPTION.match(line):
            options = [name for action in self._actions for name in action.option_strings]
            near = get_close_matches(unknown[1], options, 1)
        elif choice := WRONG_CHOICE.search(line):
            near = get_close_matches(choice[1], re.findall(r"[\w-]+", choice[2]), 1)
            line = line[: choice.end(1) + 1] if near else line
        hint = f": did you mean {near[0]}?" if near else ""
        program = commands.get(near[0], self).prog if near else self.prog
        self.exit(2, f"{self.prog}: {visible(line)}{hint} (see {program} --help)\n")

    @property
    def commands(self) -> "Mapping[str, Parser]":
        """Parsers of the program's commands by name."""
        parsers: Iterator[Any] = (
            each.choices for each in self._actions if each.nargs == argparse.PARSER
        )
        return next(parsers, {})


def _broken(text: str) -> str:
    """Break lines that are wider than the terminal between words, and keep their indentation."""
    from shutil import get_terminal_size
    from textwrap import fill

    width, lines = max(get_terminal_size().columns, LEAST_WIDTH), text.split("\n")
    for number, line in enumerate(lines):
        if len(line) > width:
            indent = line[: len(line) - len(line.lstrip())]
            lines[number] = fill(
                line,
                width,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
    return "\n".join(lines)


def _first_clause(text: str) -> str:
    match = FIRST_CLAUSE.match(text)
    return match[0] if match else text


class _PrintFullHelp(argparse.Action):
    """Action of ``--help-all``: prints the help with all options, and ends the program."""

    def __call__(self, parser: "Parser", *_: object) -> None:  # type: ignore[override]
        sys.stdout.write(parser.format_full_help())
        parser.exit()


def _formatter_for_checks(prog: str) -> argparse.HelpFormatter:
    """Return a formatter with which argparse checks each new argument.

    Its width is given, because asking for that of the terminal imports modules that only help
    needs.
    """
    return argparse.RawDescriptionHelpFormatter(prog, width=CHECK_WIDTH)


def add_general_options(parser: Parser, schemas: Sequence[str], described: str) -> None:
    """Add ``--schema``, ``--version`` and ``--print-completion``.

    ``schemas`` are the names of the schemas of what is ``described``. Without any, there is no
    ``--schema``.
    """
    parser.set_defaults(schema=None)
    if schemas:
        names = (" or " if len(schemas) < 3 else ", ").join(schemas)
        parser.add_argument(
            "--schema",
            choices=schemas,
            metavar="NAME",
            help=f"print the JSON Schema of {described} and stop; NAME is {names}",
        )
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    parser.add_argument(
        "--print-completion",
        choices=COMPLETION_SHELLS,
        metavar="SHELL",
        help="print a completion script for bash, zsh or tcsh and stop",
    )


def general_exit_code(
    parser: Parser, options: argparse.Namespace, completions: Completions
) -> int | None:
    """Carry out one of the general options, and return the exit code.

    Returns ``None`` if none of them is given.
    """
    if options.schema:
        sys.stdout.write(_schema_text(options.schema))
    elif options.version:
        from importlib.metadata import version

        sys.stdout.write(f"{parser.prog} {version('c4-arena')}\n")
    elif options.print_completion:
        import shtab

        _add_completions(parser, completions())
        sys.stdout.write(shtab.complete(parser, options.print_completion))
    else:
        return None
    return 0


def _schema_text(name: str) -> str:
    """Return a published schema. ``records/schema.py`` writes these files."""
    from pathlib import Path

    path = Path(__file__).parents[1] / "schemas" / f"{name}.schema.json"
    return path.read_text(encoding="utf-8")


def _add_completions(parser: argparse.ArgumentParser, values: Mapping[str, Iterable[str]]) -> None:
    """Let a shell offer values, files or folders for the options of a parser and its commands."""
    import shtab

    offered = {
        "DIR": shtab.DIRECTORY,
        **dict.fromkeys(("FILE", "EVALUATOR", "DIR|FILE"), shtab.FILE),
    }
    for action in parser._actions:  # noqa: SLF001 - argparse has no public list of them
        if action.metavar in offered:
            action.complete = offered[str(action.metavar)]  # type: ignore[attr-defined]
        elif action.dest in values:
            action.choices = list(values[action.dest])
        elif isinstance(action.choices, Mapping):
            for command in action.choices.values():
                _add_completions(command, values)


def add_json(parser: argparse._ActionsContainer) -> None:
    """Add ``--json``, for output that programs read."""
    parser.add_argument(
        "--json", action="store_true", help="print the result as JSON, and nothing else"
    )


def whole_number(minimum: int = 1, maximum: int = MAX_NUMBER) -> Callable[[str], int]:
    """Return an argparse type: it reads a whole number from ``minimum`` to ``maximum``."""

    def number(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = minimum - 1
        if not minimum <= value <= maximum:
            between = "or" if maximum == minimum + 1 else "to"
            raise error_for_value(text, f"say a whole number, {minimum} {between} {maximum}")
        return value

    return number


def count_up_to(maximum: int) -> Callable[[str], int]:
    """Return an argparse type: a function that reads a number from 1 to ``maximum``."""

    def count(text: str) -> int:
        value = int(text)
        if not 1 <= value <= maximum:
            raise argparse.ArgumentTypeError(f"at least 1, and {maximum} at most")
        return value

    return count


def error_for_value(text: str, wanted: str) -> argparse.ArgumentTypeError:
    """Return the error for a ``text`` on the command line in place of what is ``wanted``."""
    return argparse.ArgumentTypeError(f"{text[:40]!r} is not possible: {wanted}")


def value_parsed_by(parse: Callable[[str], Value], text: str) -> Value:
    """Return the value of a text. If ``parse`` raises ``ValueError``, argparse shows its reason."""
    try:
        return parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
