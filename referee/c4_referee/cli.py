"""The program ``c4-referee``, which runs the command that its first argument names.

Importing this module takes hardly any time, so that Ctrl-C is handled from the beginning.
"""

import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from c4_protocol.program.parser import Parser

SCHEMAS = ("event", "match_report", "standings", "tournament_report")
"""Names of the JSON Schemas of what the commands write."""
EPILOG = """\
examples:
  c4-referee match "c4-bot" "c4-bot --plays random" --games 10 --time-ms 100
  c4-referee tournament class.toml
  c4-referee check "python3 my_bot.py"
  c4-referee report results
  c4-referee rate results other.pgn
  c4-referee show results 17

c4-referee COMMAND --help shows more.
Exit code: 0 if everything was done, 1 if not, 2 for a mistake on the command
line or in a file.
"""


def main(argv: "Sequence[str] | None" = None) -> int:
    """Run ``c4-referee``, and return its exit code."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until a command handles it
    from c4_protocol.program.streams import collect_garbage_rarely, prepare_streams

    collect_garbage_rarely()
    prepare_streams()
    from c4_protocol.program.exit_codes import print_failure

    try:
        import c4_referee.system  # noqa: F401
    except ImportError as error:
        return print_failure("c4-referee", error, 1)
    from c4_protocol.program.commands import run

    arguments = sys.argv[1:] if argv is None else argv
    return run(parser(arguments), arguments, _completions)


def _completions() -> "Mapping[str, Iterable[str]]":
    from c4_protocol.dialects import referee_names
    from c4_protocol.rules.variant import EXAMPLE_VARIANTS

    from c4_referee.bots.examples import example_names

    names = {"dialect": referee_names(), "example": example_names()}
    return {"variant": EXAMPLE_VARIANTS, **names}


def parser(argv: "Sequence[str]" = ()) -> "Parser":
    """Return the parser for ``argv``.

    The parser has only the command with which ``argv`` begins. If ``argv`` does not begin with a
    command, the parser has all commands.
    """
    from c4_protocol.program.commands import add_commands
    from c4_protocol.program.parser import Parser, add_general_options

    from c4_referee import commands

    made = Parser(
        prog="c4-referee",
        description="Plays Connect Four bots against each other and shows which one is better.",
        epilog=EPILOG,
        usual="--version",
    )
    add_general_options(made, SCHEMAS, "what commands write")
    add_commands(made, commands, argv)
    return made
