"""Complaints about lines and games of files that cannot be read, on standard error."""

import sys
from collections import Counter
from typing import TYPE_CHECKING

from c4_protocol.text import visible

if TYPE_CHECKING:
    from c4_referee.formats import UnreadableLine

MOST_COMPLAINTS = 20
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
        if self._counts[source] <= MOST_COMPLAINTS:
            sys.stderr.write(visible(complaint) + "\n")

    def print_unshown(self) -> None:
        """Print the number of complaints that were not shown, for each file."""
        for source, number in self._counts.items():
            if number > MOST_COMPLAINTS:
                unshown = f"{source}: {number - MOST_COMPLAINTS} more lines like these"
                sys.stderr.write(visible(unshown) + "\n")
