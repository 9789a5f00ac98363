"""The protocol of Connect 4 on CodinGame: 9 columns, 7 rows, and the steal.

The first line contains the ids of the bot and its opponent: 0 moves first. Before each move of the
bot, a turn follows: 10 lines, and one line for each legal action::

    referee  1 0                            the bot's id and the opponent's
             1                              index of the turn
             .........                      7 rows from the top: an empty cell is "."
             ... (5 rows)
             ....0....                      a stone of player 0
             10                             number of legal actions
             0                              the actions: columns, counting from 0
             ... (8 columns)
             -2                             the steal, if it is possible
             4                              the opponent's last action: -1 if there is none
    bot      STEAL

The answer is a column, ``STEAL`` or ``-2``. A blank and a text may follow; the platform shows the
text as a message. A bot has 1000 ms for its first turn, including the start of its program, and
100 ms for each later turn. The referee sends no time, so our bot plans with times of its own, which
are shorter. An illegal action loses.

Player 0 of the platform is player 1 here, and always moves first. A turn's index is the number of
actions before it. The stones show whether one of these was the steal: then player 2 has one more
stone than usual. Our referee finds the opponent's last action by comparing the board with that of
the last question, or at first with the empty board. After an opening of several moves it writes -1.
"""

import re

from c4_protocol import dialects
from c4_protocol.dialects._numbers import parsed_number
from c4_protocol.program.errors import ImpossiblePosition, ProtocolError
from c4_protocol.records.messages import Info, MoveRequest, Precept, Reply, Time
from c4_protocol.rules.notation import WireMove, rows_of
from c4_protocol.rules.position import Position, Seat, other_seat
from c4_protocol.rules.variant import CODINGAME, STEAL

FIRST_MOVE_MS = 400.0
LATER_MOVE_MS = 75.0
"""Milliseconds that the bot plans for its first turn and for each later turn. The rest of the
platform's time is for the start of the program and for delays by other processes. With five busy
processes for each processor, the slowest of 30 first turns took 854 ms from the start of the
program to the answer, and the slowest of 169 later turns 86 ms."""
CELL_MARKS = ".01"
"""Characters for an empty cell, player 1 and player 2."""
STEAL_WORD = b"STEAL"
NO_LAST_ACTION = -1
IDS_PATTERN = re.compile(rb"(0\s+1|1\s+0)")
ROW_PATTERN = re.compile(rb"[.01]{%d}" % CODINGAME.width)


class BotEnd(dialects.BotEnd):
    """The bot's side of a conversation.

    It collects the lines of a turn. After a wrong line, it waits for the index of the next turn.
    """

    variant = CODINGAME
    first_line = re.compile(IDS_PATTERN.pattern + rb"$")

    def __init__(self) -> None:
        self._seat: Seat | None = None
        self._ms = 0.0
        self._turn: int | None = None
        self._rows: list[str] = []
        self._action_list: list[int] = []

    def read_line(self, line: bytes) -> MoveRequest | Reply:
        """Read the ids or a line of a turn. The last line of a turn makes a request."""
        if IDS_PATTERN.fullmatch(line):
            self._seat = 1 if line.startswith(b"0") else 2
            self._ms, self._turn, self._rows = FIRST_MOVE_MS, None, []
            return Reply()
        if self._seat is None:
            raise ProtocolError("say your id and the opponent's first: 0 1 or 1 0")
        try:
            return self._request_of_turn(self._seat) if self._ends_turn(line) else Reply()
        except ProtocolError:
            self._turn = None
            raise

    def write_move(self, move: WireMove, info: Info | None = None, score: float = 0) -> bytes:
        """Return the column or ``STEAL``, with score, depth and nodes as a message if given."""
        action = "STEAL" if move == STEAL else f"{move}"
        if info is not None:
            action += f" score {info.score:g}, depth {info.depth}, {info.nodes} nodes"
        return f"{action}\n".encode()

    def end(self) -> bytes:
        """Return nothing; raise ``ProtocolError`` if a turn is not complete."""
        if self._turn is not None:
            raise ProtocolError("the input ends before the end of a turn")
        return b""

    def _ends_turn(self, line: bytes) -> bool:
        """Add a line to the turn; return whether the turn is complete.

        It ends with the number of legal actions, these actions, and the opponent's last action.
        """
        has_rows = len(self._rows) == CODINGAME.height
        if ROW_PATTERN.fullmatch(line):
            if self._turn is None or has_rows:
                raise ProtocolError("a row of the board that does not follow the turn's index")
            self._rows.append(line.decode())
        elif self._turn is None or not has_rows:
            self._turn, self._rows, self._action_list = parsed_number(line), [], []
        else:
            self._action_list.append(parsed_number(line))
            count = self._action_list[0]
            if not 1 <= count <= CODINGAME.width + 1:
                raise ProtocolError(f"the number of legal actions cannot be {count}")
            return len(self._action_list) == count + 2
        return False

    def _request_of_turn(self, seat: Seat) -> MoveRequest:
        """Return the request of a complete turn.

        The steal is legal only at index 1. A referee that does not list it there plays without it.
        """
        rows = [[CELL_MARKS.index(mark) for mark in row] for row in self._rows]
        has_steal = self._turn != 1 or STEAL in self._action_list[1:-1]
        precept = Precept(
            grid=[[*column] for column in zip(*rows, strict=True)],
            player=seat,
            time_ms=self._ms,
            connect=CODINGAME.connect,
            steal=has_steal,
        )
        self._ms, self._turn = LATER_MOVE_MS, None
        return MoveRequest(precept)


