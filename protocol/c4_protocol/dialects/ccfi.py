"""CCFI, the Common Connect Four Interface: the engine is silent until it is asked.

The repository adamsc/common-connect-four-interface defines it for the standard game::

    referee  newgame                        bot  (nothing)
             position 3x3/7/7/7/7/7 o            (nothing)
             go                                  info depth 9     (info is optional)
                                                 bestmove 3
             quit                                (the bot ends)

``position`` lists the rows from the bottom, each from the left: ``x`` is a stone of player 1, ``o``
one of player 2, and a digit counts free cells. The player to move follows. Columns count from 0.
There is no handshake, and no command states a time. Each side ignores lines that it does not know.
"""

import re

from c4_protocol.dialects import _commands
from c4_protocol.program.errors import ProtocolError
from c4_protocol.records.messages import Info, MoveRequest, Precept, Reply, Time
from c4_protocol.rules.fen import board_text, parsed_board
from c4_protocol.rules.notation import WireMove, rows_of
from c4_protocol.rules.position import SEATS, Position
from c4_protocol.rules.route import moves_between

CELL_CHARACTERS = ".xo"
"""Characters for a free cell, player 1 and player 2. A digit stands for free cells."""


class BotEnd(_commands.BotEnd):
    """The bot's side of a conversation."""

    first_line = re.compile(rb"newgame(\s|$)|position\s+[1-7xo]+/")

    def read_line(self, line: bytes) -> MoveRequest | Reply:
        """Read a command. An unknown one is ignored, as the protocol demands."""
        match line.split():
            case [b"newgame", *_]:
                self._last_position = Position()
            case [b"position", *words]:
                self._last_position = None  # if the line is wrong, no position is known
                if len(words) != 2 or words[1] not in {b"x", b"o"}:
                    raise ProtocolError("say position, the rows from the bottom, and x or o")
                rows = reversed(words[0].decode(errors="replace").split("/"))
                player = SEATS[b"xo".index(words[1])]
                self._last_position = parsed_board("/".join(rows), CELL_CHARACTERS, player)
            case [b"go", *_]:
                return MoveRequest(Precept.of(self._known_position()))
            case [b"quit", *_]:
                self.is_over = True
        return Reply()

    def write_move(self, move: WireMove, info: Info | None = None, score: float = 0) -> bytes:
        """Return ``bestmove COLUMN``, after lines with ``info`` if given."""
        return _commands.answer(f"bestmove {move}", info)


class RefereeEnd(_commands.RefereeEnd):
    """The referee's side of a conversation.

    Each question is the whole position. ``newgame`` precedes it if it is not two moves after the
    last question.
    """

    _asked: Position | None = None

    def write_precept(
        self, position: Position, time: Time | None = None, other: Time | None = None
    ) -> bytes:
        """Return ``position`` and ``go``, after ``newgame`` if a game begins. No time is sent."""
        self.check_variant(position.variant)
        asked, self._asked = self._asked, position
        moves = asked and moves_between(asked, position.stones, position.player)
        begins = "" if moves and len(moves) == 2 else "newgame\n"
        board = board_text(reversed(rows_of(position, CELL_CHARACTERS)))
        return f"{begins}position {board} {CELL_CHARACTERS[position.player]}\ngo\n".encode()
