"""Commands of uci, c4engine and ccfi: ``position``, then ``go``; ``bestmove`` answers."""

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from c4_protocol import dialects
from c4_protocol.dialects._numbers import parsed_number
from c4_protocol.program.errors import IllegalMove, ProtocolError
from c4_protocol.records.messages import Info, Reply
from c4_protocol.rules.notation import WireMove
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD

MoveName = TypeVar("MoveName")


class BotEnd(dialects.BotEnd):
    """The bot's side of a conversation about the standard game.

    It remembers the position of the last ``position`` command. At first this is the empty board.
    """

    variant = STANDARD

    def __init__(self) -> None:
        self._last_position: Position | None = Position()

    def _known_position(self) -> Position:
        if self._last_position is None:
            raise ProtocolError("no position is known: the last one was refused")
        return self._last_position


class RefereeEnd(dialects.RefereeEnd):
    """The referee's side of a conversation about the standard game."""

    variant = STANDARD
    farewell = b"quit\n"

    def may_say(self, text: bytes) -> bool:
        """Return true if no line of the text begins with ``bestmove``."""
        return not re.search(rb"^\s*bestmove\b", text, re.MULTILINE)

    def read_move(self, line: bytes) -> WireMove | Reply:
        """Return the column of ``bestmove``. Other lines are ignored."""
        match line.split():
            case [b"bestmove"]:
                raise ProtocolError("bestmove names no column")
            case [b"bestmove", column, *_]:
                return parsed_number(column)
        return Reply()


def position_after_moves(
    position: Position, names: Iterable[MoveName], cell_of: Callable[[Position, MoveName], int]
) -> Position:
    """Return the position after moves. ``cell_of`` returns the cell of a move, or raises an error.

    Raises ``ProtocolError`` with the number of the wrong move.
    """
    for count, name in enumerate(names, 1):
        if position.is_over:
            raise ProtocolError(f"move {count} comes after the end of the game")
        try:
            position = position.play(cell_of(position, name))
        except (IllegalMove, ProtocolError) as error:
            raise ProtocolError(f"move {count}: {error}") from None
    return position


def answer(best: str, info: Info | None) -> bytes:
    """Return an answer, after lines that describe the search if ``info`` is given."""
    if info is None:
        return f"{best}\n".encode()
    expected = " ".join(map(str, info.pv))
    exact = ", exact" if info.exact else ""
    reason = " ".join(info.reason.split())
    lines = [
        f"info depth {info.depth}",
        f"info nodes {info.nodes}",
        f"info score {info.score:.0f}",
        f"info string {info.ms:g} ms{exact}, expecting {expected}; {reason}",
        best,
    ]
    return "".join(f"{line}\n" for line in lines).encode()
