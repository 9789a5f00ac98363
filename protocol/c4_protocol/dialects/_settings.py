"""The conversation that theaigames and riddles share: settings, updates and actions.

The referee sends settings before the first question. A question is one or more updates, the last of
which is the field, and an action. Only an action is answered::

    referee  settings your_botid 1          bot  (nothing)
             update game field 0,0,...           (nothing)
             action move 10000                   place_disc 3

A ``Platform`` holds the words and rules in which the platforms differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from c4_protocol import dialects
from c4_protocol.dialects._numbers import milliseconds_left, parsed_number
from c4_protocol.program.errors import IllegalMove, ProtocolError, VariantError
from c4_protocol.program.text import quoted
from c4_protocol.records.messages import Clock, Info, MoveRequest, Precept, Reply, Time
from c4_protocol.rules.notation import WireMove, grid_of
from c4_protocol.rules.position import SEATS, Position, Seat
from c4_protocol.rules.variant import STANDARD, Variant

UNLIMITED_BANK_MS = 10_000
"""Milliseconds sent for a bot without a time limit: the time bank of theaigames."""
MS_PER_MOVE = 500
"""Milliseconds that each move adds to the time bank of theaigames."""


@dataclass(frozen=True)
class Platform:
    """Words and rules of a platform.

    ``width`` and ``height`` are the names of these settings. ``cells`` shows an empty cell, a stone
    of player 1 and a stone of player 2. The last two are also the ids of the players, and the ends
    of their names. A bot loses if ``tries`` answers to the same question contain no legal move. A
    round lasts ``plies_per_round`` plies.
    """

    name: str
    width: bytes
    height: bytes
    cells: tuple[bytes, bytes, bytes]
    row_separator: bytes
    tries: int
    plies_per_round: int
    allows_comments: bool
    """True if more words may follow the column in an answer."""
    shows_own_move: bool
    """True if the referee sends the field again after a move of the bot."""

    def player_name(self, seat: Seat) -> bytes:
        """Return the name of a player."""
        return b"player" + self.cells[seat]

    @property
    def player_names(self) -> bytes:
        """The names of both players, separated by a comma."""
        return b",".join(map(self.player_name, SEATS))

    def field(self, position: Position) -> bytes:
        """Return the field that shows a position: its rows, from the top."""
        rows = zip(*grid_of(position), strict=True)
        return self.row_separator.join(
            b",".join(self.cells[stone] for stone in row) for row in rows
        )

    def grid(self, field: bytes, width: int) -> list[list[int]]:
        """Return the grid that a field shows; raise ``ProtocolError``.

        ``width`` is the number of columns. It is used only if the rows have no separator of their
        own.
        """
        if self.row_separator == b",":
            cells = field.split(b",")
            rows = [cells[start : start + width] for start in range(0, len(cells), width)]
        else:
            rows = [row.split(b",") for row in field.split(self.row_separator)]
        if len({*map(len, rows)}) > 1:
            raise ProtocolError("the rows of the field have different lengths")
        return [[self._seat_of_cell(cell) for cell in column] for column in zip(*rows, strict=True)]

    def _seat_of_cell(self, cell: bytes) -> int:
        if cell not in self.cells:
            signs = b" ".join(self.cells).decode()
            raise ProtocolError(f"a cell of the field is {quoted(cell)}, not one of {signs}")
        return self.cells.index(cell)


class BotEnd(dialects.BotEnd):
    """The bot's side of a conversation.

    It remembers the settings and the last field, and reads them when an action asks for a move.
    Settings that are missing have their usual values. Unknown settings and updates are ignored.
    """

    platform: Platform

    def __init__(self) -> None:
        self._settings: dict[bytes, bytes] = {}
        self._field = b""

    def read_line(self, line: bytes) -> MoveRequest | Reply:
        """Read a setting, an update or an action."""
        match line.split():
            case [b"settings", name, *words]:
                self._settings[name] = b" ".join(words)
            case [b"update", b"game", b"field", *words]:
                self._field = b"".join(words)
            case [b"action", b"move", *words]:
                return self._answer_to_action(words)
            case [b"settings" | b"update", *_]:
                pass
            case _:
                raise ProtocolError(
                    "no command: say settings NAME VALUE, update game field CELLS or "
                    "action move MILLISECONDS"
                )
        return Reply()

    def write_move(self, move: WireMove, info: Info | None = None, score: float = 0) -> bytes:
        """Return ``place_disc COLUMN``, followed by ``info`` if the platform allows comments."""
        comment = ""
        if info is not None and self.platform.allows_comments:
            reason = " ".join(info.reason.split())
            found = f"score {info.score:g}, depth {info.depth}, {info.nodes} nodes"
            comment = f" {found}; {reason}".rstrip()
        return f"place_disc {move}{comment}\n".encode()

    def _answer_to_action(self, words: Sequence[bytes]) -> MoveRequest | Reply:
        """Return the request for a move. If the game is over, return the answer itself."""
        precept = self._precept_from_settings(words)
        position = precept.shown()
        if not position.is_over:
            return MoveRequest(precept)
        cell = next(iter(position.moves), 0)  # no column is legal on a full board
        return Reply(self.write_move(position.variant.column_of(cell)))

    def _precept_from_settings(self, words: Sequence[bytes]) -> Precept:
        if not self._field:
            raise ProtocolError("action before update game field")
        width = self._size_from_settings(self.platform.width)
        return Precept(
            grid=self.platform.grid(self._field, width or STANDARD.width),
            player=self._seat_from_settings(),
            width=width,
            height=self._size_from_settings(self.platform.height),
            clock=self._clock_from_time_bank(words),
            connect=STANDARD.connect,
        )

    def _seat_from_settings(self) -> Seat | None:
        """Return the bot's seat, or ``None`` if the settings do not contain it."""
        players: Sequence[bytes] = self.platform.cells[1:]
        own = self._settings.get(b"your_botid")
        if own is None:
            names = self._settings.get(b"player_names", self.platform.player_names)
            players, own = names.split(b","), self._settings.get(b"your_bot")
        return next((seat for seat, name in zip(SEATS, players, strict=False) if name == own), None)

    def _clock_from_time_bank(self, words: Sequence[bytes]) -> Clock | None:
        """Return the time bank as a clock if the action contains it. A negative one counts as 0."""
        if not words:
            return None
        increment = self._settings.get(b"time_per_move", b"0")
        return Clock(
            float(max(0, parsed_number(words[0]))), float(max(0, parsed_number(increment)))
        )

    def _size_from_settings(self, setting: bytes) -> int | None:
        """Return the value of a setting that counts columns or rows."""
        value = self._settings.get(setting)
        if value is None:
            return None
        if (size := parsed_number(value)) > 0:
            return size
        raise ProtocolError(f"{setting.decode()} is {size}")


