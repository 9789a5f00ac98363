"""Dialects: different ways to write the same messages, one module for each.

A module ``name.py`` defines ``class BotEnd``, with which a bot speaks the dialect. If a referee can
speak it too, the module also defines ``class RefereeEnd``. Both derive from the classes below.

A conversation is all lines that a bot and a referee exchange while the bot runs. Each conversation
has its own instance of a class, which may remember earlier lines. The instance does no input or
output: the caller passes it a line and gets a message (``records/messages.py``). The class of the
message says what to do next. A ``Reply`` holds bytes to send back immediately, for example in a
handshake.
"""

from abc import ABC, abstractmethod
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar, cast

from c4_protocol.program.errors import IllegalMove, ProtocolError, UsageError, VariantError
from c4_protocol.program.text import shortened

if TYPE_CHECKING:  # slow imports, which are not needed to list the names of the dialects
    import re

    from c4_protocol.records.messages import Info, MoveRequest, PerftRequest, Reply, Time
    from c4_protocol.rules.notation import WireMove
    from c4_protocol.rules.position import Position
    from c4_protocol.rules.variant import Variant

DEFAULT_DIALECT = "jsonl"
"""The dialect of a conversation whose first line belongs to no other dialect."""


class BotEnd(ABC):
    """The bot's side of a conversation."""

    variant: "ClassVar[Variant | None]" = None
    """The only game that the dialect can describe; ``None`` if it can describe any."""
    greeting: ClassVar[bytes] = b""
    """Bytes that the bot writes before it reads anything."""
    first_line: "ClassVar[re.Pattern[bytes] | None]" = None
    """Pattern for the start of a first line that belongs to this dialect only."""
    reads_blank_lines: ClassVar[bool] = False
    """True if blank lines have a meaning. Otherwise the caller skips them."""
    describes_game: ClassVar[bool] = True
    """False if no line says which game is played. Then ``game`` is played."""
    game: "Variant | None" = None
    """The game that the user has chosen, for dialects that do not describe it; ``None`` for the
    standard game. It is set before the first line is read."""
    is_over: bool = False
    """True if the conversation is over: no more lines are read."""

    @abstractmethod
    def read_line(self, line: bytes) -> "MoveRequest | PerftRequest | Reply":
        """Return the request that a line makes, or a reply to it.

        Raises ``ProtocolError`` for a line that the dialect does not allow.
        """

    @abstractmethod
    def write_move(self, move: "WireMove", info: "Info | None" = None, score: float = 0) -> bytes:
        """Return the answer to a ``MoveRequest``, with its line endings.

        ``score`` is the score of the move, as in ``Info.score``, for dialects whose answers always
        contain it. ``info`` describes the search, or is ``None`` if the user does not ask for it.
        """

    def write_perft(self, depth: int, nodes: int) -> bytes:
        """Return the answer to a ``PerftRequest``, with its line ending."""
        return b"perft %d %d\n" % (depth, nodes)

    def end(self) -> bytes:
        """Return the bytes to write when the input ends, such as an error if that is too early.

        Raises ``ProtocolError`` if it is too early and the dialect has no words for that.
        """
        return b""


class RefereeEnd(ABC):
    """The referee's side of a conversation."""

    variant: "ClassVar[Variant | None]" = None
    """The only game that the dialect can describe; ``None`` if ``check_variant`` decides."""
    farewell: ClassVar[bytes] = b""
    """Bytes that the bot receives before its input is closed."""
    plays_one_game: ClassVar[bool] = False
    """True if no message begins another game, so that a bot plays one game in each of its runs."""
    starts_empty: ClassVar[bool] = False
    """True if the dialect cannot describe an opening: each game starts on the empty board."""
    first_column: ClassVar[str] = "0"
    """Name of the leftmost column in answers. The next columns have the next digits or letters."""
    refused: "IllegalMove | ProtocolError | None" = None
    """Error in the last answer, if ``read_move`` has asked for another one."""

    def check_variant(self, variant: "Variant") -> None:
        """Raise ``VariantError`` if the dialect cannot describe games of this variant."""
        if self.variant not in {None, variant}:
            name = type(self).__module__.rpartition(".")[2]
            raise VariantError(f"{name} knows only the variant {self.variant}, not {variant}")

    def move_in_words(self, variant: "Variant", move: "WireMove") -> str:
        """Return a move as bots write it in this dialect, with its column: ``3 is column 4``."""
        if not isinstance(move, int):
            return variant.move_in_words(*move)
        first = self.first_column
        return variant.move_in_words(move, None, "" if first == "0" else chr(ord(first) + move))

    def may_say(self, text: bytes) -> bool:
        """Return whether a bot may write this text before the next question.

        The last line of the text may be incomplete.
        """
        return False

    @abstractmethod
    def write_precept(
        self, position: "Position", time: "Time | None" = None, other: "Time | None" = None
    ) -> bytes:
        """Return the question for a move, with its line endings.

        ``time`` is the time of the bot: milliseconds for the move, or a clock for the game.
        ``other`` is the time of its opponent. Raises ``VariantError`` for a game that the dialect
        cannot describe, and ``ImpossiblePosition`` for a position that it cannot describe.
        """

    @abstractmethod
    def read_move(self, line: bytes) -> "WireMove | Reply":
        """Return the move that a line contains, or a ``Reply`` if the move is in a later line.

        Raises ``ProtocolError`` or ``IllegalMove`` for any other line.
        """


@cache
def names() -> tuple[str, ...]:
    """Return the names of all dialects, sorted."""
    modules = (module.name for module in iter_modules(__path__))
    return tuple(sorted(name for name in modules if not name.startswith("_")))


def referee_names() -> tuple[str, ...]:
    """Return the names of the dialects that a referee can speak, sorted."""
    return tuple(name for name in names() if hasattr(_dialect_module(name), "RefereeEnd"))


def bot_end(name: str) -> BotEnd:
    """Return the bot's side of a new conversation; raise ``UsageError`` for an unknown name."""
    if name not in names():
        raise UsageError(f"no dialect {shortened(name)}: there are {', '.join(names())}")
    return cast(BotEnd, _dialect_module(name).BotEnd())


def bot_end_for(line: bytes) -> BotEnd:
    """Return the bot's side of the conversation that begins with a line."""
    for name in (DEFAULT_DIALECT, *names()):
        first_line = _dialect_module(name).BotEnd.first_line
        if first_line is not None and first_line.match(line):
            return bot_end(name)
    return bot_end(DEFAULT_DIALECT)


def referee_end(name: str) -> RefereeEnd:
    """Return the referee's side of a new conversation.

    Raises ``UsageError`` for an unknown name, and for a dialect that only bots speak.
    """
    if name not in names() or not hasattr(_dialect_module(name), "RefereeEnd"):
        known = ", ".join(referee_names())
        raise UsageError(f"no dialect {shortened(name)} for a referee: there are {known}")
    return cast(RefereeEnd, _dialect_module(name).RefereeEnd())


def _dialect_module(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")
