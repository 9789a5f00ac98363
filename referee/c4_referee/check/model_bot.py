"""Our own bot's end of a dialect, which hears what a bot hears and knows what the bot should write.

This model makes the samples of answers in the advice of the check. So advice is about the dialect
of the bot, and no dialect needs texts of its own for the check.
"""

from contextlib import suppress
from copy import deepcopy

from c4_protocol.dialects import RefereeEnd, bot_end, referee_end
from c4_protocol.program.errors import ProtocolError
from c4_protocol.records.codec import LineBuffer
from c4_protocol.records.messages import MoveRequest, Reply
from c4_protocol.rules.notation import wire_move
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant


class ModelBot:
    """Bot's end of a conversation. It hears all lines that a bot is sent."""

    def __init__(self, dialect: str, variant: Variant) -> None:
        self._end = bot_end(dialect)
        if not self._end.describes_game:
            self._end.game = variant
        self._buffer = LineBuffer()
        self._replies: list[bytes] = []
        self.is_asked = False
        """True if the last line asks for a move."""

    def hear(self, data: bytes) -> None:
        """Read the lines in ``data``."""
        self._buffer.feed(data)
        self._replies = []
        while (line := self._buffer.next_line()) is not None:
            with suppress(ProtocolError):
                message = self._end.read_line(line)
                self.is_asked = isinstance(message, MoveRequest)
                if isinstance(message, Reply):
                    self._replies += message.text.splitlines()

    def play(self, position: Position, cell: int) -> None:
        """Record the move with which the bot has answered."""
        self._end.write_move(wire_move(position.variant, cell))

    def answer(self, position: Position, cell: int) -> str:
        """Return the line with which a bot plays a cell in the position that it is asked about."""
        move = wire_move(position.variant, cell)
        return deepcopy(self._end).write_move(move).splitlines()[-1].decode()

    def expected_line(self, position: Position) -> str:
        """Return a line that the bot may write now: a reply, or an answer with a legal move."""
        if self.is_asked:
            return self.answer(position, position.moves[0])
        return self._replies[-1].decode() if self._replies else ""

    def replies_of(self, referee: RefereeEnd) -> bytes:
        """Return what a referee's end answers to the model's replies."""
        answers = map(referee.read_move, self._replies)
        return b"".join(answer.text for answer in answers if isinstance(answer, Reply))


def first_answer(dialect: str, position: Position, cell: int) -> str:
    """Return the line with which a bot plays a cell in its first answer."""
    model, referee = ModelBot(dialect, position.variant), referee_end(dialect)
    words = referee.write_precept(position)
    while words and not model.is_asked:
        model.hear(words)
        words = model.replies_of(referee)
    return model.answer(position, cell)
