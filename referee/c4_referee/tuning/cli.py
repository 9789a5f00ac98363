"""The program ``c4-tune``: parses its arguments and runs one of its commands."""

import sys
from collections.abc import Sequence

from c4_referee.program.parser import CommandParser, add_commands
from c4_referee.program.run import run
from c4_referee.tuning import commands
from c4_referee.tuning.arguments import EXAMPLES

INTERRUPTED = "interrupted; if --out was given, the same command continues the run"


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``c4-tune``; return its exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    completions = {"method": ("genetic", "spsa")}
    return run(parser(arguments), arguments, INTERRUPTED, completions)


def parser(argv: Sequence[str] = ()) -> CommandParser:
    """Return the parser of ``argv``.

    If ``argv`` names a command, the parser has only this command. Otherwise it has all commands.
    """
    made = CommandParser(
        prog="c4-tune",
        description="Uses tournaments to find good weights for the player 'sequences', as in the\n"
        "paper by Morrow, DeBell and Bogaerts (see docs/tuning.md).",
        epilog=EXAMPLES,
    )
    add_commands(made, commands, argv)
    return made
