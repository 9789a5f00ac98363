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


def add_contest(
    parser: argparse._ActionsContainer, default: str = "the one that was played last"
) -> None:
    """Add ``--contest``, whose ``default`` is described in words."""
    parser.add_argument(
        "--contest",
        type=count,
        metavar="K",
        help=f"choose contest number K of DIR (default: {default})",
    )


def add_stored(parser: argparse.ArgumentParser, default_seconds: float, *default: str) -> None:
    """Add ``--analysis-seconds``, and ``--contest`` with its ``default``."""
    add_contest(parser, *default)
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

    The file ``games.jsonl`` of a folder stands for the folder. A single source that does not exist
    is a match that ``c4-referee list`` names, or a folder.
    """
    from c4_referee.records.storage.game_files import folder_of_source
    from c4_referee.records.storage.kept import kept_folder

    path = Path(sources[0])
    if len(sources) == 1 and (folder := folder_of_source(path)):
        return folder
    is_folder = len(sources) == 1 and sources != [STANDARD_INPUT] and not path.is_file()
    if not is_folder or path.is_fifo():
        return None
    return path if path.exists() else kept_folder(sources[0]) or path


def stored_contests(
    sources: Sequence[str], number: int | None, complaints: Complaints
) -> "list[StoredContest]":
    """Return the contest of a folder or of files with this number, or all if it is ``None``.

    ``sources`` are a folder of ``--out``, or files with games. Games that cannot be shown are left
    out, with a complaint. If there are several contests, a line on standard error says which is
    meant. Raises ``UsageError`` if there is no such contest.
    """
    from c4_referee.records.storage.contests import read_contests

    folder = folder_of(sources)
    contests = _imported(sources, complaints) if folder is None else read_contests(folder)
    if not contests:
        if folder is None:
            raise UsageError(f"no game in {_name(sources)} can be shown")
        raise UsageError(f"{folder} holds no contest yet")
    chosen = choose_contest(_name(sources), contests, number)
    return contests if number is None else [chosen]


def stored_contest(
    sources: Sequence[str], number: int | None, complaints: Complaints
) -> "StoredContest":
    """Return the contest with this number, or the one that is meant (``stored_contests``)."""
    from c4_referee.records.storage.meant import meant

    return meant(stored_contests(sources, number, complaints))


def choose_contest(
    source: str, contests: "Sequence[StoredContest]", number: int | None, more: str = ""
) -> "StoredContest":
    """Return a contest. Say on standard error if there are others (``chosen_contest``)."""
    from c4_referee.records.storage.meant import chosen_contest

    contest, note = chosen_contest(source, contests, number, more=more)
    if note:
        sys.stderr.write(visible(note) + "\n")
    return contest


def _imported(sources: Sequence[str], complaints: Complaints) -> "list[StoredContest]":
    """Return the contests of files: one for each variant. All games are numbered together."""
    from c4_referee.records.storage.imported import imported_contests, imported_games

    name = _name(sources)

    def choose(source: str, contests: "Sequence[StoredContest]") -> "list[StoredContest]":
        return [choose_contest(source, contests, None)]

    games = [*imported_games(sources, complaints.line, partial(complaints.game, name), choose)]
    complaints.print_unshown()
    return imported_contests(visible(name), games)


def _name(sources: Sequence[str]) -> str:
    """Return a name for the games of some files, or the path of a folder."""
    if len(sources) > MAX_NAMED:
        return f"{', '.join(sources[:MAX_NAMED])} and {len(sources) - MAX_NAMED} more"
    return ", ".join("standard input" if source == STANDARD_INPUT else source for source in sources)
