"""The program ``c4-tune``: parses its arguments and runs one of its commands.

Importing this module takes hardly any time, so that Ctrl-C is handled from the beginning.
"""

import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from c4_protocol.program.parser import Parser

INTERRUPTED_TEXT = "interrupted; if --out was given, the same command continues the run"


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run ``c4-tune``; return its exit code."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until a command handles it
    from c4_protocol.program.streams import collect_garbage_rarely, prepare_streams

    collect_garbage_rarely()
    prepare_streams()
    from c4_protocol.program.exit_codes import print_failure

    try:
        import c4_referee.system  # noqa: F401
    except ImportError as error:
        return print_failure("c4-tune", error, 1)
    from c4_protocol.program.commands import run

    arguments = sys.argv[1:] if argv is None else argv
    return run(parser(arguments), arguments, _completions, INTERRUPTED_TEXT)


def _completions() -> "Mapping[str, Iterable[str]]":
    from c4_referee.tuning.evolution import METHODS_BY_NAME

    return {"method": METHODS_BY_NAME}


def parser(argv: "Sequence[str]" = ()) -> "Parser":
    """Return the parser of ``argv``.

    If ``argv`` names a command, the parser has only this command. Otherwise it has all commands.
    """
    from c4_protocol.program.commands import add_commands
    from c4_protocol.program.parser import Parser, add_general_options

    from c4_referee.tuning import commands
    from c4_referee.tuning.commands._run_options import EXAMPLES_TEXT

    made = Parser(
        prog="c4-tune",
        description="Uses tournaments to find good weights for the player 'sequences', as in the\n"
        "paper by Morrow, DeBell and Bogaerts, and learns the weights of an evaluator by\n"
        "self-play (see docs/tuning.md).",
        epilog=EXAMPLES_TEXT,
        usual="--version",
    )
    add_general_options(made, (), "")
    add_commands(made, commands, argv)
    return made
