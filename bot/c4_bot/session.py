"""The loop of a bot: a line in, the clock, the search, a line out.

The dialect knows the words: here lines are read, moves are found and answers are written.
Standard output carries answers and nothing else. Standard error carries one line for each line
that could not be answered, and more only when asked for: real drivers never read it, and a full
pipe would block the bot for ever.
"""

import os
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace

from c4_protocol.codec import LineBuffer
from c4_protocol.dialects import BotEnd, bot_end_for
from c4_protocol.errors import LineTooLong, ProtocolError, VariantError
from c4_protocol.messages import Info, MoveRequest, PerftRequest, Precept, Reply
from c4_protocol.notation import wire_move
from c4_protocol.position import Position, Seat

from c4_bot import explain, native
from c4_bot.clock import deadline
from c4_bot.contract import Limits, Result
from c4_bot.goal import position_of
from c4_bot.player import Player

CHUNK = 1 << 16
LONGEST_REASON = 300


@dataclass
class Session:
    """One conversation: a player, a dialect, and the user's wishes.

    Without a ``dialect`` the first line tells which it is. ``limits`` come from the command line,
    as does ``time_ms``, the user's own budget for a move; ``default_player`` moves and ``connect``
    stones make a line where the precept does not say so.
    """

    player: Player
    dialect: BotEnd | None = None
    limits: Limits = field(default_factory=Limits)
    time_ms: float | None = None
    default_player: Seat | None = None
    connect: int | None = None
    show_info: bool = False
    verbose: bool = False
    _lines: int = 0
    _refused: int = 0
    _told_longer_goal: bool = False

    def run(self, source: int = 0, sink: int = 1) -> int:
        """Serves until the conversation or the input ends, from and to file descriptors.

        Returns the exit code: 0 if every line was answered, 1 if one was not, or if the input ended
        too early. Raises ``VariantError`` for a player who does not play the dialect's only game.
        """
        buffer = LineBuffer(keep_blank=self.dialect is not None and self.dialect.reads_blank_lines)
        self._greet(sink)
        while data := os.read(source, CHUNK):
            buffer.feed(data)
            if not self._serve_all(buffer, sink):
                break
        else:
            buffer.end()
            if self._serve_all(buffer, sink):
                self._hang_up(sink)
        return 1 if self._refused else 0

    def answer(self, line: bytes) -> bytes:
        """What to say to a line; nothing to some.

        Raises ``ProtocolError`` or ``VariantError`` with the reason why there is no answer.
        """
        arrived = time.monotonic()
        if self.dialect is None:
            self.dialect = bot_end_for(line)
        match self.dialect.read_line(line):
            case MoveRequest(precept):
                return self._move(self.dialect, precept, arrived)
            case PerftRequest(position, depth):
                return self.dialect.write_perft(depth, native.perft(position, depth))
            case Reply(text):
                return text

    def _move(self, dialect: BotEnd, precept: Precept, arrived: float) -> bytes:
        """The player's move, in the dialect's words."""
        position = self._position(precept)
        result, told = self.think(position, precept, arrived)
        return dialect.write_move(
            wire_move(position.variant, result.cell),
            told if self.show_info else None,
            explain.shown_score(position, result.score, result.exact, self.player.evaluator),
        )

    def think(
        self, position: Position, precept: Precept, arrived: float
    ) -> tuple[Result, Info | None]:
        """Return the player's move, and what it saw if the user wants to know.

        ``arrived`` is when the ``precept`` did, in seconds of ``time.monotonic()``; the precept
        says how much time there is. Raises ``VariantError``.
        """
        if position.winner:  # searches are made for games that go on
            return Result(position.moves[0], reason="every possible line is complete"), None
        until = deadline(precept, position, arrived, self.time_ms)
        limits = self.player.bounded(replace(self.limits, deadline=until))
        result = self.player.choose(position, limits)
        return result, self._told(position, result, limits, arrived)

    def _position(self, precept: Precept) -> Position:
        """Return the position to move in; tell the user once if its line had to be guessed."""
        position = position_of(precept, self.default_player, self.connect)
        assumed = self.connect or precept.connect
        played = position.variant.connect
        if played != assumed and not precept.states_connect and not self._told_longer_goal:
            self._told_longer_goal = True
            tell(
                f"line {self._lines}: the board already holds {assumed} in a row, so the goal must "
                f"be longer: playing for {played} in a row; --connect N sets the goal"
            )
        return position

    def _greet(self, sink: int) -> None:
        """Begins a conversation whose dialect is known; the player has to play its game."""
        if self.dialect is None:
            return
        if self.dialect.variant is not None:  # better told now than when it is to move
            self.player.check_plays(self.dialect.variant)
        _write_all(sink, self.dialect.greeting)

    def _told(
        self, position: Position, result: Result, limits: Limits, arrived: float
    ) -> Info | None:
        """What the player saw, if anybody wants to know."""
        if not (self.show_info or self.verbose):
            return None
        scores = self.player.scores(position, result, limits)
        ms = (time.monotonic() - arrived) * 1000
        told = explain.info(position, result, scores, self.player.evaluator, ms)
        if self.verbose:
            for line in explain.story(position, told):
                tell(line)
        return told

    def _serve_all(self, buffer: LineBuffer, sink: int) -> bool:
        """Answers the lines that are there; whether the conversation goes on."""
        while self.dialect is None or not self.dialect.is_over:
            try:
                line = buffer.next_line()
                if line is None:
                    return True
                self._lines += 1
                _write_all(sink, self.answer(line))
            except LineTooLong as error:
                self._lines += 1
                self._refuse(str(error))
            except (ProtocolError, VariantError) as error:
                self._refuse(str(error))
            except BrokenPipeError:
                self._refuse("nobody reads the answers any more")
                return False
        return False

    def _hang_up(self, sink: int) -> None:
        """The input has ended before the conversation."""
        words = b"" if self.dialect is None else self.dialect.end()
        if words:
            self._refused += 1
            with suppress(BrokenPipeError):
                _write_all(sink, words)

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
