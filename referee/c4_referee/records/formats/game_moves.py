"""Moves of games that a file writes as text, or shows only as successive boards.

Every function here checks its moves by the rules. For texts and boards that are not those of a
game, it raises ``ArenaError`` or ``ValueError``.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Literal

from c4_protocol.program.errors import ArenaError, IllegalMove
from c4_protocol.program.text import shortened
from c4_protocol.rules.notation import (
    COLUMN_NAMES,
    WireMove,
    cell_of_wire,
    moves_text,
    replay,
    shown_position,
)
from c4_protocol.rules.position import Position, Seat, other_seat
from c4_protocol.rules.route import moves_between
from c4_protocol.rules.variant import Variant

from c4_referee.records.formats import (
    NO_RESULT,
    RESULTS_BY_WINNER,
    StoredGame,
    UnreadableLine,
    game_with_result,
)

SQUARE_PATTERN = re.compile(r"(?:[Pp]?@)?([A-Za-z])([1-9][0-9]?)[+#!?]*")
"""Pattern for a move in a PGN: the file of the stone, from the left, and its rank, from below."""


def move_string(text: str, variant: Variant, start: str = "") -> str:
    """Return the move string of a game: the moves of ``start``, then those that a file lists.

    The text is a move string with any blanks, or a list of squares such as ``d1`` or ``P@d1``.
    Raises ``ArenaError`` or ``ValueError`` if it is not a game.
    """
    squares = [*map(SQUARE_PATTERN.fullmatch, text.split())] if variant.gravity else []
    if not squares or not all(squares):
        joined = ("" if variant.gravity else " ").join([*start.split(), *text.split()])
        replay(joined, variant)
        return joined
    found = [(ord(square[1].lower()) - ord("a"), int(square[2])) for square in squares if square]
    moves = start + "".join(COLUMN_NAMES[column] for column, _ in found)
    cells = replay(moves, variant)[1]
    for square, (_, rank), cell in zip(squares, found, cells[-len(found) :], strict=True):
        if square and variant.row_of(cell) != rank - 1:
            raise ValueError(f"{shortened(square[0])} is not where the stone falls in its column")
    return moves


def played_game(
    names: tuple[str, str],
    position: Position,
    cells: Sequence[int],
    claimed: str = "",
    fault: str = "",
    opening: int = 0,
) -> StoredGame:
    """Return a game whose moves lead to ``position``. The rules give its result if it is over.

    ``names`` are in the order of the seats. ``claimed`` is the result in the file, as in
    ``WINNERS``, or empty. ``fault`` is the fault by which the loser forfeited the game, or empty.
    ``opening`` is the number of moves of the opening. Raises ``ValueError`` if the moves give
    another result.
    """
    if position.is_over:
        claimed, fault = checked_result(claimed, position), ""
    variant = position.variant
    moves, start = (moves_text(variant, each) for each in (cells, cells[:opening]))
    return game_with_result(*names, claimed or NO_RESULT, moves, fault, start, str(variant))


def checked_result(claimed: str, position: Position) -> str:
    """Return the result of a game that is over; raise ``ValueError`` if the file claims another."""
    given = RESULTS_BY_WINNER[position.winner]
    if claimed not in {"", NO_RESULT, given}:
        raise ValueError(f"the result is {claimed}, but the moves give {given}")
    return given


Grid = Sequence[Sequence[int]]
Player = Literal[0, 1, 2]
"""Number of a player in a file, or 0 for none of them."""


class ShownGame:
    """Moves of a game that a file shows as successive boards.

    ``opener`` is the player who made the first move, 0 until it is known. This player has seat 1.
    ``opening`` is the number of moves that lead to the first board with stones, if they are more
    than two. Their order is not known.
    """

    def __init__(self, variant: Variant) -> None:
        self.position = Position(variant)
        self.cells: list[int] = []
        self.opener: Player = 1 if variant.steal else 0
        self.opening = 0

    def show(self, grid: Grid, to_move: Player) -> bool:
        """Continue the game to a board. Return whether it follows from the board before it.

        ``to_move`` is the player to move, 0 if it is not known. Raises ``ImpossiblePosition``.
        """
        first, second = shown_position(grid, self.position.variant).stones
        if not self.opener and first | second:
            more = first.bit_count() - second.bit_count()
            self.opener = 1 if more > 0 else 2 if more < 0 else to_move or 1
        stones = (second, first) if self.opener == 2 else (first, second)
        found = moves_between(self.position, stones)
        if found is None:
            return False
        if not self.cells and len(found) > len(stones):
            self.opening = len(found)
        for cell in found:
            self._play_cell(cell)
        return True

    def play(self, move: WireMove) -> None:
        """Make a move that no board shows if it is legal."""
        if not self.position.is_over:
            with suppress(IllegalMove):
                self._play_cell(cell_of_wire(self.position, move))

    def player(self, seat: Seat) -> Seat:
        """Return the number of the player in a seat. With a player, return the seat."""
        return other_seat(seat) if self.opener == 2 else seat

    def _play_cell(self, cell: int) -> None:
        self.position = self.position.play(cell)
        self.cells.append(cell)


class BoardGames:
    """Games from a text of successive boards and answers.

    A game begins with a board that has fewer stones than the board before it, or another size. At
    the end of a game, the last ``answer`` is its last move if no board shows it and it is legal.
    ``names`` are those of players 1 and 2. ``winner`` is the player who has won, 0 for a draw, and
    ``None`` if the file does not say it.
    """

    def __init__(self, names: tuple[str, str]) -> None:
        self.names = names
        self.winner: Player | None = None
        self.answer: WireMove | None = None
        self._shown: ShownGame | None = None
        self._began = self._stones = 0
        self._is_damaged = False

    def show(
        self, number: int, grid: Grid, variant: Variant, to_move: Player = 0
    ) -> Iterator[StoredGame | UnreadableLine]:
        """Continue with the board of a line. Generate the last game if this board begins another.

        A board that is impossible, or does not follow from the board before it, is reported, and
        its game is left out.
        """
        stones = sum(cell != 0 for column in grid for cell in column)
        if not self._shown or variant != self._shown.position.variant or stones < self._stones:
            yield from self.end()
            self._shown, self._began = ShownGame(variant), number
        self._stones = stones
        if self._is_damaged:
            return
        before, reason = self._shown.position, ""
        try:
            if not self._shown.show(grid, to_move):
                reason = "the board does not follow from the board before it"
        except ArenaError as error:
            reason = str(error)
        if reason:
            self._is_damaged = True
            yield UnreadableLine(number, reason)
        elif self._shown.position != before:
            self.answer = None

    def end(self) -> Iterator[StoredGame | UnreadableLine]:
        """Generate the game that ends here, or the reason why it cannot be read."""
        if self._shown and not self._is_damaged:
            try:
                yield self._finished_game(self._shown)
            except (ValueError, ArenaError) as error:
                yield UnreadableLine(self._began, f"in the game that begins here {error}")
        self._shown, self._is_damaged, self._stones = None, False, 0
        self.winner = self.answer = None

    def _finished_game(self, shown: ShownGame) -> StoredGame:
        if self.answer is not None:
            shown.play(self.answer)
        names = self.names if shown.opener < 2 else (self.names[1], self.names[0])
        claimed = ""
        if self.winner is not None:
            claimed = RESULTS_BY_WINNER[self.winner and shown.player(self.winner)]
        return played_game(names, shown.position, shown.cells, claimed, opening=shown.opening)
