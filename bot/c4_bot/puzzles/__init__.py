"""Puzzles: positions of 7x6 in which exactly one move wins, or exactly one move keeps the draw.

``puzzles.json`` is an array with one object per puzzle. Its keys are the fields of ``Puzzle``.
``python -m c4_bot.puzzles.make`` makes the file.
"""

from dataclasses import dataclass
from pathlib import Path

import orjson
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD

PUZZLES_PATH = Path(__file__).with_name("puzzles.json")


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with exactly one move that keeps the result, and how the game goes on.

    ``moves`` is the game up to the position, as a move string. ``result`` is ``"win"`` or
    ``"draw"``, for the player to move. ``length`` is the number of moves that this player makes
    until the game ends, with best play. ``grade`` is ``"easy"``, ``"medium"`` or ``"hard"``.

    ``kind`` and ``cells`` are the reason of the move (``c4_bot.reasons.kinds``). A cell is a pair
    ``[column, row]``; both count from 1, rows from the bottom.

    ``line`` is a move string from the position. It begins and ends with a move of the player, and
    each of these moves is the only one that keeps the result, or completes a line. ``rest`` is how
    the game goes on from there to the win; it is empty if this would be long, or if nobody wins.

    The players named ``players`` played the game: ``c4_bot.puzzles.make.played_game(seed)``.
    """

    moves: str
    result: str
    length: int
    grade: str
    kind: str
    cells: list[list[int]]
    line: str
    rest: str
    players: list[str]
    seed: int

    @property
    def position(self) -> Position:
        """The position in which the player has to find the move."""
        return position_from_moves(self.moves, STANDARD)


def load_puzzles() -> list[Puzzle]:
    """Return all puzzles, easy ones first. Puzzle 1 is the first one."""
    return [Puzzle(**fields) for fields in orjson.loads(PUZZLES_PATH.read_bytes())]
