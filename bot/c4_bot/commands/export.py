"""``c4-bot export``: writes a player for another platform into one file."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from c4_protocol.program.errors import UsageError
from c4_protocol.program.exit_codes import exit_code
from c4_protocol.program.parser import Parser

PROGRAM = "c4-bot export"
EPILOG = """\
examples:
  c4-bot export kaggle --out submission.py
  c4-bot export kaggle | less

Kaggle's competition ConnectX takes the file as it is. The player chooses its
moves without the native core and with an opening book of its own for 7x6. It
plays boards of any size with any number of stones in a row.

Exit code: 0 if the file was written, 1 if standard output cannot be written, 2
for a mistake on the command line or a file that cannot be written.
"""


def run(argv: Sequence[str]) -> int:
    """Run ``c4-bot export`` with these arguments; return its exit code."""
    return exit_code(PROGRAM, lambda: _run(parser().parse_args(argv)))


def parser() -> Parser:
    """Return the parser of the command line."""
    made = Parser(
        prog=PROGRAM,
        description="Writes a player into one Python file that needs only the standard library.",
        epilog=EPILOG,
    )
    made.add_argument(
        "platform", choices=("kaggle",), metavar="PLATFORM", help="kaggle, for the game ConnectX"
    )
    made.add_argument(
        "--out",
        metavar="FILE",
        help="write the player to FILE; only an earlier export can be replaced (default: standard "
        "output)",
    )
    return made


def _run(options: argparse.Namespace) -> int:
    from c4_bot.export.kaggle import submission_text

    text = submission_text()
    if options.out is None or options.out == "-":
        sys.stdout.write(text)
    else:
        _write(Path(options.out), text)
    return 0


def _write(path: Path, text: str) -> None:
    """Write the player. Raises ``UsageError`` if the file is not ours or cannot be written."""
    from c4_bot.export.kaggle import TITLE_COMMENT

    try:
        if path.is_file() and not _begins_with(path, TITLE_COMMENT):
            raise UsageError(f"{path} exists and is no earlier export: choose another name")
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None


def _begins_with(path: Path, title: str) -> bool:
    """Return whether a file begins with this title. An empty file does."""
    with path.open("rb") as file:
        return file.read(len(title)) in {title.encode(), b""}
