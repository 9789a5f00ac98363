"""The line protocol behind seed document 001_1294e05e20fb963c.txt and its "go command".

It is that of the University of Newcastle's COMP2230::

    referee  name AI 0                      bot  c4arena-c0000000
             isready AI 0                        readyok
             position startpos 334               (nothing)
             go ftime 120000 stime 119500        info depth 9     (info only if asked for)
                                                 bestmove 3 12
             perft 2                             perft 2 57
             quit                                quitting

The game is the standard one. Moves are digits, columns from 0, and begin with those of whoever
opened the game: that one is player 1 here, whatever the referee calls him. ``go`` tells the
milliseconds that the first and the second player have left; a move adds one. ``perft`` counts
from the last position, at first the empty board.

The course's own coordinator puts words behind ``name`` and ``isready``, passes over all that it
does not know before ``bestmove``, and asks for a move on a full board as well: the answer to that,
and in a game that is won, is ``bestmove 0 0``.
"""

import re
from collections.abc import Sequence
from math import isfinite

from c4_protocol import dialects
from c4_protocol.errors import IllegalMove, ImpossiblePosition, ProtocolError, VariantError
from c4_protocol.messages import Clock, Info, Precept, Time
from c4_protocol.notation import WireMove
from c4_protocol.perft import Perft
from c4_protocol.position import Position, Seat, other_seat, seat_at
from c4_protocol.variant import STANDARD, cells_of

NAME = b"c4arena-c0000000\n"
READY = b"readyok\n"
HANDSHAKE = b"name AI 0\nisready AI 0\n"
NO_MOVE = b"bestmove 0 0\n"
CLOCK_MS = 120_000
"""The clock of the course's coordinator, told where a player has no limit."""
INCREMENT_MS = 1


class BotEnd(dialects.BotEnd):
    """Remembers the position between ``position`` and ``go``; at first it is the empty board."""

    variant = STANDARD
    opening = re.compile(rb"(name|isready|position|go|perft|quit)(\s|$)")

    def __init__(self) -> None:
        self._known: Position | None = Position()

    def read_precept(self, line: bytes) -> Precept | Perft | bytes:
        """A command; words behind ``name``, ``isready`` and ``quit`` mean nothing."""
        match line.split():
            case [b"name", *_]:
                return NAME
            case [b"isready", *_]:
                return READY
            case [b"position", *words]:
                self._known = None
                self._known = _position(words)
                return b""
            case [b"go", *words]:
                return self._go(words)
            case [b"perft", depth]:
                return Perft(self._position(), _number(depth))
            case [b"quit", *_]:
                self.is_over = True
                return b"quitting\n"
        raise ProtocolError(
            "no command: say name, isready, position startpos MOVES, go, perft DEPTH or quit"
        )

    def write_move(self, move: WireMove, info: Info | None = None, score: float = 0) -> bytes:
        """``bestmove COLUMN SCORE``, with lines of ``info`` before it where given."""
        lines = [] if info is None else _told(info)
        return "".join(f"{line}\n" for line in [*lines, f"bestmove {move} {score:.0f}"]).encode()

    def _go(self, words: Sequence[bytes]) -> Precept | bytes:
        position = self._position()
        clock = _clock(words, position.player)
        return NO_MOVE if position.is_over else Precept.of(position, clock)

    def _position(self) -> Position:
        if self._known is None:
            raise ProtocolError("there is no position: the last one was refused")
        return self._known


def _position(words: Sequence[bytes]) -> Position:
    """The position of ``startpos MOVES``; a game may be over, but not go on from there."""
    if words[:1] != [b"startpos"]:
        raise ProtocolError("say position startpos MOVES, all moves in one word")
    position = Position()
    for number, digit in enumerate(b"".join(words[1:]), 1):
        if position.is_over:
            raise ProtocolError(f"move {number} comes after the end of the game")
        try:
            position = position.play(position.check(_number(bytes([digit]))))
        except (IllegalMove, ProtocolError) as error:
            raise ProtocolError(f"move {number}: {error}") from None
    return position


def _clock(words: Sequence[bytes], player: Seat) -> Clock | None:
    """The clock of a player, if ``go`` tells it; one that has run out is at 0."""
    told = dict(zip(words[::2], words[1::2], strict=False))
    left = told.get(b"ftime" if player == 1 else b"stime")
    if left is None:
        return None
    return Clock(remaining_ms=max(0, _number(left)), increment_ms=INCREMENT_MS)


