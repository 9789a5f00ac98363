"""The start of a command that a user asks for, and its end with an exit code."""

import signal
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence

from c4_protocol.program import check_current_folder, exit_code
from c4_protocol.published import schema_text

from c4_referee.program.parser import CommandParser, write_completion_script


def run(
    parser: CommandParser,
    argv: Sequence[str],
    interrupted: str = "",
    completions: Mapping[str, Iterable[str]] | None = None,
) -> int:
    """Run the command that ``argv`` names, and return the program's exit code.

    The parser of a command sets ``run``, a function that receives the options. After this function
    has called ``raise_on_signals``, Ctrl-C ends it with exit code 1 and the message
    ``interrupted``. Its option ``argv`` holds ``argv``. ``completions`` has the values that a shell
    offers for an option, by the name of the attribute that the option sets.
    """
    return exit_code(
        parser.prog, lambda: _run(parser, argv, completions or {}), interrupted=interrupted
    )


def _run(
    parser: CommandParser, argv: Sequence[str], completions: Mapping[str, Iterable[str]]
) -> int:
    options = parser.parse_args(argv, Namespace(argv=argv))
    if getattr(options, "schema", None):  # only some programs have the option
        sys.stdout.write(schema_text(options.schema))
        return 0
    if options.version:
        _print_version(parser.prog)
        return 0
    if options.print_completion:
        write_completion_script(parser, options.print_completion, completions)
        return 0
    if options.run is None:
        parser.error(f"no command: say {_joined_with_or(parser.command_names())}")
    check_current_folder()
    return int(options.run(options))


def _joined_with_or(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def raise_on_signals() -> None:
    """Make all signals that end a program in a terminal raise ``KeyboardInterrupt``.

    A command calls this before it starts something that it must clean up, and after it has imported
    its modules, because libraries do not expect an exception while they are imported.
    """
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell may have made us ignore them
        signal.signal(number, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup makes us ignore it
        signal.signal(signal.SIGHUP, signal.default_int_handler)


def _print_version(program: str) -> None:
    from importlib.metadata import version

    sys.stdout.write(f"{program} {version('c4-arena')}\n")
