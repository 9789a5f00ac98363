"""The loop of a bot: read a line, set the time limit, search, write a line.

The dialect turns lines into messages and messages into lines. This module reads the lines, finds
the moves and writes the answers. Only answers are written to standard output. One line is written
to standard error for each line that could not be answered, and more only if the user asks for it.
The reason is that real drivers never read standard error, and a full pipe would block the bot for
ever.
"""

import gc
import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace

import orjson
from c4_protocol.dialects import BotEnd, bot_end_for
from c4_protocol.dialects.jsonl import precept_of
from c4_protocol.program.errors import LineTooLong, ProtocolError, VariantError
from c4_protocol.program.streams import OutputError
from c4_protocol.program.text import visible
from c4_protocol.records.codec import LineBuffer
from c4_protocol.records.messages import Info, MoveRequest, PerftRequest, Precept, Reply
from c4_protocol.rules.notation import wire_move, with_moves
from c4_protocol.rules.position import Position, Seat
from c4_protocol.rules.variant import STANDARD, Variant

from c4_bot import native
from c4_bot.contract import Limits, Result, shown_score
from c4_bot.play.clock import Reserve
from c4_bot.play.goal import position_with_goal
from c4_bot.player.player import Player

CHUNK = 1 << 16
MAX_REASON = 300
"""Maximum length of a text that is written to standard error, in characters. A longer text is
shortened to this length, and "..." is added."""


