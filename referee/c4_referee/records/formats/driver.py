"""Output of a course's driver: successive boards, or the lines of its pipe to a bot.

Drivers print games in different ways. These are read:

- Precepts and answers: ``{"grid": ...}`` and ``{"move": 3}``, one on each line, as between a driver
  and one bot or both bots.
- Boards with a row of text on each line, from the top: 0, 1 and 2, or ``.``, ``-`` or ``_`` with
  X and O, or R and Y. Blanks, commas, ``|`` and brackets may separate the cells; between two ``|``,
  blanks are an empty cell. X and R are player 1.

A line such as "Player 2 wins" or "draw" gives the result if the moves do not end the game. Other
lines are ignored. A game begins with a board that has fewer stones than the board before it.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, groupby
from typing import Literal

from c4_protocol.dialects.jsonl import RefereeEnd, precept_of
from c4_protocol.program.errors import ArenaError, IllegalMove, ProtocolError
from c4_protocol.rules.notation import WireMove, cell_of_wire, shown_position
from c4_protocol.rules.position import Position
from c4_protocol.rules.route import moves_between
from c4_protocol.rules.variant import MAX_SIDE, Variant

from c4_referee.records.formats import (
    RESULTS_BY_WINNER,
    NumberedLines,
    StoredGame,
    UnreadableLine,
)
from c4_referee.records.formats.game_moves import played_game

Grid = Sequence[Sequence[int]]
Player = Literal[0, 1, 2]
"""Number of a player in a file, or 0 for none of them."""
DRIVER_PLAYER_NAMES = ("player 1", "player 2")
MIN_WIDTH, MIN_HEIGHT = 4, 3
"""Minimum size of a printed board. Smaller blocks of text are no boards."""
CELL_VALUES: dict[str, Player] = {
    "": 0, "0": 0, ".": 0, "-": 0, "_": 0, "1": 1, "X": 1, "R": 1, "2": 2, "O": 2, "Y": 2,
}  # fmt: skip
"""Players by the text of a cell in upper case; 0 for an empty cell."""
SEPARATORS = re.compile(r"[\s,\[\](){}'\"]+")
WINNER_PATTERNS = (
    re.compile(r"\b(?:player ?)?([12XORY]) (?:wins|won|is the winner)\b", re.IGNORECASE),
    re.compile(r"\bwinner(?: is|:)? (?:player ?)?([12XORY])\b", re.IGNORECASE),
)
"""Texts that name the winner."""
DRAW_PATTERN = re.compile(r"\b(?:draw|drawn|tie|tied)\b", re.IGNORECASE)
RULER_CHARACTERS = "-_"
"""Signs that are free cells if separators are between them, and otherwise a line below a board."""
BoardRow = tuple[Player, ...]
"""Players of the cells of a row, 0 for a free cell."""


class _ShownGame:
    """Moves of a game that a file shows as successive boards, from line ``began`` on.

    ``opener`` is the player who made the first move, 0 until it is known. This player has seat 1.
    ``opening`` is the number of moves that lead to the first board with stones, if they are more
    than two. Their order is not known.
    """

    def __init__(self, variant: Variant, began: int) -> None:
        self.position = Position(variant)
        self.began = began
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
            self.play(cell)
        return True

    def play(self, cell: int) -> None:
        """Make a move."""
        self.position = self.position.play(cell)
        self.cells.append(cell)


class _BoardGames:
    """Games from a text of successive boards and answers.

    A game begins with a board that has fewer stones than the board before it, or another size. At
    the end of a game, the last ``answer`` is its last move if no board shows it and it is legal.
    ``winner`` is the player who has won, 0 for a draw, and ``None`` if the file does not say it.
    """

    def __init__(self) -> None:
        self.winner: Player | None = None
        self.answer: WireMove | None = None
        self._shown: _ShownGame | None = None
        self._stones = 0
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
            self._shown = _ShownGame(variant, number)
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
        shown, names, winner = self._shown, DRIVER_PLAYER_NAMES, self.winner
        if shown and not self._is_damaged:
            if shown.opener == 2:  # then player 2 has seat 1
                names, winner = (names[1], names[0]), winner and (2 if winner == 1 else 1)
            claimed = "" if winner is None else RESULTS_BY_WINNER[winner]
            try:
                if self.answer is not None and not shown.position.is_over:
                    with suppress(IllegalMove):
                        shown.play(cell_of_wire(shown.position, self.answer))
                opening = shown.opening
                yield played_game(names, shown.position, shown.cells, claimed, opening=opening)
            except (ValueError, ArenaError) as error:
                yield UnreadableLine(shown.began, f"in the game that begins here {error}")
        self._shown, self._is_damaged, self._stones = None, False, 0
        self.winner = self.answer = None


def recognises(start: bytes) -> bool:
    """Return whether a file begins with a precept, or has a printed board with a free cell."""
    lines = start.splitlines()
    if first := next((line for line in lines if line.lstrip().startswith(b"{")), b""):
        return b'"grid"' in first and b'"event"' not in first
    blocks = groupby(map(_row_of_line, lines), key=len)
    boards = ([*rows] for width, rows in blocks if width)
    return any(len(rows) >= MIN_HEIGHT and 0 in rows[0] for rows in boards)


def read(lines: NumberedLines) -> Iterator[StoredGame | UnreadableLine]:
    """Generate the games. A board that does not follow from the board before it is reported."""
    games, rows, began = _BoardGames(), list[BoardRow](), 0
    for number, line in chain(lines, [(0, b"")]):
        row = _row_of_line(line)
        if rows and len(row) != len(rows[0]):
            yield from _games_of_rows(games, began, rows)
            rows = []
        if row:
            began = began if rows else number
            if len(rows) <= MAX_SIDE:
                rows.append(row)
        elif line.lstrip().startswith(b"{"):
            yield from _read_message(games, number, line)
        else:
            games.winner = _winner_of_line(line.decode(errors="replace"), games.winner)
    yield from games.end()


def _games_of_rows(
    games: _BoardGames, began: int, rows: list[BoardRow]
) -> Iterator[StoredGame | UnreadableLine]:
    """Continue with rows of equal length. Line ``began`` has the first of them."""
    if len(rows) > MAX_SIDE:
        yield UnreadableLine(began, f"the board that begins here has more than {MAX_SIDE} rows")
    elif len(rows) >= MIN_HEIGHT:
        variant = Variant(len(rows[0]), len(rows))
        yield from games.show(began, [*zip(*rows, strict=True)], variant)


def _row_of_line(line: bytes) -> BoardRow:
    """Return the row of a board that a line shows, empty if it shows none."""
    text = line.decode(errors="replace").strip().strip("|").upper()
    cells = text.split("|") if "|" in text else SEPARATORS.sub(" ", text).split()
    if len(cells) == 1 and not set(text) <= set(RULER_CHARACTERS):
        cells = [*text]
    values = [CELL_VALUES.get(cell.strip()) for cell in cells]
    if len(values) < MIN_WIDTH or len(values) > MAX_SIDE:
        return ()
    row = tuple(cell for cell in values if cell is not None)
    return row if len(row) == len(values) else ()


def _read_message(
    games: _BoardGames, number: int, line: bytes
) -> Iterator[StoredGame | UnreadableLine]:
    """Continue with a precept or an answer. Other lines that begin with { are ignored."""
    with suppress(ProtocolError, IllegalMove):
        games.answer = RefereeEnd().read_move(line)
        return
    if b'"grid"' in line:
        try:
            precept = precept_of(line)
            yield from games.show(number, precept.grid, precept.variant(), precept.player or 0)
        except ProtocolError as error:
            yield UnreadableLine(number, str(error))


def _winner_of_line(text: str, known: Player | None) -> Player | None:
    """Return the player who has won according to a line; ``known`` if the line does not say it."""
    for pattern in WINNER_PATTERNS:
        if match := pattern.search(text):
            return CELL_VALUES[match[1].upper()]
    return 0 if DRAW_PATTERN.search(text) else known
