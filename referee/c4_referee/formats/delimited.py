"""Tables of results with a header line, for example CSV.

The columns ``first``, ``second`` and ``result`` are required. A result is 1-0, 0-1 or 1/2-1/2, or
the first player's points: 1, 0 or 0.5. The columns ``moves`` and ``opening`` are optional. They
show which games repeat others, and which form pairs. The column ``variant`` is optional, too. If it
is missing or empty, the game is the standard one. Other columns are ignored.

Tables that this project writes have a column ``plies``, the number of all moves. Then ``moves``
begins with the opening, and a game of 0 plies is known to have no moves. The column ``fault`` then
names the fault of a bot that forfeited the game.
"""

import csv
from collections.abc import Iterator
from contextlib import suppress

from c4_referee.formats import Lines, StoredGame, UnreadableLine, decoded, result

REQUIRED_COLUMNS = ("first", "second", "result")
DELIMITERS = ",;\t|"


def recognises(line: bytes) -> bool:
    """Return whether a line is a header with the required columns."""
    try:
        _Table(line)
    except ValueError:
        return False
    return True


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

    Raises ``ValueError`` if no delimiter gives the required columns.
    """

    def __init__(self, header: bytes) -> None:
        text = decoded(header).lower()
        for self._delimiter in DELIMITERS:
            with suppress(ValueError):
                self._columns = self._entries(text)
                if set(REQUIRED_COLUMNS) <= {*self._columns}:
                    return
        raise ValueError(f"the header has no columns {', '.join(REQUIRED_COLUMNS)}")

    def game(self, line: bytes) -> StoredGame:
        """Return the game of a line; raise ``ValueError`` if the line is not a game."""
        entries = self._entries(decoded(line))
        if len(entries) != len(self._columns):
            raise ValueError(f"{len(self._columns)} columns, but {len(entries)} entries")
        values = dict(zip(self._columns, entries, strict=True))
        opening, plies = values.get("opening", ""), values.get("plies", "")
        return result(
            values["first"],
            values["second"],
            values["result"],
            _course(values.get("moves", ""), opening, plies),
            reason=values.get("fault", "") if plies else "",
            opening=opening,
            variant=values.get("variant", ""),
        )

    def _entries(self, text: str) -> list[str]:
        """Return the entries of a line; raise ``ValueError`` for malformed quotes."""
        try:
            (entries,) = csv.reader(
                [text], delimiter=self._delimiter, skipinitialspace=True, strict=True
            )
        except csv.Error as error:
            raise ValueError(str(error)) from None
        return [entry.strip() for entry in entries]


def _course(moves: str, opening: str, plies: str) -> str | None:
    """Return a text for all moves of a game, or ``None`` if they are not known."""
    if plies and (moves or plies == "0"):
        return moves
    return f"{opening} {moves}" if moves else None