class RefereeEnd(dialects.RefereeEnd):
    """The referee's side of a conversation. It remembers the position of the last question."""

    variant = CODINGAME
    plays_one_game = True

    def __init__(self) -> None:
        self._asked: Position | None = None

    def write_precept(
        self, position: Position, time: Time | None = None, other: Time | None = None
    ) -> bytes:
        """Return the lines of a turn, with the ids before the first one. No time is sent.

        Raises ``VariantError``, and ``ImpossiblePosition`` for a game that player 2 has opened.
        """
        self.check_variant(position.variant)
        own = position.player - 1
        ids = [] if self._asked else [f"{own} {1 - own}"]
        turn = [_turn(position), *rows_of(position, CELL_MARKS), *_action_list(position)]
        lines = [*ids, *turn, _last_action_after(self._asked or Position(CODINGAME), position)]
        self._asked = position
        return "".join(f"{line}\n" for line in lines).encode()

    def read_move(self, line: bytes) -> WireMove:
        """Return the column or ``STEAL`` at the start of a line. The rest is a message."""
        action, *_ = line.split(maxsplit=1) or [b""]
        return STEAL if action == STEAL_WORD else parsed_number(action)


def _turn(position: Position) -> int:
    """Return the index of a turn, which is the number of actions before it.

    Raises ``ImpossiblePosition`` if the numbers of stones show that player 2 opened the game.
    """
    first, second = (stones.bit_count() for stones in position.stones)
    stolen = second - first + position.player - 1
    if not 0 <= stolen <= min(1, position.ply):
        raise ImpossiblePosition("player 1 opens each game, but this one was opened by player 2")
    return position.ply + stolen


def _action_list(position: Position) -> list[int]:
    """Return the number of legal actions, and the actions: columns, then the steal."""
    playable = position.playable
    actions = [x for x, column in enumerate(CODINGAME.columns) if playable & column]
    if position.can_steal:
        actions.append(STEAL)
    return [len(actions), *actions]


def _last_action_after(asked: Position, position: Position) -> int:
    """Return the action that the opponent made after the question ``asked``, if it is known.

    It is known if it was the steal, or if the opponent has exactly one new stone.
    """
    if position.player == 1 and position.stones[0] == 0 and position.occupied:
        return STEAL
    opponent = other_seat(position.player)
    new = position.other & ~asked.stones[opponent - 1]
    return CODINGAME.column_of(new.bit_length() - 1) if new.bit_count() == 1 else NO_LAST_ACTION
