"""Tables of results with a header line, for example CSV.

The columns ``first``, ``second`` and ``result`` are required, or the column ``moves``. A result is
1-0, 0-1 or 1/2-1/2, or the first player's points: 1, 0 or 0.5. Without this column, the moves must
be a move string, and the rules give the result. The columns ``moves`` and ``opening`` show which
games repeat others, and which form pairs. The column ``variant`` is optional, too. If it is missing
or empty, the game is the standard one. Other columns are ignored.

Tables that this project writes have a column ``plies``, the number of all moves. Then ``moves``
begins with the opening, and a game of 0 plies is known to have no moves. The column ``fault`` then
names the fault that decided the game, ``fault_of`` the bot, and ``detail`` describes the fault. The
column ``ending`` says how the game ended; in a table with both columns, ``plies`` is never empty.
"""

import csv
from collections.abc import Iterator
from contextlib import suppress

from c4_protocol.rules.variant import Variant

from c4_referee.records.formats import (
    DEFAULT_PLAYER_NAMES,
    NumberedLines,
    StoredGame,
    UnreadableLine,
    decoded_line,
    game_with_result,
    read_each,
    variant_name,
)
from c4_referee.records.formats.cells import plain_cell
from c4_referee.records.formats.game_moves import played_game, replayed_text

REQUIRED_COLUMNS = (frozenset({"first", "second", "result"}), frozenset({"moves"}))
"""Sets of columns. A table must have all columns of one set."""
DELIMITERS = ",;\t|"
CLAIMED_ENDINGS = ("line", "full board", "forfeit")
"""Texts of the column ``ending`` that say more than the result."""


def recognises(start: bytes) -> bool:
    """Return whether the first line is a header with the required columns."""
    try:
        _TableReader(start.partition(b"\n")[0])
    except ValueError:
        return False
    return True


def read(lines: NumberedLines) -> Iterator[StoredGame | UnreadableLine]:
    """Generate one game for each line after the header. An entry cannot contain a line end."""
    filled = ((number, line) for number, line in lines if line.strip())
    for _, header in filled:
        yield from read_each(filled, _TableReader(header).game)


class _TableReader:
    """The delimiter and the columns of a table, from its header line.

    Raises ``ValueError`` if no delimiter gives the required columns.
    """

    def __init__(self, header: bytes) -> None:
        text = decoded_line(header).lower()
        for self._delimiter in DELIMITERS:
            with suppress(ValueError):
                self._columns = self._entries_of_line(text)
                if any(columns <= {*self._columns} for columns in REQUIRED_COLUMNS):
                    return
        raise ValueError("the header needs the columns first, second and result, or moves")

    def game(self, line: bytes) -> StoredGame:
        """Return the game of a line.

        Raises ``ValueError`` or ``ArenaError`` if the line is not a game.
        """
        entries = self._entries_of_line(decoded_line(line))
        if len(entries) != len(self._columns):
            raise ValueError(f"{len(self._columns)} columns, but {len(entries)} entries")
        values = dict(zip(self._columns, entries, strict=True))
        opening, plies = values.get("opening", ""), values.get("plies", "")
        names = (
            values.get("first", DEFAULT_PLAYER_NAMES[0]),
            values.get("second", DEFAULT_PLAYER_NAMES[1]),
        )
        if "ending" in values and "plies" in values and not plies:
            raise ValueError("plies is empty: the line may be cut")
        moves = _text_of_all_moves(values.get("moves", ""), opening, plies)
        if "result" not in values:
            rules = Variant.parse(variant_name(values.get("variant", "")))
            _, position, cells = replayed_text(moves or opening, rules)
            start = len(replayed_text(opening, rules)[2])
            return played_game(names, position, cells, opening=start)
        return game_with_result(
            *names,
            values["result"],
            moves,
            reason=values.get("fault", "") if plies else "",
            opening=opening,
            variant=values.get("variant", ""),
            culprit=values.get("fault_of", ""),
            detail=values.get("detail", ""),
            ending=values.get("ending", "") if values.get("ending") in CLAIMED_ENDINGS else "",
            plies=int(plies) if moves is not None and plies.isdecimal() else None,
        )

    def _entries_of_line(self, text: str) -> list[str]:
        """Return the entries of a line; raise ``ValueError`` for malformed quotes."""
        try:
            (entries,) = csv.reader(
                [text], delimiter=self._delimiter, skipinitialspace=True, strict=True
            )
        except csv.Error as error:
            raise ValueError(str(error)) from None
        return [plain_cell(entry.strip()) for entry in entries]


def _text_of_all_moves(moves: str, opening: str, plies: str) -> str | None:
    """Return a text for all moves of a game, or ``None`` if they are not known."""
    if plies and (moves or plies == "0"):
        return moves
    return f"{opening} {moves}" if moves else None