def _number(word: bytes) -> int:
    if not re.fullmatch(rb"-?[0-9]{1,15}", word):
        raise ProtocolError(f"{word[:20]!r} is no number")
    return int(word)


def _told(info: Info) -> list[str]:
    """What the player saw, as lines."""
    expected = " ".join(map(str, info.pv))
    exact = ", exact" if info.exact else ""
    reason = " ".join(info.reason.split())
    return [
        f"info depth {info.depth}",
        f"info nodes {info.nodes}",
        f"info score {info.score:.0f}",
        f"info string {info.ms:g} ms{exact}, expecting {expected}; {reason}",
    ]


class RefereeEnd(dialects.RefereeEnd):
    """Asks for the name and waits for ``readyok`` before its first question.

    Lines that are none of its business are passed over. The moves that it tells are those that
    were made, as far as two of its questions show them, and else any that lead to the position.
    """

    variant = STANDARD
    farewell = b"quit\n"

    def __init__(self) -> None:
        self._is_ready = False
        self._question = b""
        self._told = Position()
        self._moves = ""

    def may_say(self, text: bytes) -> bool:
        """All but an answer."""
        return not re.search(rb"^\s*bestmove\b", text, re.MULTILINE)

    def write_precept(
        self, position: Position, time: Time | None = None, other: Time | None = None
    ) -> bytes:
        """``position`` and ``go``; at first the handshake, ahead of them.

        ``CLOCK_MS`` where a player has no limit, and his time for a move where he has no clock.
        Raises ``VariantError``, and ``ImpossiblePosition`` for one that no moves lead to.
        """
        if position.variant != STANDARD:
            raise VariantError(f"c4engine knows only the standard game, not {position.variant}")
        self._follow(_opened_by_player_1(position))
        first, second = (time, other) if self._told.player == 1 else (other, time)
        clocks = f"go ftime {_left_ms(first)} stime {_left_ms(second)}"
        self._question = f"position startpos {self._moves}\n{clocks}\n".encode()
        return self._question if self._is_ready else HANDSHAKE

    def read_move(self, line: bytes) -> WireMove | bytes:
        """The column of ``bestmove``; the first question in answer to ``readyok``."""
        match line.split():
            case [b"readyok", *_] if not self._is_ready:
                self._is_ready = True
                return self._question
            case [b"bestmove", *words]:
                if not self._is_ready:
                    raise ProtocolError("bestmove, but it has not said readyok")
                if not words:
                    raise ProtocolError("bestmove names no column")
                return _number(words[0])
        return b""

    def _follow(self, position: Position) -> None:
        """Adds the moves that were made since the last question."""
        moves = _moves_between(self._told, position)
        if moves is None:
            self._moves = ""
            moves = _moves_between(Position(), position)
        if moves is None:
            raise ImpossiblePosition("no moves lead to the position")
        self._moves += "".join(map(str, moves))
        self._told = position


def _left_ms(time: Time | None) -> int:
    """What ``go`` tells of a player's time."""
    left = time if time is None or isinstance(time, float | int) else time.remaining_ms
    return int(left) if left is not None and isfinite(left) else CLOCK_MS


def _opened_by_player_1(position: Position) -> Position:
    """The same position with the players' names exchanged, if player 2 opened the game."""
    if position.player == seat_at(position.ply):
        return position
    first, second = position.stones
    return Position(position.variant, (second, first), other_seat(position.player))


def _moves_between(start: Position, goal: Position) -> list[int] | None:
    """Columns that lead from one position to another in which the game is not over, if any do."""
    if any(stones & ~later for stones, later in zip(start.stones, goal.stones, strict=True)):
        return None
    hopeless = set()

    def search(position: Position) -> list[int] | None:
        if position.stones == goal.stones:
            return []
        mine = goal.stones[position.player - 1]
        for cell in cells_of(position.playable & mine):
            following = position.play(cell)
            if following.stones not in hopeless and (rest := search(following)) is not None:
                return [STANDARD.column_of(cell), *rest]
        hopeless.add(position.stones)
        return None

    return search(start)
