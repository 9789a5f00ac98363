"""Exact values of positions, and records of what they show about a game.

A value is the score for the player to move, counted as in ``messages.Info``: 0 is a
draw, a win is 1 plus the number of stones that the winner has left, a loss is the negative of the
opponent's win.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from c4_protocol.records.events import GameEnded
from c4_protocol.rules.notation import cell_name, cells_from_moves, win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

ColumnScores = tuple[int | None, ...]
"""Score of each column, from left to right, for the player to move; ``None`` for a full column.

The tuple is empty if the scores are not known, and in games without gravity. The score of the steal
follows from those of the columns (``score_of_steal``)."""


class Reason(NamedTuple):
    """A sentence for people that explains a mistake.

    ``move`` is the name of the mistake, and ``better`` that of the better move in the sentence.
    """

    move: str
    text: str
    better: str


@dataclass(frozen=True, slots=True)
class Solved:
    """Result for a solved position: its value, and the scores of its moves if they were computed.

    ``best`` is the name of a best move in a game without gravity, otherwise empty. ``reasons``
    explain mistakes in this position.
    """

    value: int
    scores: ColumnScores = ()
    best: str = ""
    reasons: tuple[Reason, ...] = ()

    def reason(self, move: str) -> str:
        """Return the sentence that explains a mistake, or an empty text."""
        return next((reason.text for reason in self.reasons if reason.move == move), "")


PositionKey = str
"""Text that identifies a position of a variant: the stones of both players in hexadecimal digits,
and the player to move, with dots between them."""
SolvedPositions = Mapping[PositionKey, Solved]
"""Positions of one variant that were solved."""


def outcome_of(value: int) -> int:
    """Return the outcome of a value or score: 1 for a win, 0 for a draw, -1 for a loss."""
    return (value > 0) - (value < 0)


def score_of_steal(scores: ColumnScores) -> int:
    """Return the score of the steal from the known scores of the columns.

    After the steal, the opponent is to move with the same choice of columns.
    """
    return -max(score for score in scores if score is not None)


def position_key(position: Position) -> PositionKey:
    """Return the key of a position."""
    first, second = position.stones
    return f"{first:x}.{second:x}.{position.player}"


def find_solved(position: Position, solved: SolvedPositions) -> Solved | None:
    """Return the result for a position, or ``None`` if it was not solved.

    A position and its mirror image have the same value. Their scores are the same in reverse order.
    If both were solved, the one with more details is used. Reasons are only those of the position
    itself, because their sentences name moves.
    """
    values = solved.get(position_key(position))
    if values is not None and (values.scores or values.best):
        return values
    image = solved.get(position_key(position.mirrored()))
    if image is None or (values is not None and not (image.scores or image.best)):
        return values
    best = _mirrored_name(image.best, position.variant)
    return Solved(image.value, image.scores[::-1], best, values.reasons if values else ())


def _mirrored_name(name: str, variant: Variant) -> str:
    """Return the name of a cell's mirror image. The name is empty in games with gravity."""
    if not name:
        return ""
    (cell,) = cells_from_moves(name, variant)
    column, row = variant.column_of(cell), variant.row_of(cell)
    return cell_name(variant, variant.cell(variant.width - 1 - column, row))


def value_by_rules(position: Position) -> int | None:
    """Return the value for the player to move if the game is over or is won within two plies.

    Otherwise, return ``None``.
    """
    variant, ply = position.variant, position.ply
    if position.is_won:
        return -win_score(variant, ply)
    if position.is_full:
        return 0
    if position.can_steal:
        return None
    if position.winning_cells:
        return win_score(variant, ply + 1)
    return -win_score(variant, ply + 2) if position.opponent_winning_cells.bit_count() > 1 else None


def forced_reply(position: Position) -> int | None:
    """Return a cell that the player to move must take to stop the opponent's line, or ``None``.

    A line can also be stopped by the steal, so there is no such cell if the steal is possible.
    """
    if position.can_steal:
        return None
    threats = position.opponent_winning_cells
    return threats.bit_length() - 1 if threats else None


@dataclass(frozen=True, slots=True)
class Change:
    """A move that changed the result of a game: it threw away a win or a draw.

    ``ply`` is the number of moves before it. ``before`` and ``after`` are the values of the
    positions before and after the move, both from the point of view of its player. ``better`` are
    the names of the best moves, ``better_line`` is the first of them and best play after it, and
    ``refutation`` is best play after the move that was made. The lines are names of moves
    (``notation.cell_name``). They end early, or are empty, if not all of their positions are known.
    ``reason`` is a sentence that says what the move threw away, why, and what was better, or it is
    empty.
    """

    ply: int
    before: int
    after: int
    better: tuple[str, ...] = ()
    better_line: tuple[str, ...] = ()
    refutation: tuple[str, ...] = ()
    reason: str = ""

    @property
    def cost(self) -> tuple[int, int]:
        """The cost of the move: first in results (a win into a loss is 2), then in scores."""
        return outcome_of(self.before) - outcome_of(self.after), self.before - self.after


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """A game with n moves, the known values of its positions, and its changes.

    ``values`` has n + 1 values, for the player to move. An unknown value is ``None``. ``scores``
    has n + 1 entries, which are empty where scores are not known, or it is empty. ``changes`` are
    the moves that changed the result, in order.
    """

    game: GameEnded
    values: Sequence[int | None]
    scores: Sequence[ColumnScores] = ()
    changes: Sequence[Change] = ()

    @classmethod
    def unknown(cls, game: GameEnded) -> "GameAnalysis":
        """Return the analysis of a game whose values are all unknown."""
        positions = game.plies + 1
        return cls(game, (None,) * positions, ((),) * positions)

    def change_at(self, ply: int) -> Change | None:
        """Return the change that the move after ``ply`` moves made, or ``None``."""
        return next((change for change in self.changes if change.ply == ply), None)

    @property
    def decisive(self) -> Change | None:
        """The last move that changed the result, or ``None`` if no known move did.

        A game that a fault decided has no decisive move.
        """
        return self.changes[-1] if self.changes and self.game.fault is None else None
