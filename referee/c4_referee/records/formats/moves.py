"""Games as move strings, one on each line: ``4453``, columns from 1 on the standard board.

The players are called first and second. The rules give the results.
"""

import re
from collections.abc import Iterator

from c4_protocol.rules.variant import STANDARD

from c4_referee.records.formats import (
    DEFAULT_PLAYER_NAMES,
    NumberedLines,
    StoredGame,
    UnreadableLine,
    decoded_line,
    read_each,
)
from c4_referee.records.formats.game_moves import played_game, replayed_text

MOVES_PATTERN = re.compile(rb"[1-7](?:[ \t]*[1-7])*\s*")


def recognises(start: bytes) -> bool:
    """Return whether the first line is a move string."""
    return MOVES_PATTERN.fullmatch(start.partition(b"\n")[0].strip()) is not None


def read(lines: NumberedLines) -> Iterator[StoredGame | UnreadableLine]:
    """Generate the game of each line."""
    return read_each(lines, _game_of_line)


def _game_of_line(line: bytes) -> StoredGame:
    _, position, cells = replayed_text(decoded_line(line), STANDARD)
    return played_game(DEFAULT_PLAYER_NAMES, position, cells)
