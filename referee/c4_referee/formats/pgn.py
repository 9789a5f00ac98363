"""Portable Game Notation (Edwards 1994), as cutechess and others write it. White goes first.

The tags White, Black and Result are read, and Termination if it names a forfeit. Moves are not
interpreted. Two games are equal if the texts of their moves and their first positions (the tag FEN)
are equal.
"""

import re
from collections.abc import Iterator

from c4_referee.formats import Lines, StoredGame, UnreadableLine, result

TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
ESCAPED = re.compile(r"\\(.)")
NO_MOVES = re.compile(r"\{[^}]*\}?|;[^\n]*|\$\d+|\b\d+\.+|1-0|0-1|1/2-1/2|\*|\s+")
"""Text between moves: comments, annotation glyphs such as $1, move numbers, results and blanks."""
FORFEIT_TERMINATIONS = (
    "time forfeit",
    "illegal move",
    "stalled connection",
    "abandoned",
    "rules infraction",
)
"""Values of Termination for a forfeit. Games with any other value were not forfeited."""


def recognises(line: bytes) -> bool:
    """Return whether a line begins like a tag, or with %, which marks a line to ignore."""
    return line.lstrip().startswith((b"[", b"%"))


def read(lines: Lines) -> Iterator[StoredGame | UnreadableLine]:
    """Generate the games. A new game begins at a tag that follows moves or is repeated."""
    game = _Game(0)
    for number, line in lines:
        text = _text(line).strip()
        tag = TAG.fullmatch(text)
        if tag and (game.moves or tag[1] in game.tags):
            yield from game.end()
            game = _Game(number)
        if tag:
            game.began = game.began or number
            game.tags[tag[1]] = ESCAPED.sub(r"\1", tag[2])
        elif text.startswith("[") and not game.moves:
            yield UnreadableLine(number, f"{text[:60]!r} is not a tag")
        elif text and not text.startswith("%"):
            game.began = game.began or number
            game.moves.append(text)
    yield from game.end()


class _Game:
    """The tags and moves of a game.

    ``began`` is the number of the first line of the game, or 0 if no line was read.
    """

    def __init__(self, began: int) -> None:
        self.began = began
        self.tags: dict[str, str] = {}
        self.moves: list[str] = []

    def end(self) -> Iterator[StoredGame | UnreadableLine]:
        """Generate the game, or the line with its mistake, or nothing if no line was read."""
        if not self.began:
            return
        missing = [name for name in ("White", "Black", "Result") if name not in self.tags]
        if missing:
            yield UnreadableLine(self.began, f"the game that begins here has no tag {missing[0]}")
            return
        names = self.tags["White"], self.tags["Black"]
        try:
            yield result(
                *names, self.tags["Result"], self._course(), self._forfeit(), self._opening()
            )
        except ValueError as error:
            yield UnreadableLine(self.began, f"in the game that begins here {error}")

    def _course(self) -> str | None:
        """Return the first position and the moves as text, or ``None`` if there are no moves."""
        moves = NO_MOVES.sub(" ", "\n".join(self.moves)).split()
        return " ".join([self._opening(), *moves]) if moves else None

    def _opening(self) -> str:
        """Return the first position, or an empty text for the usual one."""
        return self.tags.get("FEN", "")

    def _forfeit(self) -> str:
        """Return the fault by which the game was forfeited, or an empty text."""
        ended = self.tags.get("Termination", "")
        return ended if ended in FORFEIT_TERMINATIONS else ""


def _text(line: bytes) -> str:
    """Return a line decoded as UTF-8, or if this fails as Latin-1, which the standard demands."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")
