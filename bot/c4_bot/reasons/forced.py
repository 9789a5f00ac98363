"""Wins by force: the opponent has one answer to each move, or none, that does not lose at once."""

from dataclasses import dataclass

from c4_protocol.rules.position import Position, completing_cells
from c4_protocol.rules.variant import cells_of

MAX_MOVES = 12
"""Maximum length of a forced win, in moves of the winner."""
MAX_NODES, CELLS = 500, 64
"""Maximum number of moves of the winner that are tried to find a forced win. On a board of more
than ``CELLS`` cells it is smaller, so that the time stays about the same."""


def safe_moves(position: Position) -> int:
    """Return the moves after which the opponent cannot complete a line at once, as a bitboard.

    The position is one in which the player to move cannot complete a line.
    """
    threats = completing_cells(position.other, position.variant) & ~position.occupied
    moves = position.playable
    if stops := threats & moves:
        moves = stops if stops.bit_count() == 1 else 0
    return moves & ~(threats >> 1) if position.variant.gravity else moves


def forced_win(position: Position) -> tuple[int, ...]:
    """Return the shortest forced win of the player to move, as the cells of its moves.

    Each answer in it is the only one that does not lose at once, except the last answer: there any
    answer loses. The result is empty if no win is found within ``MAX_MOVES`` and ``MAX_NODES``.
    """
    search = _Forcing(MAX_NODES * CELLS // max(CELLS, position.variant.cells))
    for moves in range(1, MAX_MOVES + 1):
        search.is_cut = False
        line = search.win_within(position, moves)
        if line or not search.is_cut:
            return line
    return ()


@dataclass
class _Forcing:
    """A search for a forced win. ``is_cut`` says whether more moves or nodes could find one."""

    nodes_left: int
    is_cut: bool = False

    def win_within(self, position: Position, moves: int) -> tuple[int, ...]:
        """Return a forced win of at most ``moves`` moves of the player to move, or ``()``."""
        if wins := position.winning_cells:
            return (next(cells_of(wins)),)
        if moves == 1:
            self.is_cut = True
            return ()
        candidates = safe_moves(position)
        for cell in position.moves:
            if candidates >> cell & 1 and (line := self._win_after(position, cell, moves)):
                return line
        return ()

    def _win_after(self, position: Position, cell: int, moves: int) -> tuple[int, ...]:
        """Return a forced win that begins with a safe move, or ``()``."""
        if not self.nodes_left:
            return ()
        self.nodes_left -= 1
        child = position.play(cell)
        answers = safe_moves(child)
        if not answers:
            end = last_moves(child)  # empty on a full board
            return (cell, *end) if end else ()
        if answers & (answers - 1):
            return ()
        answer = answers.bit_length() - 1
        line = self.win_within(child.play(answer), moves - 1)
        return (cell, answer, *line) if line else ()


def last_moves(position: Position) -> tuple[int, ...]:
    """Return an answer and the win after it, in a position in which no answer is safe.

    The answer stops a line, if possible. The result is empty on a full board.
    """
    moves = position.opponent_winning_cells or position.playable
    if not moves:
        return ()
    answer = next(cells_of(moves))
    return answer, next(cells_of(position.play(answer).winning_cells))
