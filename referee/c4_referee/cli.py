"""``c4-referee``: finds the command that is asked for."""

from collections.abc import Sequence

from c4_referee.commands import check, match, rate, tournament
from c4_referee.commands.program import Parser, add_commands, run

EPILOG = """\
examples:
  c4-referee match "c4-bot" "c4-bot --plays random" --games 10 --time-ms 100
  c4-referee tournament class.toml
  c4-referee check "python3 my_bot.py"
  c4-referee rate results other.pgn

c4-referee COMMAND --help shows more.
Exit code: 0 if all was done, 1 if not, 2 for a user's mistake.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``c4-referee``; return its exit code."""
    return run(parser(), argv, completions={"variant": ("standard", "line8", "8x7", "9x7x5")})


def parser() -> Parser:
    """Return the parser of the command line."""
    made = Parser(
        prog="c4-referee",
        description="Runs Connect Four bots against each other and judges them.",
        epilog=EPILOG,
    )
    commands = add_commands(made)
    for command in (match, tournament, check, rate):
        command.add(commands)
    return made
