"""Options of a command that shows stored games, and the contests that they choose."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from c4_protocol.errors import UsageError
from c4_protocol.text import visible

from c4_referee.program.arguments import count, seconds

if TYPE_CHECKING:
    from c4_referee.storage.contests import StoredContest


def add_stored(parser: argparse.ArgumentParser, default_seconds: float, default: str) -> None:
    """Add ``--contest``, whose ``default`` is described in words, and ``--analysis-seconds``."""
    parser.add_argument(
        "--contest",
        type=count,
        metavar="K",
        help=f"choose contest number K of DIR (default: {default})",
    )
    parser.add_argument(
        "--analysis-seconds",
        type=_seconds,
        default=default_seconds,
        metavar="S",
        help="solve positions whose values are not stored, for at most S seconds, and store the "
        "values; 0: show only stored values (default: %(default)g)",
    )


def _seconds(text: str) -> float:
    """Return the time in ``text``, in seconds, which may be 0."""
    is_zero = bool(text) and not text.strip("0.") and "0" in text
    return 0.0 if is_zero else seconds(text)


def stored_contests(folder: Path, number: int | None) -> "list[StoredContest]":
    """Return the contest of a folder with this number, or all contests if it is ``None``.

    Raises ``UsageError`` if there is no such contest.
    """
    from c4_referee.storage.contests import read_contests

    contests = read_contests(folder)
    if not contests:
        raise UsageError(f"{folder} holds no contest yet")
    if number is None:
        return contests
    if number > len(contests):
        raise UsageError(f"--contest {number}: {folder} holds {_counted(len(contests))}")
    return [contests[number - 1]]


def stored_contest(folder: Path, number: int | None) -> "StoredContest":
    """Return the contest with this number, or the last one.

    If the folder holds several, a line on standard error says that it is the last.
    """
    contests = stored_contests(folder, number)
    if len(contests) > 1:
        note = f"{folder} holds {_counted(len(contests))}: this is the last (see --contest)"
        sys.stderr.write(visible(note) + "\n")
    return contests[-1]


def _counted(contests: int) -> str:
    return f"{contests} contest{'' if contests == 1 else 's'}"
