"""Tables of results with a header line, for example CSV.

The columns ``first``, ``second`` and ``result`` are required. A result is 1-0, 0-1 or 1/2-1/2, or
the first player's points: 1, 0 or 0.5. The columns ``moves`` and ``opening`` are optional. They
show which games repeat others, and which form pairs. Other columns are ignored.
"""

import csv
from collections.abc import Iterator

from c4_referee.formats import Lines, StoredGame, UnreadableLine, result

REQUIRED_COLUMNS = ("first", "second", "result")
DELIMITERS = ",;\t|"
MAX_HEADER_BYTES = 1000
"""Maximum length of the header, in bytes. The rest is ignored, because the search for the
delimiter is slow."""


def recognises(line: bytes) -> bool:
    """Return whether a line is a header with the required columns."""
    try:
        return set(REQUIRED_COLUMNS) <= {*_Table(line).columns}
    except ValueError:
        return False


def read(lines: Lines) -> Iterator[StoredGame | UnreadableLine]:
    """Generate one game for each line after the header. An entry cannot contain a line end."""
    table: _Table | None = None
    for number, line in lines:
        if table is None:
            table = _Table(line) if line.strip() else None
        elif line.strip():
            try:
                yield table.game(line)
            except ValueError as error:
                yield UnreadableLine(number, str(error))


class _Table:
    """The delimiter and the columns of a table, from its header line.

    Raises ``ValueError`` if the line has no delimiter.
    """

    def __init__(self, header: bytes) -> None:
        text = header[:MAX_HEADER_BYTES].decode()
        try:
            self._delimiter = csv.Sniffer().sniff(text, DELIMITERS).delimiter
        except csv.Error as error:
            raise ValueError(str(error)) from None
        self.columns = [name.lower() for name in self._entries(text)]

    def game(self, line: bytes) -> StoredGame:
        """Return the game of a line; raise ``ValueError`` if the line is not a game."""
        entries = self._entries(line.decode())
        if len(entries) != len(self.columns):
            raise ValueError(f"{len(self.columns)} columns, but {len(entries)} entries")
        values = dict(zip(self.columns, entries, strict=True))
        moves = values.get("moves")
        opening = values.get("opening", "")
        course = f"{opening} {moves}" if moves else None
        names = values["first"], values["second"]
        return result(*names, values["result"], course, opening=opening)

    def _entries(self, text: str) -> list[str]:
        """Return the entries of a line; raise ``ValueError`` for malformed quotes."""
        try:
            (entries,) = csv.reader(
                [text], delimiter=self._delimiter, skipinitialspace=True, strict=True
            )
        except csv.Error as error:
            raise ValueError(str(error)) from None
        return [entry.strip() for entry in entries]
