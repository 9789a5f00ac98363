"""Portable Game Notation (Edwards 1994), as cutechess and others write it. White goes first.

The tags White, Black and Result are read, Variant if there is one, Termination if it names a
forfeit, and PlyCount. The text of a game ends with its result; otherwise the game was cut, and is
reported. Blanks at the ends of names count, because two bots may differ in them. Moves are not
interpreted. Two games are equal if the texts of their moves, their first positions (the tag FEN)
and their variants are equal.

If each move has a comment, the comments are the remarks of the game. The first moves with the
comment "book", which cutechess writes, are the opening.

Games that this project writes have a tag OpeningMoves: the moves that the referee made for both
players, which are also the first moves of the game. All their moves are known, even if there are
none. If their Termination is "normal", the last move ended the game. The tag Fault is the name of a
bot and that of the fault that decided the game, and the tag FaultDetail describes the fault.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from c4_protocol.program.text import shortened

from c4_referee.records.formats import NumberedLines, StoredGame, UnreadableLine, game_with_result

TAG_PATTERN = re.compile(r'\[\s*([A-Za-z0-9_]+)\s*"([^"\\]*(?:\\.[^"\\]*)*)"\s*\]')
TAGS_PATTERN = re.compile(rf"(?:{TAG_PATTERN.pattern}\s*)+")
COMMENT_PATTERN = re.compile(r"\{[^}]*\}|;.*")
COMMENT_MARK = "\n}"
"""Text that is added to a line. If a comment is open at the end of the line, this text ends the
comment and is removed with it."""
ESCAPED_CHARACTER = re.compile(r"\\(.)")
NOT_A_MOVE = re.compile(r"\$\d+|\b\d+\.+|1-0|0-1|1/2-1/2|\*|\s+")
"""Text between moves: annotation glyphs such as $1, move numbers, results and blanks."""
COMMENT_TEXT = re.compile(r"\{([^}]*)\}")
BOOK_COMMENT = "book"
"""Comment of cutechess on a move of the opening."""
FORFEIT_TERMINATIONS = (
    "time forfeit",
    "illegal move",
    "stalled connection",
    "abandoned",
    "rules infraction",
)
"""Values of Termination for a forfeit. Upper and lower case count as equal. Games with any other
value were not forfeited."""


UNTERMINATED_TERMINATION = "unterminated"
"""Value of Termination for a game without a result."""
OPENING_MOVES_TAG = "OpeningMoves"
FAULT_TAG, FAULT_DETAIL_TAG = "Fault", "FaultDetail"
NAME_TAGS = ("White", "Black")
"""Tags of this project, and the tags with the names of the bots."""
MOVES_IN_LINE = 10
"""Number of moves in a line of a game, whose names are so short that a line has at most 80
characters."""


def recognises(start: bytes) -> bool:
    """Return whether a file begins like a tag, or with %, which marks a line to ignore."""
    return start.lstrip().startswith((b"[", b"%"))


def read(lines: NumberedLines) -> Iterator[StoredGame | UnreadableLine]:
    """Generate the games. A new game begins at a tag that follows moves or is repeated."""
    game, comments = _PgnGame(), _Comments()
    for number, line in lines:
        text = comments.remove(number, _decoded_line(line)).strip()
        if text.startswith("[") and game.has_ended():
            yield from game.end()
            game = _PgnGame()
        if text.startswith("[") and TAGS_PATTERN.fullmatch(text):
            for name, value in TAG_PATTERN.findall(text):
                if game.moves or name in game.tags:
                    yield from game.end()
                    game = _PgnGame()
                game.add_tag(number, name, value)
        elif text.startswith("[") and not game.moves:
            yield UnreadableLine(number, f"{shortened(text)} is not a tag")
        else:
            game.add_moves(number, text, line)
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
        tags = TAGS_PATTERN.match(text := text.lstrip())  # quotes in tags may hold any characters
        start = tags[0] if tags else ""
        marked = start + COMMENT_PATTERN.sub(" ", text.removeprefix(start) + COMMENT_MARK)
        plain = marked.removesuffix(COMMENT_MARK)
        if plain.startswith("[") and not TAGS_PATTERN.fullmatch(plain):
            return text
        if plain == marked:
            self.began = number
        return plain


class _PgnGame:
    """The tags and moves of a game.

    ``began`` is the number of the first line of the game, or 0 if no line was read.
    """

    def __init__(self) -> None:
        self.began = 0
        self.tags: dict[str, str] = {}
        self.moves: list[str] = []
        self._written: list[bytes] = []

    def add_tag(self, number: int, name: str, value: str) -> None:
        """Add a tag from the line with this number. The value may have escapes."""
        self.began = self.began or number
        text = ESCAPED_CHARACTER.sub(r"\1", value) if "\\" in value else value
        self.tags[name] = text if name in NAME_TAGS else text.strip()

    def add_moves(self, number: int, text: str, line: bytes) -> None:
        """Add the text of moves from the line with this number. ``line`` has its comments."""
        if text or self.moves:
            self.began = self.began or number
            self.moves.append(text)
            self._written.append(line)

    def has_ended(self) -> bool:
        """Return whether the text ends with the result that the tag states."""
        return " ".join(self.moves).split()[-1:] == [self.tags.get("Result")]

    def end(self) -> Iterator[StoredGame | UnreadableLine]:
        """Generate the game, or the line with its mistake, or nothing if no line was read."""
        if not self.began:
            return
        missing = [name for name in (*NAME_TAGS, "Result") if name not in self.tags]
        if missing:
            yield UnreadableLine(self.began, f"the game that begins here has no tag {missing[0]}")
            return
        try:
            yield self._stored_game()
        except ValueError as error:
            yield UnreadableLine(self.began, f"in the game that begins here {error}")

    def _stored_game(self) -> StoredGame:
        """Return the game; raise ``ValueError`` if a tag cannot be read."""
        moves = NOT_A_MOVE.sub(" ", "\n".join(self.moves)).split()
        written = b" ".join(self._written)
        has_all = written.count(b"{") == len(moves)
        found = COMMENT_TEXT.findall(_decoded_line(written)) if has_all else ()
        remarks = tuple(found) if len(found) == len(moves) else ()  # one for each move, or none
        book = next((ply for ply, text in enumerate(remarks) if text != BOOK_COMMENT), len(remarks))
        is_known = moves or OPENING_MOVES_TAG in self.tags
        start = self.tags.get("FEN", "")
        culprit, fault = self._bot_and_fault()
        is_normal = OPENING_MOVES_TAG in self.tags and self.tags.get("Termination") == "normal"
        counted = "" if start else self.tags.get("PlyCount", "")
        game = game_with_result(
            self.tags["White"],
            self.tags["Black"],
            self.tags["Result"],
            " ".join([start, *moves]) if is_known else None,
            fault,
            start or self.tags.get(OPENING_MOVES_TAG, "") or " ".join(moves[:book]),
            self.tags.get("Variant", ""),
            remarks[book:],
            culprit=culprit,
            detail=self.tags.get(FAULT_DETAIL_TAG, ""),
            ending="line" if is_normal else "",
            plies=int(counted) if counted.isdecimal() else None,
        )
        if not self.has_ended():
            result = self.tags["Result"]
            raise ValueError(f"the text does not end with the result {result}: it may be cut")
        return game

    def _bot_and_fault(self) -> tuple[str, str]:
        """Return the bot and the fault that decided the game. They are empty if it is not known."""
        ended = " ".join(self.tags.get("Termination", "").lower().split())
        if ended not in (*FORFEIT_TERMINATIONS, UNTERMINATED_TERMINATION):
            return "", ""
        written = self.tags.get(FAULT_TAG, "")
        for name in sorted((self.tags[tag] for tag in NAME_TAGS), key=len, reverse=True):
            if written.startswith(f"{name}: "):
                return name, written.removeprefix(f"{name}: ")
        return "", "" if ended == UNTERMINATED_TERMINATION else ended


def write(tags: Mapping[str, str], moves: Sequence[str]) -> str:
    """Return a game in PGN, followed by a blank line.

    ``tags`` are in the order in which they are written. One of them is Result.
    """
    heading = "".join(f'[{name} "{_escaped_value(value)}"]\n' for name, value in tags.items())
    words = [move if ply % 2 else f"{ply // 2 + 1}. {move}" for ply, move in enumerate(moves)]
    lines = [words[start : start + MOVES_IN_LINE] for start in range(0, len(words), MOVES_IN_LINE)]
    text = "".join(f"{' '.join(line)}\n" for line in lines)
    return f"{heading}\n{text}{tags['Result']}\n\n"


def _escaped_value(value: str) -> str:
    """Return the value of a tag with its escapes."""
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _decoded_line(line: bytes) -> str:
    """Return a line decoded as UTF-8, or if this fails as Latin-1, which the standard demands."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")
