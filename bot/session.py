"""The loop of a bot: a line in, the clock, the search, a line out.

Standard output carries answers and nothing else. Standard error carries one line for each line
that could not be answered, and more only when asked for: real drivers never read it, and a full
pipe would block the bot for ever.
"""

import os
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace

from bot import explain
from bot.clock import deadline
from bot.contract import Limits
from bot.player import Player
from protocol.codec import LineBuffer
from protocol.dialects import Dialect
from protocol.errors import LineTooLong, ProtocolError, VariantError
from protocol.messages import Exit
from protocol.notation import wire_move

CHUNK = 1 << 16
LONGEST_REASON = 300


@dataclass
class Session:
    """One conversation: a player, a dialect, and the user's wishes.

    ``limits`` come from the command line, as does ``time_ms``, the user's own budget for a move;
    ``default_player`` moves where the precept does not say who does.
    """

    player: Player
    dialect: Dialect
    limits: Limits = field(default_factory=Limits)
    time_ms: float | None = None
    default_player: int | None = None
    show_info: bool = False
    verbose: bool = False
    _lines: int = 0
    _refused: int = 0

    def run(self, source: int = 0, sink: int = 1) -> int:
        """Serves until the input ends, from and to file descriptors; returns the exit code.

        0 if every line was answered, 1 if one was not.
        """
        buffer = LineBuffer()
        while data := os.read(source, CHUNK):
            buffer.feed(data)
            if not self._serve_all(buffer, sink):
                break
        else:
            buffer.end()
            self._serve_all(buffer, sink)
        return 1 if self._refused else 0

    def answer(self, line: bytes) -> bytes | None:
        """The answer to a line, ``None`` to the last one.

        Raises ``ProtocolError`` or ``VariantError`` with the reason why there is none.
        """
        arrived = time.monotonic()
        precept = self.dialect.read_precept(line)
        if isinstance(precept, Exit):
            return None
        position = precept.position(self.default_player)
        until = deadline(precept, position, arrived, self.time_ms)
        limits = replace(self.limits, deadline=until)
        result = self.player.choose(position, limits)
        ms = (time.monotonic() - arrived) * 1000
        if self.verbose:
            tell(explain.story(position, result, self.player.evaluator, ms))
        info = explain.info(position, result, self.player.evaluator, ms) if self.show_info else None
        return self.dialect.write_move(wire_move(position.variant, result.cell), info)

    def _serve_all(self, buffer: LineBuffer, sink: int) -> bool:
        """Answers the lines that are there; whether the conversation goes on."""
        while True:
            try:
                line = buffer.next_line()
                if line is None:
                    return True
                self._lines += 1
                answer = self.answer(line)
                if answer is None:
                    return False
                _write_all(sink, answer)
            except LineTooLong as error:
                self._lines += 1
                self._refuse(str(error))
            except (ProtocolError, VariantError) as error:
                self._refuse(str(error))
            except BrokenPipeError:
                self._refuse("nobody reads the answers any more")
                return False

    def _refuse(self, reason: str) -> None:
        self._refused += 1
        tell(f"line {self._lines}: {reason}")


def tell(text: str) -> None:
    """One line for people, on standard error; lost if nobody can hear it."""
    if len(text) > LONGEST_REASON:
        text = text[:LONGEST_REASON] + "..."
    line = " ".join(text.split())
    with suppress(OSError):
        _write_all(2, f"c4-bot: {line}\n".encode(errors="backslashreplace"))


def _write_all(sink: int, data: bytes) -> None:
    while data:
        data = data[os.write(sink, data) :]
