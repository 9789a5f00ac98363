"""The protocol of engines for COMP2230, a course of the University of Newcastle.

Seed document 001_1294e05e20fb963c.txt belongs to the assignment::

    referee  name AI 0                      bot  c4arena-c0000000
             isready AI 0                        readyok
             position startpos 334               (nothing)
             go ftime 120000 stime 119500        info depth 9     (info is optional)
                                                 bestmove 3 12
             perft 2                             perft 2 57
             quit                                quitting

The game is the standard one. Moves are digits: columns, counting from 0. The player who made the
first move is player 1 here, even if the referee calls it player 2. ``go`` contains the milliseconds
that the first and the second player have left. Each move adds one millisecond. ``perft`` counts
from the last position that was sent, or from the empty board if no position was sent. A bot may
refuse a depth at which counting takes too long.

The coordinator (the referee of the course) adds words after ``name`` and ``isready``, and ignores
unknown lines before ``bestmove``. It also asks for a move on a full board. The bot answers
``bestmove 0 0`` if the game is over.
"""

import re
from collections.abc import Sequence

from c4_protocol.dialects import _commands
from c4_protocol.dialects._numbers import milliseconds_left, parsed_number
from c4_protocol.program.errors import ProtocolError
from c4_protocol.records.messages import (
    Clock,
    Info,
    MoveRequest,
    PerftRequest,
    Precept,
    Reply,
    Time,
)
from c4_protocol.rules.notation import WireMove
from c4_protocol.rules.position import Position, Seat
from c4_protocol.rules.route import Route
from c4_protocol.rules.variant import STANDARD

NAME_REPLY = b"c4arena-c0000000\n"
READY_REPLY = b"readyok\n"
HANDSHAKE_COMMANDS = b"name AI 0\nisready AI 0\n"
NO_MOVE_REPLY = b"bestmove 0 0\n"
INCREMENT_MS = 1


class BotEnd(_commands.BotEnd):
    """The bot's side of a conversation.

    It remembers the position of the last ``position`` command. At first this is the empty board.
    """

    first_line = re.compile(
        rb"(name|isready|perft|quit)(\s|$)|(go|position)$"
        rb"|go\s+[fs]time\s|position\s+startpos(\s+[0-9]|$)"
    )

    def read_line(self, line: bytes) -> MoveRequest | PerftRequest | Reply:
        """Read a command. Words after ``name``, ``isready`` and ``quit`` have no meaning."""
        match line.split():
            case [b"name", *_]:
                return Reply(NAME_REPLY)
            case [b"isready", *_]:
                return Reply(READY_REPLY)
            case [b"position", *words]:
                self._last_position = None  # if the next line raises, no position is known
                self._last_position = _position_of_command(words)
                return Reply()
            case [b"go", *words]:
                return self._request_of_go(words)
            case [b"perft", depth]:
                return PerftRequest(self._known_position(), parsed_number(depth))
            case [b"quit", *_]:
                self.is_over = True
                return Reply(b"quitting\n")
        raise ProtocolError(
            "no command: say name, isready, position startpos MOVES, go, perft DEPTH or quit"
        )

    def write_move(self, move: WireMove, info: Info | None = None, score: float = 0) -> bytes:
        """Return ``bestmove COLUMN SCORE``, after lines with ``info`` if given."""
        return _commands.answer(f"bestmove {move} {score:.0f}", info)

    def _request_of_go(self, words: Sequence[bytes]) -> MoveRequest | Reply:
        position = self._known_position()
        clock = _clock_of_go(words, position.player)
        return (
            Reply(NO_MOVE_REPLY) if position.is_over else MoveRequest(Precept.of(position, clock))
        )


def _position_of_command(words: Sequence[bytes]) -> Position:
    """Return the position of ``startpos MOVES``. Only the last move may end the game."""
    if words[:1] != [b"startpos"]:
        raise ProtocolError("say position startpos MOVES, all moves in one word")
    columns = b"".join(words[1:])
    return _commands.position_after_moves(
        Position(), columns, lambda position, digit: position.check(parsed_number(bytes([digit])))
    )


def _clock_of_go(words: Sequence[bytes], player: Seat) -> Clock | None:
    """Return the clock of a player if ``go`` contains it. A negative time counts as 0."""
    times = dict(zip(words[::2], words[1::2], strict=False))
    left = times.get(b"ftime" if player == 1 else b"stime")
    if left is None:
        return None
    return Clock(remaining_ms=max(0, parsed_number(left)), increment_ms=INCREMENT_MS)


class RefereeEnd(_commands.RefereeEnd):
    """The referee's side of a conversation.

    It sends the handshake and waits for ``readyok`` before the first question. It ignores unknown
    lines. A question contains moves that lead from the empty board to its position. If possible,
    these are the moves of the previous question, followed by the new moves. The order of the moves
    may differ from their order in the game.
    """

    def __init__(self) -> None:
        self._is_ready = False
        self._question = b""
        self._route = Route()

    def write_precept(
        self, position: Position, time: Time | None = None, other: Time | None = None
    ) -> bytes:
        """Return the commands ``position`` and ``go``, or the handshake if the bot is not ready.

        For each player, ``go`` contains the remaining time on the clock. Without a clock it
        contains the time for the move, or ``CLOCK_MS`` if there is no limit. Raises
        ``VariantError``, and ``ImpossiblePosition`` for a position that no moves lead to.
        """
        self.check_variant(position.variant)
        self._route.extend_to(position)
        first, second = (time, other) if self._route.position.player == 1 else (other, time)
        moves = "".join(str(STANDARD.column_of(cell)) for cell in self._route.cells)
        clocks = f"go ftime {milliseconds_left(first)} stime {milliseconds_left(second)}"
        self._question = f"position startpos {moves}\n{clocks}\n".encode()
        return self._question if self._is_ready else HANDSHAKE_COMMANDS

    def read_move(self, line: bytes) -> WireMove | Reply:
        """Return the column of ``bestmove``; reply to ``readyok`` with the first question."""
        match line.split():
            case [b"readyok", *_] if not self._is_ready:
                self._is_ready = True
                return Reply(self._question)
            case [b"bestmove", *_] if not self._is_ready:
                raise ProtocolError("bestmove before readyok")
        return super().read_move(line)
