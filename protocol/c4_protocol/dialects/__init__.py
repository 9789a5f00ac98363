"""Other people's words for the same vocabulary: one module a dialect, found by its name.

A module ``name.py`` defines ``class BotEnd``, with which a bot speaks the dialect, and, if a
referee can speak it too, ``class RefereeEnd``; they derive from the classes here. An instance
serves one conversation and may remember what was said. It reads no input and writes no output:
lines come in, and what comes of a line is either a message for whoever thinks, or bytes to say
back at once, none in ``b""``. Handshakes, and lines that only prepare others, need no more.
"""

from abc import ABC, abstractmethod
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar, cast

from c4_protocol.errors import UsageError

if TYPE_CHECKING:  # a command line that only wants the names waits for none of these
    import re

    from c4_protocol.messages import Info, Precept, Time
    from c4_protocol.notation import WireMove
    from c4_protocol.perft import Perft
    from c4_protocol.position import Position
    from c4_protocol.variant import Variant

HOME = "jsonl"
"""The dialect of whoever says nothing that another one begins with."""


class BotEnd(ABC):
    """The end of a conversation at which a bot sits."""

    variant: "ClassVar[Variant | None]" = None
    """The only game that can be spoken of; ``None`` for any."""
    greeting: ClassVar[bytes] = b""
    """What the bot says before it hears anything."""
    opening: "ClassVar[re.Pattern[bytes] | None]" = None
    """What the start of a first line looks like if it tells that the dialect is this one."""
    minds_blank_lines: ClassVar[bool] = False
    """Whether blank lines are to be read; else they are passed over."""
    is_over: bool = False
    """Whether the conversation has ended: no more lines are read then."""

    @abstractmethod
    def read_precept(self, line: bytes) -> "Precept | Perft | bytes":
        """What the referee wants, or what to say back; raises ``ProtocolError`` with the reason."""

    @abstractmethod
    def write_move(self, move: "WireMove", info: "Info | None" = None, score: float = 0) -> bytes:
        """The answer to a precept, with its line endings.

        ``score`` is that of ``Info``, for dialects that always tell it; ``info`` is given where
        all that the player saw is asked for.
        """

    def write_perft(self, depth: int, nodes: int) -> bytes:
        """The answer to a ``Perft``."""
        return b"perft %d %d\n" % (depth, nodes)

    def end(self) -> bytes:
        """The input has ended: what to say if that was too early, nothing if it was not."""
        return b""


class RefereeEnd(ABC):
    """The end of a conversation at which a referee sits."""

    variant: "ClassVar[Variant | None]" = None
    """The only game that can be spoken of; ``None`` for any."""
    farewell: ClassVar[bytes] = b""
    """What the bot is told before its input is closed."""

    def may_say(self, text: bytes) -> bool:
        """Whether a bot may have said this, whole lines or not, without being asked."""
        return False

    @abstractmethod
    def write_precept(
        self, position: "Position", time: "Time | None" = None, other: "Time | None" = None
    ) -> bytes:
        """What a bot is told when it is to move, with its line endings.

        ``time`` is what it has: milliseconds for the move, or a clock for the game; ``other`` is
        what its opponent has. Raises ``VariantError`` for a game that cannot be spoken of.
        """

    @abstractmethod
    def read_move(self, line: bytes) -> "WireMove | bytes":
        """A bot's move, or what to say to a line that is none yet.

        Raises ``ProtocolError``, ``IllegalMove`` for what is no move at all.
        """


@cache
def names() -> tuple[str, ...]:
    """The dialects there are."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def refereed() -> tuple[str, ...]:
    """Those that a referee can speak."""
    return tuple(name for name in names() if hasattr(_module(name), "RefereeEnd"))


def bot_end(name: str) -> BotEnd:
    """A bot's end of a new conversation; raises ``UsageError`` for an unknown name."""
    if name not in names():
        raise UsageError(f"no dialect {name!r}: there are {', '.join(names())}")
    return cast(BotEnd, _module(name).BotEnd())


def bot_end_for(line: bytes) -> BotEnd:
    """A bot's end of the conversation that begins with a line."""
    for name in (HOME, *names()):
        opening = _module(name).BotEnd.opening
        if opening is not None and opening.match(line):
            return bot_end(name)
    return bot_end(HOME)


def referee_end(name: str) -> RefereeEnd:
    """A referee's end of a new conversation; raises ``UsageError`` for a name of none."""
    if name not in names() or not hasattr(_module(name), "RefereeEnd"):
        raise UsageError(f"no dialect {name!r} for a referee: there are {', '.join(refereed())}")
    return cast(RefereeEnd, _module(name).RefereeEnd())


def _module(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")