class RefereeEnd(dialects.RefereeEnd):
    """The referee's side of a conversation.

    It remembers the position of the last question. After an answer without a legal move it sends
    the field and the action again, until the bot has used all its tries. The time in the action
    stays the same, but the bot's clock keeps running. A bot may write nothing between questions,
    because the engine would read it as the next answer.
    """

    plays_one_game = True
    platform: ClassVar[Platform]

    def __init__(self) -> None:
        self._position = Position()
        self._question = b""
        self._own_move = b""
        self._failures = 0
        self._settings_for: tuple[Variant, Seat] | None = None

    def check_variant(self, variant: Variant) -> None:
        """Raise ``VariantError`` unless stones fall and the game is four in a row.

        The board may have any size.
        """
        if variant != Variant(variant.width, variant.height):
            name = self.platform.name
            raise VariantError(f"{name} knows only four in a row with gravity, not {variant}")

    def write_precept(
        self, position: Position, time: Time | None = None, other: Time | None = None
    ) -> bytes:
        """Return the round, the field and the action, after the settings if they are new.

        The player to move is the bot. The time bank is the remaining time on the bot's clock, or
        the time for the move, or ``UNLIMITED_BANK_MS`` if there is no limit. ``other`` is not used.
        Raises ``VariantError``.
        """
        self.check_variant(position.variant)
        earlier = self._own_move
        if self._settings_for != (position.variant, position.player):
            self._settings_for = position.variant, position.player
            earlier = self._settings_lines(position, time)
        self._position, self._failures, self.refused = position, 0, None
        self._question = self._field_line(position) + b"action move %d\n" % milliseconds_left(
            time, UNLIMITED_BANK_MS
        )
        current = position.ply // self.platform.plies_per_round + 1
        return earlier + b"update game round %d\n" % current + self._question

    def read_move(self, line: bytes) -> WireMove | Reply:
        """Return the column of ``place_disc``; reply to anything else with the question.

        The last failure raises ``IllegalMove`` or ``ProtocolError``.
        """
        try:
            column = self._column_of_answer(line)
            cell = self._position.check(column)
        except (IllegalMove, ProtocolError) as error:
            self._failures += 1
            self.refused = error
            if self._failures < self.platform.tries:
                return Reply(self._question)
            if self.platform.tries == 1:
                raise
            raise type(error)(f"failure {self._failures} in one turn: {error}") from None
        if self.platform.shows_own_move:
            self._own_move = self._field_line(self._position.play(cell))
        return column

    def _column_of_answer(self, line: bytes) -> int:
        match line.split():
            case [b"place_disc", column, *words] if self.platform.allows_comments or not words:
                return parsed_number(column)
        raise ProtocolError("the answer is not place_disc COLUMN")

    def _settings_lines(self, position: Position, time: Time | None) -> bytes:
        platform, variant, player = self.platform, position.variant, position.player
        increment = time.increment_ms if isinstance(time, Clock) else time
        values = [
            (b"timebank", b"%d" % milliseconds_left(time, UNLIMITED_BANK_MS)),
            (b"time_per_move", b"%d" % milliseconds_left(increment, MS_PER_MOVE)),
            (b"player_names", platform.player_names),
            (b"your_bot", platform.player_name(player)),
            (b"your_botid", platform.cells[player]),
            (platform.width, b"%d" % variant.width),
            (platform.height, b"%d" % variant.height),
        ]
        return b"".join(b"settings %b %b\n" % setting for setting in values)

    def _field_line(self, position: Position) -> bytes:
        return b"update game field %b\n" % self.platform.field(position)
