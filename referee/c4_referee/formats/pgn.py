"""Portable Game Notation (Edwards 1994), as cutechess and others write it. White goes first.

The tags White, Black and Result are read, Variant if there is one, and Termination if it names a
forfeit. Moves are not interpreted. Two games are equal if the texts of their moves, their first
positions (the tag FEN) and their variants are equal.

Games that this project writes have a tag OpeningMoves: the moves that the referee made for both
players, which are also the first moves of the game. All their moves are known, even if there are
none.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from c4_protocol.text import shortened

from c4_referee.formats import Lines, StoredGame, UnreadableLine, result

TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"((?:[^"\\]|\\.)*)"\s*\]')
TAGS = re.compile(rf"(?:{TAG.pattern}\s*)+")
COMMENT = re.compile(r"\{[^}]*\}|;.*")
MARK = "\n}"
"""Text that is added to a line. If a comment is open at the end of the line, this text ends the
comment and is removed with it."""
ESCAPED = re.compile(r"\\(.)")
NO_MOVES = re.compile(r"\$\d+|\b\d+\.+|1-0|0-1|1/2-1/2|\*|\s+")
"""Text between moves: annotation glyphs such as $1, move numbers, results and blanks."""
FORFEIT_TERMINATIONS = (
    "time forfeit",
    "illegal move",
    "stalled connection",
    "abandoned",
    "rules infraction",
)
"""Values of Termination for a forfeit. Upper and lower case count as equal. Games with any other
value were not forfeited."""


OPENING_MOVES = "OpeningMoves"
MOVES_IN_LINE = 10
"""Number of moves in a line of a game, whose names are so short that a line has at most 80
characters."""


def recognises(line: bytes) -> bool:
    """Return whether a line begins like a tag, or with %, which marks a line to ignore."""
    return line.lstrip().startswith((b"[", b"%"))


def read(lines: Lines) -> Iterator[StoredGame | UnreadableLine]:
    """Generate the games. A new game begins at a tag that follows moves or is repeated."""
    game, comments = _Game(), _Comments()
    for number, line in lines:
        text = comments.remove(number, _text(line)).strip()
        if TAGS.fullmatch(text):
            for name, value in TAG.findall(text):
                if game.moves or name in game.tags:
                    yield from game.end()
                    game = _Game()
                game.add_tag(number, name, value)
        elif text.startswith("[") and not game.moves:
            yield UnreadableLine(number, f"{shortened(text)} is not a tag")
        elif text:
            game.add_moves(number, text)
    yield from game.end()
    if comments.began:
        yield UnreadableLine(comments.began, "the comment that begins here does not end")


class _Comments:
    """Comments, which may be longer than a line.

    ``began`` is the number of the line in which the open comment began, or 0 outside comments.
    """

    def __init__(self) -> None:
        self.began = 0

    def remove(self, number: int, text: str) -> str:
        """Return the text of the next line without comments. A malformed tag begins no comment."""
        if self.began:
            _, end, text = text.partition("}")
            if not end:
                return ""
            self.began = 0
        elif text.lstrip().startswith("%"):
            return ""
        if "{" not in text and ";" not in text:
            return text
        tags = TAGS.match(text := text.lstrip())  # quotes in tags may hold any characters
        start = tags[0] if tags else ""
        marked = start + COMMENT.sub(" ", text.removeprefix(start) + MARK)
        plain = marked.removesuffix(MARK)
        if plain.startswith("[") and not TAGS.fullmatch(plain):
            return text
        if plain == marked:
            self.began = number
        return plain


class _Game:
    """The tags and moves of a game.

    ``began`` is the number of the first line of the game, or 0 if no line was read.
    """

    def __init__(self) -> None:
        self.began = 0
        self.tags: dict[str, str] = {}
        self.moves: list[str] = []

    def add_tag(self, number: int, name: str, value: str) -> None:
        """Add a tag from the line with this number. The value may have escapes."""
        self.began = self.began or number
        self.tags[name] = ESCAPED.sub(r"\1", value).strip()

    def add_moves(self, number: int, text: str) -> None:
        """Add the text of moves from the line with this number."""
        self.began = self.began or number
        self.moves.append(text)

    def end(self) -> Iterator[StoredGame | UnreadableLine]:
        """Generate the game, or the line with its mistake, or nothing if no line was read."""
        if not self.began:
            return
        missing = [name for name in ("White", "Black", "Result") if name not in self.tags]
        if missing:
            yield UnreadableLine(self.began, f"the game that begins here has no tag {missing[0]}")
            return
        try:
            yield result(
                self.tags["White"],
                self.tags["Black"],
                self.tags["Result"],
                self._course(),
                self._forfeit(),
                self._opening(),
                self.tags.get("Variant", ""),
            )
        except ValueError as error:
            yield UnreadableLine(self.began, f"in the game that begins here {error}")

    def _course(self) -> str | None:
        """Return the first position and the moves as text, or ``None`` if there are no moves."""
        moves = NO_MOVES.sub(" ", "\n".join(self.moves)).split()
        is_known = moves or OPENING_MOVES in self.tags
        return " ".join([self.tags.get("FEN", ""), *moves]) if is_known else None

    def _opening(self) -> str:
        """Return the first position or the moves of the opening, or an empty text."""
        return self.tags.get("FEN", "") or self.tags.get(OPENING_MOVES, "")

    def _forfeit(self) -> str:
        """Return the fault by which the game was forfeited, or an empty text."""
        ended = " ".join(self.tags.get("Termination", "").lower().split())
        return ended if ended in FORFEIT_TERMINATIONS else ""


def write(tags: Mapping[str, str], moves: Sequence[str]) -> str:
    """Return a game in PGN, followed by a blank line.

    ``tags`` are in the order in which they are written. One of them is Result.
    """
    heading = "".join(f'[{name} "{_quoted(value)}"]\n' for name, value in tags.items())
    words = [move if ply % 2 else f"{ply // 2 + 1}. {move}" for ply, move in enumerate(moves)]
    lines = [words[start : start + MOVES_IN_LINE] for start in range(0, len(words), MOVES_IN_LINE)]
    text = "".join(f"{' '.join(line)}\n" for line in lines)
    return f"{heading}\n{text}{tags['Result']}\n\n"


def _quoted(value: str) -> str:
    """Return the value of a tag with its escapes."""
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _text(line: bytes) -> str:
    """Return a line decoded as UTF-8, or if this fails as Latin-1, which the standard demands."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")
