"""Exact values of positions that were solved before, and what they say about a game.

A value is the score for the player to move, counted as in ``c4_protocol.messages.Info``: 0 is a
draw, a win is 1 plus the number of stones that the winner has left, a loss is the negative of the
opponent's win.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from c4_protocol.position import Position


@dataclass(frozen=True, slots=True)
class Solved:
    """What is known of a position: its value, and the scores of its moves if they were computed.

    ``scores`` has a score for each column, from left to right, for the player to move. The score of
    a full column is ``None``. It is empty if only the value is known, and in games without gravity.
    ``best`` is the name of a best move in a game without gravity, otherwise empty.
    """

    value: int
    scores: tuple[int | None, ...] = ()
    best: str = ""


PositionKey = str
"""Text that identifies a position of a variant: the stones of both players in hexadecimal digits,
and the player to move, with dots between them."""
SolvedPositions = Mapping[PositionKey, Solved]
"""Positions of one variant that were solved."""


def position_key(position: Position) -> PositionKey:
    """Return the key of a position."""
    first, second = position.stones
    return f"{first:x}.{second:x}.{position.player}"


@dataclass(frozen=True, slots=True)
class Change:
    """A move that changed the result of a game: it threw away a win or a draw.

    ``ply`` is the number of moves before it. ``before`` and ``after`` are the values of the
    positions before and after the move, both from the point of view of its player. ``better`` are
    the names of the best moves, ``better_line`` is the first of them and best play after it, and
    ``refutation`` is best play after the move that was made. The lines are names of moves
    (``notation.cell_name``). They end early, or are empty, if not all of their positions are known.
    """

    ply: int
    before: int
    after: int
    better: tuple[str, ...] = ()
    better_line: tuple[str, ...] = ()
    refutation: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """What is known of the positions of a game with n moves.

    ``values`` has n + 1 values, for the player to move. An unknown value is ``None``. ``scores``
    has n + 1 entries like ``Solved.scores``, empty where they are not known. ``changes`` are the
    moves that changed the result, in order.
    """

    values: tuple[int | None, ...]
    scores: tuple[tuple[int | None, ...], ...]
    changes: tuple[Change, ...]

    @property
    def decisive(self) -> Change | None:
        """The last move that changed the result, or ``None`` if no known move did."""
        return self.changes[-1] if self.changes else None
