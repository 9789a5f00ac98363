"""Options of a command that shows stored games, and the contests that they choose."""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import visible

from c4_referee.commands._options import count, seconds
from c4_referee.report.texts import counted

if TYPE_CHECKING:
    from c4_referee.records.formats import UnreadableLine
    from c4_referee.records.storage.contests import StoredContest

STANDARD_INPUT = "-"
MAX_NAMED = 3
"""Maximum number of files that are named. The others are only counted."""
MAX_COMPLAINTS = 20
"""Maximum number of complaints shown for each file. The others are only counted."""


class Complaints:
    """Printer of complaints about lines and games of files. It is true if there were any."""

    def __init__(self) -> None:
        self._counts = Counter[str]()

    def __bool__(self) -> bool:
        return bool(self._counts)

    def line(self, path: str, bad: "UnreadableLine") -> None:
        """Complain about a line of a file."""
        self._add(path, f"{path}:{bad.number}: {bad.reason}")

    def game(self, name: str, number: int, reason: str) -> None:
        """Complain about a game of a contest with this name."""
        self._add(name, f"{name}: game {number}: {reason}")

    def _add(self, source: str, complaint: str) -> None:
        self._counts[source] += 1
        if self._counts[source] <= MAX_COMPLAINTS:
            sys.stderr.write(visible(complaint) + "\n")

    def print_unshown(self) -> None:
        """Print the number of complaints that were not shown, for each file."""
        for source, number in self._counts.items():
            if number > MAX_COMPLAINTS:
                unshown = f"{source}: {number - MAX_COMPLAINTS} more lines like these"
                sys.stderr.write(visible(unshown) + "\n")


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


def folder_of(sources: Sequence[str]) -> Path | None:
    """Return the folder whose games are shown, or ``None`` if they are in files.

    A single source that does not exist is a match that ``c4-referee list`` names, or a folder.
    """
    from c4_referee.records.storage.kept import kept_folder

    path = Path(sources[0])
    is_folder = len(sources) == 1 and sources != [STANDARD_INPUT] and not path.is_file()
    if not is_folder or path.is_fifo():
        return None
    return path if path.exists() else kept_folder(sources[0]) or path


def stored_contests(
    sources: Sequence[str], number: int | None, complaints: Complaints
) -> "list[StoredContest]":
    """Return the contest of a folder or of files with this number, or all if it is ``None``.

    ``sources`` are a folder of ``--out``, or files with games. Games that cannot be shown are left
    out, with a complaint. Raises ``UsageError`` if there is no such contest.
    """
    from c4_referee.records.storage.contests import read_contests

    folder = folder_of(sources)
    contests = _imported(sources, complaints) if folder is None else read_contests(folder)
    if not contests:
        if folder is None:
            raise UsageError(f"no game in {_name(sources)} can be shown")
        raise UsageError(f"{folder} holds no contest yet")
    if number is None:
        return contests
    if number > len(contests):
        held = counted(len(contests), "contest")
        raise UsageError(f"--contest {number}: {_name(sources)} holds {held}")
    return [contests[number - 1]]


def stored_contest(
    sources: Sequence[str], number: int | None, complaints: Complaints
) -> "StoredContest":
    """Return the contest with this number, or the last one.

    If there are several, a line on standard error says that it is the last.
    """
    contests = stored_contests(sources, number, complaints)
    if len(contests) > 1:
        held = counted(len(contests), "contest")
        note = f"{_name(sources)} holds {held}: this is the last (see --contest)"
        sys.stderr.write(visible(note) + "\n")
    return contests[-1]


def _imported(sources: Sequence[str], complaints: Complaints) -> "list[StoredContest]":
    """Return the contests of files: one for each variant. All games are numbered together."""
    from c4_referee.records.storage.imported import imported_contests, imported_games

    name = _name(sources)
    games = [*imported_games(sources, complaints.line, partial(complaints.game, name))]
    complaints.print_unshown()
    return imported_contests(visible(name), games)


def _name(sources: Sequence[str]) -> str:
    """Return a name for the games of some files, or the path of a folder."""
    if len(sources) > MAX_NAMED:
        return f"{', '.join(sources[:MAX_NAMED])} and {len(sources) - MAX_NAMED} more"
    return ", ".join("standard input" if source == STANDARD_INPUT else source for source in sources)
