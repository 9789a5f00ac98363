"""Analysis of a game: known values of its positions, and the moves that changed its result.

Nothing is searched here. A value is known from the rules, from a position that was solved before,
or because it follows from values of neighbouring positions.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from c4_protocol.records.events import GameEnded
from c4_protocol.rules.notation import cell_name
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL, cells_of

from c4_referee.records.stats.solved import (
    Change,
    ColumnScores,
    GameAnalysis,
    Solved,
    SolvedPositions,
    find_solved,
    forced_reply,
    outcome_of,
    score_of_steal,
    value_by_rules,
)

Key = tuple[int, int, int]
"""Stones of both players as bitboards, and the player to move. In a game with the steal, the stones
alone do not determine the player to move."""
NO_SCORES: ColumnScores = ()


def analyse(game: GameEnded, solved: SolvedPositions) -> GameAnalysis:
    """Return the known values of the positions of a game, without searching.

    Raises the errors of ``notation.replay`` if the moves are not those of a game.
    """
    known = KnownPositions(solved)
    values, scores = known.along(game)
    changes = [_change_at(game, ply, values, known) for ply in changing_plies(game, values)]
    return GameAnalysis(game, tuple(values), tuple(scores), tuple(changes))


def changing_plies(game: GameEnded, values: Sequence[int | None]) -> Iterator[int]:
    """Generate the plies after the opening whose moves threw away a win or a draw.

    ``values`` are the values of all positions, for the player to move.
    """
    start = game.start
    for ply, (before, after) in enumerate(pairwise(values)):
        if ply < start or before is None or after is None:
            continue
        if outcome_of(-after) < outcome_of(before):
            yield ply


def last_change(game: GameEnded, solved: SolvedPositions) -> tuple[int, int, int] | None:
    """Return the ply of the last change, and the values before and after it, or ``None``.

    This is the last change that ``analyse`` finds. No earlier position is looked at.
    """
    after = None
    for back, (before, _) in enumerate(KnownPositions(solved).backwards(game)):
        if (ply := game.plies - back) < game.start:
            return None
        if before is not None and after is not None and outcome_of(-after) < outcome_of(before):
            return ply, before, -after
        after = before
    return None


def values_around(values: Sequence[int | None], ply: int) -> tuple[int, int]:
    """Return the known values before and after a move, for the player who makes it."""
    before, after = values[ply], values[ply + 1]
    assert before is not None
    assert after is not None
    return before, -after


def _change_at(
    game: GameEnded, ply: int, values: Sequence[int | None], known: "KnownPositions"
) -> Change:
    """Return the change that the move after ``ply`` moves made."""
    position, (before, after) = game.positions[ply], values_around(values, ply)
    names = [cell_name(position.variant, best) for best in known.best_moves(position, before)]
    entry = known.entry(position)
    return Change(
        ply,
        before,
        after,
        tuple(names),
        tuple(known.best_line(position, before)),
        tuple(known.best_line(game.positions[ply + 1], -after)),
        entry.reason(game.move_names[ply]) if entry else "",
    )


def _key(position: Position) -> Key:
    return (*position.stones, position.player)


def score_in(scores: ColumnScores, position: Position, cell: int) -> int | None:
    """Return the score of a legal move, from the known scores of the columns of a position."""
    return score_of_steal(scores) if cell == STEAL else scores[position.variant.column_of(cell)]


class KnownPositions:
    """Values and best moves of positions, as far as they follow from the rules and ``solved``.

    ``solved`` must not change while this object is used, because values are remembered.
    """

    def __init__(self, solved: SolvedPositions) -> None:
        self._solved = solved
        self._entries: dict[Key, Solved | None] = {}
        self._values: dict[Key, int | None] = {}

    def entry(self, position: Position) -> Solved | None:
        """Return the stored result for a position, or ``None``."""
        if not self._solved:
            return None
        key = _key(position)
        if key not in self._entries:
            self._entries[key] = find_solved(position, self._solved)
        return self._entries[key]

    def value(self, position: Position) -> int | None:
        """Return the value for the player to move, or ``None`` if it is unknown."""
        key = _key(position)
        if key not in self._values:
            self._values[key] = self._find_value(position)
        return self._values[key]

    def _find_value(self, position: Position) -> int | None:
        certain = value_by_rules(position)
        if certain is not None:
            return certain
        if entry := self.entry(position):
            return entry.value
        reply = forced_reply(position)
        value = None if reply is None else self.value(position.play(reply))
        return None if value is None else -value

    def scores(self, position: Position) -> ColumnScores:
        """Return the scores of all columns. Return ``()`` if any of them is unknown.

        In games without gravity the result is always empty.
        """
        entry = self.entry(position)
        if entry is not None and entry.scores:
            return entry.scores
        if not position.variant.gravity or position.is_over:
            return ()
        scores: list[int | None] = [None] * position.variant.width
        for cell in cells_of(position.playable):
            value = self.value(position.play(cell))
            if value is None:
                return ()
            scores[position.variant.column_of(cell)] = -value
        return tuple(scores)

    def along(self, game: GameEnded) -> tuple[list[int | None], list[ColumnScores]]:
        """Return the values of a game's positions, and the scores of their columns."""
        found = [*self.backwards(game)][::-1]
        return [value for value, _ in found], [scores for _, scores in found]

    def backwards(self, game: GameEnded) -> Iterator[tuple[int | None, ColumnScores]]:
        """Generate the values of a game's positions and the scores of their columns, last first.

        The order is this, because a forced reply leads to the value of a later position. The scores
        of a position also give the values of it and of the next.
        """
        value, scores = self.value(game.last), NO_SCORES
        for position, cell in zip(game.positions[-2::-1], game.cells[::-1], strict=True):
            before, entry, found = self.value(position), self.entry(position), NO_SCORES
            if value is not None or (entry and entry.scores):
                found = self.scores(position)
            if found:
                known = (score_in(found, position, move) for move in position.moves)
                before = max(score for score in known if score is not None)
                played = score_in(found, position, cell)
                value = None if played is None else -played
            yield value, scores
            value, scores = before, found
        yield value, scores

    def best_moves(self, position: Position, value: int) -> list[int]:
        """Return the moves that are known to keep the ``value`` of a position, as cells.

        Moves near the centre come first, and of two moves at the same distance the left one. If the
        opponent has two ways to complete a line, moves that stop one of them come before all other
        moves. If a sentence about a mistake names a better move, this move comes before all others.
        """
        scores, entry = self.scores(position), self.entry(position)
        if scores:
            moves = [cell for cell in position.moves if score_in(scores, position, cell) == value]
        elif is_forced(position):
            return [*cells_of(position.opponent_winning_cells)]
        else:
            moves = [
                cell
                for cell in position.moves
                if (entry and entry.best == cell_name(position.variant, cell))
                or self.value(position.play(cell)) == -value
            ]
        threats = position.opponent_winning_cells
        moves = sorted(moves, key=lambda cell: cell == STEAL or not threats >> cell & 1)
        named = {reason.better for reason in entry.reasons} if entry else ()
        return sorted(moves, key=lambda cell: cell_name(position.variant, cell) not in named)

    def best_line(self, position: Position, value: int) -> Iterator[str]:
        """Generate the names of the moves of best play from a position with this ``value``.

        The line ends when the game is over, or when no best move is known.
        """
        while not position.is_over and (moves := self.best_moves(position, value)):
            yield cell_name(position.variant, moves[0])
            position, value = position.play(moves[0]), -value


def is_forced(position: Position) -> bool:
    """Return whether the player to move has only one move that does not lose at once."""
    return value_by_rules(position) is None and forced_reply(position) is not None