@dataclass
class Session:
    """A conversation with a driver: a player, a dialect, and the options of the command line.

    If ``dialect`` is ``None``, the first line decides which dialect it is. ``time_ms`` is the
    user's limit for a move, in milliseconds. ``default_player`` is the player to move if neither
    the precept nor the numbers of stones say who is to move. ``connect`` is the length of a line if
    the precept does not contain it. ``game`` is played if the dialect does not describe the game.
    With ``one_variant``, a variant that the player does not play ends the conversation. With
    ``answers_all``, each line is JSON, and one that cannot be answered gets the answer ``{"error":
    REASON}``; nothing is written to standard error.
    """

    player: Player
    dialect: BotEnd | None = None
    limits: Limits = field(default_factory=Limits)
    time_ms: float | None = None
    default_player: Seat | None = None
    connect: int | None = None
    game: Variant | None = None
    one_variant: bool = False
    answers_all: bool = False
    show_info: bool = False
    verbose: bool = False
    reserve: Reserve = field(default_factory=Reserve)
    _lines: int = 0
    _refused: int = 0
    _has_reported_goal: bool = False

    def __post_init__(self) -> None:
        if self.dialect is not None:
            self.dialect.game = self.game

    def run(self, source: int = 0, sink: int = 1) -> int:
        """Answer lines until the conversation or the input ends.

        ``source`` and ``sink`` are file descriptors. Returns the exit code: 0 if every line was
        answered, 1 if a line was not answered or the input ended too early. Raises ``VariantError``
        if the player does not play the dialect's only game, or with ``one_variant`` that of a line.
        """
        keeps_blank = self.dialect is not None and self.dialect.reads_blank_lines
        buffer = LineBuffer(keep_blank=keeps_blank or self.answers_all)
        if self.dialect is not None:
            if self.dialect.variant is not None:  # report an error now, not at the first move
                self.player.check_plays(self.dialect.variant)
            _write_all(sink, self.dialect.greeting)
        gc.freeze()  # what exists by now stays, and the collector need not look at it
        while data := self._read(source):
            buffer.feed(data)
            if not self._serve_all(buffer, sink):
                break
        else:
            buffer.end()
            if self._serve_all(buffer, sink):
                self._report_early_end(sink)
        return 1 if self._refused else 0

    def _read(self, source: int) -> bytes:
        self.reserve.before_read()
        return os.read(source, CHUNK)

    def answer(self, line: bytes) -> bytes:
        """Return the answer to a line. Some lines have an empty answer.

        Raises ``ProtocolError`` or ``VariantError`` if the line cannot be answered.
        """
        arrived = self.reserve.line_arrived()
        if self.dialect is None:
            self.dialect = bot_end_for(line)
            self.dialect.game = self.game
        # With answers_all, no line ends the conversation without an answer.
        wanted = MoveRequest(precept_of(line)) if self.answers_all else self.dialect.read_line(line)
        match wanted:
            case MoveRequest(precept):
                return self._move(self.dialect, precept, arrived)
            case PerftRequest(position, depth):
                return self.dialect.write_perft(depth, native.count_positions(position, depth))
            case Reply(text):
                return text

    def _move(self, dialect: BotEnd, precept: Precept, arrived: float) -> bytes:
        """Return the player's move in the form of the dialect."""
        position = self._position(precept)
        result, seen = self.think(position, precept, arrived)
        if seen is not None:
            seen = replace(seen, reason=with_moves(seen.reason, position.variant))
        return dialect.write_move(
            wire_move(position.variant, result.cell),
            seen if self.show_info else None,
            shown_score(position, result.score, result.exact, self.player.evaluator),
        )

    def think(
        self, position: Position, precept: Precept, arrived: float
    ) -> tuple[Result, Info | None]:
        """Return the player's move, and its ``Info`` if the user asked for it.

        ``arrived`` is the time at which the ``precept`` arrived, in seconds of
        ``time.monotonic()``. The precept contains the limits of the referee. Raises
        ``VariantError`` for a game that the player does not play.
        """
        if position.winner:  # a search expects a game that is not over
            return Result(position.moves[0], reason="every possible line is complete"), None
        until = self.reserve.deadline(precept, position, arrived, self.time_ms)
        threads = 1 if self.reserve.is_busy else self.limits.threads  # each may wait for a turn
        limits = self.player.bounded(replace(self.limits, deadline=until, threads=threads))
        result = self.player.choose(position, limits)
        seen = self._info(position, result, limits, arrived)
        self.reserve.answered(limits.deadline)
        return result, seen

    def _position(self, precept: Precept) -> Position:
        """Return the position of a precept; report once if the length of a line is a guess.

        With ``answers_all``, nothing is a guess: a game with four in a row is over.
        """
        if self.answers_all and precept.connect is None:
            precept = replace(precept, connect=self.connect or STANDARD.connect)
        position = position_with_goal(precept, self.default_player, self.connect)
        assumed = self.connect or STANDARD.connect
        played = position.variant.connect
        if played != assumed and precept.connect is None and not self._has_reported_goal:
            self._has_reported_goal = True
            report_line(
                f"line {self._lines}: the board already holds {assumed} in a row, so the goal must "
                f"be longer: playing for {played} in a row; --connect N sets the goal"
            )
        return position

    def _info(
        self, position: Position, result: Result, limits: Limits, arrived: float
    ) -> Info | None:
        """Return the ``Info`` of a move if the user asked for it; write it for ``--verbose``."""
        if not (self.show_info or self.verbose):
            return None
        from c4_bot.reasons import info  # noqa: PLC0415 - games without --info do not need it

        scores = self.player.scores(position, result, limits)
        ms = (time.monotonic() - arrived) * 1000
        seen = info.info(position, result, scores, self.player.evaluator, ms)
        if self.verbose:
            for line in info.lines_for_people(position, seen):
                report_line(line)
        return seen

    def _serve_all(self, buffer: LineBuffer, sink: int) -> bool:
        """Answer the lines that have arrived; return whether the conversation continues."""
        while self.dialect is None or not self.dialect.is_over:
            try:
                line = buffer.next_line()
                if line is None:
                    return True
                self._lines += 1
                _write_all(sink, self.answer(line))
            except LineTooLong as error:
                self._lines += 1
                self._refuse(str(error), sink)
            except (ProtocolError, VariantError) as error:
                if self.one_variant and isinstance(error, VariantError):
                    raise
                self._refuse(str(error), sink)
            except OutputError as error:
                self._refused += 1
                if not error.is_unread:
                    self._report(str(error))
                return False
        return False

    def _report_early_end(self, sink: int) -> None:
        """Write the dialect's message for input that ends before the conversation is over."""
        try:
            message = b"" if self.dialect is None else self.dialect.end()
        except ProtocolError as error:
            self._refuse(str(error), sink)
            return
        if message:
            self._refused += 1
            with suppress(OutputError):
                _write_all(sink, message)

    def _refuse(self, reason: str, sink: int) -> None:
        """Count a line that could not be answered, and say why."""
        self._refused += 1
        if self.answers_all:
            answer = {"error": _shortened(reason)}
            _write_all(sink, orjson.dumps(answer, option=orjson.OPT_APPEND_NEWLINE))
        else:
            self._report(reason)

    def _report(self, reason: str) -> None:
        report_line(f"line {self._lines}: {reason}")


def report_line(text: str) -> None:
    """Write a text as one line on standard error."""
    sys.stderr.write(f"c4-bot: {_shortened(text)}\n")


def _shortened(text: str) -> str:
    """Return a text that is not too long, as one line that can be shown."""
    if len(text) > MAX_REASON:
        text = text[:MAX_REASON] + "..."
    return visible(" ".join(text.split()))


def _write_all(sink: int, data: bytes) -> None:
    """Write all of ``data`` to a file descriptor, or raise ``OutputError``."""
    try:
        while data:
            data = data[os.write(sink, data) :]
    except OSError as error:
        raise OutputError(error) from None
