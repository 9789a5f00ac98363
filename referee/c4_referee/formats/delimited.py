"""Tables of results, separated by commas or the like: a header line names the columns.

There are ``first``, ``second`` and ``result`` (1-0, 0-1, 1/2-1/2, or 1, 0, 0.5 for the first), and
perhaps ``moves`` and ``opening``, by which repeated games are known; others are passed over.
"""

import csv
from collections.abc import Iterator

from c4_referee.formats import BadLine, Lines, Result, result

NEEDED = ("first", "second", "result")
DELIMITERS = ",;\t|"
LONGEST_HEADER = 1000
"""Bytes that are looked at to find the delimiter, which takes the longer the more there are."""


def recognises(line: bytes) -> bool:
    """A header that names what is needed."""
    try:
        return set(NEEDED) <= {*_Table(line).columns}
    except ValueError:
        return False


def read(lines: Lines) -> Iterator[Result | BadLine]:
    """A game a line; an entry does not go on in the next line."""
    table: _Table | None = None
    for number, line in lines:
        if table is None:
            table = _Table(line) if line.strip() else None
        elif line.strip():
            try:
                yield table.game(line)
            except ValueError as error:
                yield BadLine(number, str(error))


class _Table:
    """What a header tells of the lines below it; raises ``ValueError`` if that is nothing."""

    def __init__(self, header: bytes) -> None:
        text = header[:LONGEST_HEADER].decode()
        try:
            self._delimiter = csv.Sniffer().sniff(text, DELIMITERS).delimiter
        except csv.Error as error:
            raise ValueError(str(error)) from None
        self.columns = [name.lower() for name in self._entries(text)]

    def game(self, line: bytes) -> Result:
        """The game of a line; raises ``ValueError``."""
        entries = self._entries(line.decode())
        if len(entries) != len(self.columns):
            raise ValueError(f"{len(self.columns)} columns, but {len(entries)} entries")
        values = dict(zip(self.columns, entries, strict=True))
        moves = values.get("moves")
        course = f"{values.get('opening', '')} {moves}" if moves else None
        return result(values["first"], values["second"], values["result"], course)

    def _entries(self, text: str) -> list[str]:
        """What stands in the columns; raises ``ValueError``."""
        try:
            (entries,) = csv.reader(
                [text], delimiter=self._delimiter, skipinitialspace=True, strict=True
            )
        except csv.Error as error:
            raise ValueError(str(error)) from None
        return [entry.strip() for entry in entries]
