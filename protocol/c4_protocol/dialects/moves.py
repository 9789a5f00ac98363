"""Columns only: the bot reads the opponent's column and writes its own, one on each line.

Columns count from 0. The bot that moves first reads ``go!`` instead of a column::

    referee  go!                            bot  3
             3                                   2
             4                                   3

Nothing describes the board. Each side remembers the moves. A bot that plays on several boards gets
their size on its command line; ours takes ``--width``, ``--height`` and ``--connect``. A referee
fills in the size with ``{width}``, ``{height}`` and ``{connect}`` in the bot's command.

Games start on the empty board. If a move ends the game, the opponent is not asked again and does
not read that move: its input is closed. No line begins another game, so a bot is started for each
game. Our bot reads ``go!`` as the beginning of a new game in which it moves first. It refuses a
column that is full or not on the board, and keeps the position before it.
"""

import re

from c4_protocol import dialects
from c4_protocol.dialects._numbers import parsed_number
from c4_protocol.program.errors import IllegalMove, ImpossiblePosition, ProtocolError, VariantError
from c4_protocol.records.messages import Info, MoveRequest, Precept, Reply, Time
from c4_protocol.rules.notation import WireMove, cell_of_wire
from c4_protocol.rules.position import Position, other_seat
from c4_protocol.rules.route import moves_between
from c4_protocol.rules.variant import STANDARD, Variant

FIRST_MOVE_LINE = b"go!"


class BotEnd(dialects.BotEnd):
    """The bot's side of a conversation. It remembers the position of the game."""

    describes_game = False
    first_line = re.compile(rb"(go!|[0-9]|[1-4][0-9]|5[01])$")

    def __init__(self) -> None:
        self._last: Position | None = None

    def read_line(self, line: bytes) -> MoveRequest | Reply:
        """Read ``go!`` or the opponent's column. No answer follows a move that ends the game."""
        position = self._start_position() if line == FIRST_MOVE_LINE else self._position_after(line)
        self._last = position
        return Reply() if position.is_over else MoveRequest(Precept.of(position))

    def write_move(self, move: WireMove, info: Info | None = None, score: float = 0) -> bytes:
        """Return the column."""
        position = self._last or self._start_position()
        self._last = position.play(cell_of_wire(position, move))
        return f"{move}\n".encode()

    def _start_position(self) -> Position:
        return Position(self.game or STANDARD)

    def _position_after(self, line: bytes) -> Position:
        """Return the position after the opponent's move; raise ``ProtocolError``."""
        position = self._last or self._start_position()
        column = parsed_number(line)
        if position.is_over:
            raise ProtocolError("the game is over: go! begins another one")
        try:
            return position.play(position.check(column))
        except IllegalMove as error:
            raise ProtocolError(str(error)) from None


class RefereeEnd(dialects.RefereeEnd):
    """The referee's side of a conversation. It remembers the position of the last question."""

    plays_one_game = True
    starts_empty = True

    def __init__(self) -> None:
        self._asked: Position | None = None

    def check_variant(self, variant: Variant) -> None:
        """Raise ``VariantError`` for a game in which not all moves are columns."""
        if not variant.has_only_columns:
            raise VariantError(
                f"moves knows only games in which all moves are columns, not {variant}"
            )

    def write_precept(
        self, position: Position, time: Time | None = None, other: Time | None = None
    ) -> bytes:
        """Return ``go!`` or the opponent's column. No time is sent.

        Raises ``VariantError``. Raises ``ImpossiblePosition`` if the position is neither the first
        for this player in a game from the empty board nor two moves after the last question.
        """
        self.check_variant(position.variant)
        cells = self._cells_since(position)
        self._asked = position
        return b"%d\n" % position.variant.column_of(cells[-1]) if cells else FIRST_MOVE_LINE + b"\n"

    def read_move(self, line: bytes) -> WireMove:
        """Return the column that a line contains."""
        return parsed_number(line.strip())

    def _cells_since(self, position: Position) -> list[int]:
        """Return the moves since the last question: none before the first move of a game."""
        if not position.occupied:
            return []
        opponent = other_seat(position.player)
        start = self._asked or Position(position.variant, player=opponent)
        cells = moves_between(start, position.stones, position.player)
        if cells is None or len(cells) != (2 if self._asked else 1):
            raise ImpossiblePosition("no move of the opponent leads from the last question to this")
        return cells
