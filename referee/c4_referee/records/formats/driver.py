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
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, groupby

from c4_protocol.dialects.jsonl import RefereeEnd, precept_of
from c4_protocol.program.errors import IllegalMove, ProtocolError
from c4_protocol.rules.variant import MAX_SIDE, Variant

from c4_referee.records.formats import NumberedLines, StoredGame, UnreadableLine
from c4_referee.records.formats.game_moves import BoardGames, Player

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
    games, rows, began = BoardGames(DRIVER_PLAYER_NAMES), list[BoardRow](), 0
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
    games: BoardGames, began: int, rows: list[BoardRow]
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
    games: BoardGames, number: int, line: bytes
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
