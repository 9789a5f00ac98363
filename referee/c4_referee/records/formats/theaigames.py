"""Dumps of games of theaigames and riddles.io: what an engine and a bot wrote to each other.

The lines that the engine sends begin with ``settings``, ``update`` and ``action``. The answers of
the bot follow ``Output from your bot:``, or are lines of their own. All other lines are ignored.
The moves of both players follow from the boards of ``update game field``. A new game begins with
settings, or with a board that has fewer stones.

theaigames numbers the players 1 and 2, and separates rows with semicolons. riddles.io numbers them
0 and 1, and marks empty cells with dots. A dump does not say who won. If the moves do not end the
game, a bot that gave as many wrong answers as its engine allows has lost.
"""

import re
from collections.abc import Iterator

from c4_protocol.dialects import riddles, theaigames
from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import shortened
from c4_protocol.rules.variant import STANDARD, Variant

from c4_referee.records.formats import NumberedLines, StoredGame, UnreadableLine
from c4_referee.records.formats.game_moves import BoardGames

FIRST_LINE = re.compile(rb"\s*(settings|update|action) \w+|\s*Round \d+\s*(\n|$)")
ANSWER_LINE = re.compile(r'(?:Output from your bot: *"?)?(?:place_disc|place_disk) +(\d{1,3})"?')
EMPTY_ANSWER_LINE = re.compile(r"Output from your bot:")
ENGINE_PLAYER_NAMES = ("player1", "player2")
"""Names of the players if the settings do not name them."""


def recognises(start: bytes) -> bool:
    """Return whether a file begins like the lines that an engine sends."""
    return FIRST_LINE.match(start) is not None


def read(lines: NumberedLines) -> Iterator[StoredGame | UnreadableLine]:
    """Generate the games. A board that does not follow from the board before it is reported."""
    settings: dict[str, str] = {}
    games = BoardGames(ENGINE_PLAYER_NAMES, theaigames.PLATFORM.tries)
    for number, line in lines:
        text = line.decode(errors="replace").strip()
        kind, _, rest = text.partition(" ")
        if kind == "settings":
            if games.has_boards:
                yield from games.end()
                settings = {}
            name, _, settings[name] = rest.partition(" ")
        elif text.startswith("update game field "):
            try:
                yield from _games_before_board(
                    games, settings, number, rest.removeprefix("game field ")
                )
            except (ValueError, ArenaError) as error:
                yield UnreadableLine(number, str(error))
        elif answer := ANSWER_LINE.fullmatch(text):
            games.answers.append(int(answer[1]))
        elif EMPTY_ANSWER_LINE.match(text):
            games.answers.append(None)
    yield from games.end()


def _games_before_board(
    games: BoardGames, settings: dict[str, str], number: int, field: str
) -> Iterator[StoredGame | UnreadableLine]:
    """Continue with the board of a line.

    Raises ``ValueError`` or ``ArenaError`` if the line does not show a board.
    """
    is_riddles = "field_width" in settings or "." in field
    platform = riddles.PLATFORM if is_riddles else theaigames.PLATFORM
    grid = platform.grid("".join(field.split()).encode(), _number_of_columns(settings))
    first, _, second = settings.get("player_names", "").partition(",")
    games.names = (
        first.strip() or ENGINE_PLAYER_NAMES[0],
        second.strip() or ENGINE_PLAYER_NAMES[1],
    )
    games.tries = platform.tries
    yield from games.show(number, grid, Variant(len(grid), len(grid[0])))


def _number_of_columns(settings: dict[str, str]) -> int:
    """Return the number of columns in the settings; raise ``ValueError`` if it is none."""
    text = settings.get("field_width") or settings.get("field_columns") or f"{STANDARD.width}"
    if not re.fullmatch("[1-9][0-9]?", text):
        raise ValueError(f"{shortened(text)} is not a number of columns")
    return int(text)
