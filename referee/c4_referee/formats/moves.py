"""Games as move strings, one on each line: ``4453``, columns from 1 on the standard board.

The players are called first and second. The rules give the results.
"""

import re
from collections.abc import Iterator

from c4_protocol.rules.notation import replay
from c4_protocol.rules.variant import STANDARD

from c4_referee.formats import PLAYER_NAMES, Lines, StoredGame, UnreadableLine, decoded, read_each
from c4_referee.formats.game_moves import move_string, played_game

MOVES = re.compile(rb"[1-7](?:[ \t]*[1-7])*\s*")


def recognises(start: bytes) -> bool:
    """Return whether the first line is a move string."""
    return MOVES.fullmatch(start.partition(b"\n")[0].strip()) is not None


def read(lines: Lines) -> Iterator[StoredGame | UnreadableLine]:
    """Generate the game of each line."""
    return read_each(lines, _game)


def _game(line: bytes) -> StoredGame:
    moves = move_string(decoded(line), STANDARD)
    return played_game(PLAYER_NAMES, *replay(moves, STANDARD))
