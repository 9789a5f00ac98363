"""The program ``c4-referee``, which runs the command that its first argument names.

Importing this module takes hardly any time, so that Ctrl-C is handled from the beginning.
"""

import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from c4_referee.program.parser import CommandParser

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
    from c4_protocol.program import collect_rarely, prepare_streams

    collect_rarely()
    prepare_streams()
    from c4_referee.program.run import run

    arguments = sys.argv[1:] if argv is None else argv
    variants = ("standard", "line8", "codingame", "8x7", "9x7x5")
    dialects = ("c4engine", "codingame", "jsonl", "moves", "riddles", "theaigames", "uci")
    completions = {"variant": variants, "dialect": dialects}
    return run(parser(arguments), arguments, completions=completions)


def parser(argv: "Sequence[str]" = ()) -> "CommandParser":
    """Return the parser for ``argv``.

    The parser has only the command with which ``argv`` begins. If ``argv`` does not begin with a
    command, the parser has all commands.
    """
    from c4_referee import commands
    from c4_referee.program.parser import CommandParser, add_commands

    made = CommandParser(
        prog="c4-referee",
        description="Plays Connect Four bots against each other and shows which one is better.",
        epilog=EPILOG,
    )
    made.add_argument(
        "--schema",
        choices=SCHEMAS,
        metavar="NAME",
        help=f"print the JSON Schema of what commands write and stop; NAME is {', '.join(SCHEMAS)}",
    )
    add_commands(made, commands, argv)
    return made
