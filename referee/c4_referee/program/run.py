"""The start of a command that a user asks for, and its end with an exit code."""

import os
import signal
import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence

from c4_protocol.errors import ArenaError
from c4_protocol.text import visible

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
    ``interrupted``. ``completions`` has the values that a shell offers for an option, by the name
    of the attribute that the option sets.
    """
    options = parser.parse_args(argv)
    if not (options.version or options.print_completion or options.run):
        parser.error(f"no command: say {_joined_with_or(parser.command_names())}")
    try:
        if options.version:
            _print_version(parser.prog)
            return 0
        if options.print_completion:
            write_completion_script(parser, options.print_completion, completions or {})
            return 0
        return _run_command(options)
    except ArenaError as error:
        return _fail(parser.prog, str(error), 2)
    except OSError as error:
        return _fail(parser.prog, str(error), 1)
    except KeyboardInterrupt:
        return _fail(parser.prog, interrupted, 1) if interrupted else 1


def _run_command(options: Namespace) -> int:
    code = int(options.run(options))
    sys.stdout.flush()  # raises an error now, not at the end of the process
    return code


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


def _fail(program: str, reason: str, code: int) -> int:
    """Print why the program failed, and return its exit code.

    Buffered output that could not be written is discarded, so that Python does not try again.
    """
    sys.stderr.write(f"{program}: {visible(reason)}\n")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code


def _print_version(program: str) -> None:
    from importlib.metadata import version

    sys.stdout.write(f"{program} {version('c4-arena')}\n")
