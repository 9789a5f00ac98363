"""A program with commands: their parsers, their start and their end with an exit code."""

import signal
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from c4_protocol.program.exit_codes import exit_code
from c4_protocol.program.parser import Completions, Parser, general_exit_code
from c4_protocol.program.streams import check_current_folder_exists

REPEAT_SECONDS = 0.01
"""Seconds until a ``KeyboardInterrupt`` that Python has ignored is raised again."""


def add_commands(parser: Parser, package: ModuleType, argv: Sequence[str]) -> None:
    """Add the commands of a program: the public modules of ``package``.

    The function ``add`` of a module adds its parser, and its function ``run`` runs the command.
    If ``argv`` begins with the name of a command, only this command is imported. Therefore
    additional commands do not make the start slower. A module whose name would be a keyword of
    Python ends in an underscore.
    """
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="COMMAND")
    modules = (module.name for module in iter_modules(package.__path__))
    names = sorted(name for name in modules if not name.startswith("_"))
    for name in [name for name in names if name.rstrip("_") in argv[:1]] or names:
        module = import_module(f"{package.__name__}.{name}")
        module.add(commands)
        commands.choices[name.rstrip("_")].set_defaults(run=module.run)


def run(
    parser: Parser, argv: Sequence[str], completions: Completions, interrupted: str = ""
) -> int:
    """Run the command that ``argv`` names, and return the program's exit code.

    The function ``run`` of a command receives the options. After it has called
    ``raise_on_signals``, Ctrl-C ends it with exit code 1 and the message ``interrupted``. Its
    option ``argv`` holds ``argv``.
    """
    return exit_code(
        parser.prog, lambda: _run_command(parser, argv, completions), interrupted=interrupted
    )


def _run_command(parser: Parser, argv: Sequence[str], completions: Completions) -> int:
    options = parser.parse_args(argv, Namespace(argv=argv))
    code = general_exit_code(parser, options, completions)
    if code is not None:
        return code
    if options.run is None:
        *names, last = parser.commands
        parser.error(f"no command: say {', '.join(names)} or {last}")
    check_current_folder_exists()
    return int(options.run(options))


def raise_on_signals() -> None:
    """Make all signals that end a program in a terminal raise ``KeyboardInterrupt``.

    A command calls this before it starts something that it must clean up, and after it has imported
    its modules, because libraries do not expect an exception while they are imported.
    """
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell may have made us ignore them
        signal.signal(number, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup makes us ignore it
        signal.signal(signal.SIGHUP, signal.default_int_handler)
    repeat_ignored_interrupts()


def repeat_ignored_interrupts() -> None:
    """Raise each ``KeyboardInterrupt`` again that Python ignores, on systems with SIGALRM.

    Python ignores exceptions in destructors and in what it calls after a fork.
    """
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        sys.unraisablehook = _repeat_interrupt


def _repeat_interrupt(ignored: "sys.UnraisableHookArgs") -> None:
    """Raise ``KeyboardInterrupt`` again, with SIGALRM, if it is the exception."""
    if issubclass(ignored.exc_type, KeyboardInterrupt):
        signal.setitimer(signal.ITIMER_REAL, REPEAT_SECONDS)
    else:
        sys.__unraisablehook__(ignored)


def print_json(record: object) -> None:
    """Print a record as a line of JSON."""
    import orjson

    sys.stdout.buffer.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
