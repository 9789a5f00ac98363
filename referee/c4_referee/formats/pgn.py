"""Portable Game Notation (Edwards 1994), as cutechess and others write it: White goes first.

The tags White, Black and Result are read, and Termination where it tells of a forfeit. What is
written of moves is not understood: it tells games apart, with the FEN they began from.
"""

import re
from collections.abc import Iterator

from c4_referee.formats import BadLine, Lines, Result, result

TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
ESCAPED = re.compile(r"\\(.)")
NO_MOVES = re.compile(r"\{[^}]*\}?|;[^\n]*|\$\d+|\b\d+\.+|1-0|0-1|1/2-1/2|\*|\s+")
"""Comments, glyphs, numbers of moves, results and blanks."""
FORFEITS = ("time forfeit", "illegal move", "stalled connection", "abandoned", "rules infraction")
"""Of the values of Termination; the others tell of games that were played to an end."""


def recognises(line: bytes) -> bool:
    """A tag, or a line that only programs read."""
    return line.lstrip().startswith((b"[", b"%"))


def read(lines: Lines) -> Iterator[Result | BadLine]:
    """One game after another.

    A game ends where a tag comes after its moves, or comes again.
    """
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
            yield BadLine(number, f"{text[:60]!r} is no tag")
        elif text and not text.startswith("%"):
            game.began = game.began or number
            game.moves.append(text)
    yield from game.end()


class _Game:
    """What has been read of a game that began in a line."""

    def __init__(self, began: int) -> None:
        self.began = began
        self.tags: dict[str, str] = {}
        self.moves: list[str] = []

    def end(self) -> Iterator[Result | BadLine]:
        """The game, unless nothing was read of it."""
        if not self.began:
            return
        missing = [name for name in ("White", "Black", "Result") if name not in self.tags]
        if missing:
            yield BadLine(self.began, f"the game that begins here has no tag {missing[0]}")
            return
        names = self.tags["White"], self.tags["Black"]
        try:
            yield result(*names, self.tags["Result"], self._course(), self._forfeit())
        except ValueError as error:
            yield BadLine(self.began, f"in the game that begins here {error}")

    def _course(self) -> str | None:
        """The moves, and where they began; ``None`` if there are none."""
        moves = NO_MOVES.sub(" ", "\n".join(self.moves)).split()
        return " ".join([self.tags.get("FEN", ""), *moves]) if moves else None

    def _forfeit(self) -> str:
        """The reason, if the game was lost by one."""
        ended = self.tags.get("Termination", "")
        return ended if ended in FORFEITS else ""


def _text(line: bytes) -> str:
    """UTF-8, or else the character set of the standard, in which all bytes are a text."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")
