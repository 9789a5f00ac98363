"""Other people's words for the same vocabulary: one module a dialect, found by its name.

A module ``name.py`` defines ``class Dialect`` with the methods of ``Dialect`` here; an instance
serves one conversation, so it may remember what was said.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from protocol.errors import UsageError
from protocol.messages import Clock, Exit, Info, Precept, TimeLeft
from protocol.notation import WireMove
from protocol.position import Position


class Dialect(Protocol):
    """Lines to messages and back, for both sides of the pipe. No input or output."""

    def read_precept(self, line: bytes) -> Precept | Exit:
        """What the referee says; raises ``ProtocolError`` with the reason."""

    def write_move(self, move: WireMove, info: Info | None = None) -> bytes:
        """A bot's answer, with its line ending."""

    def write_precept(
        self, position: Position, time: float | Clock | TimeLeft | None = None
    ) -> bytes:
        """What a bot is told in a position, with its line ending.

        ``time`` is what it has: milliseconds for the move, or a clock for the game.
        """

    def read_move(self, line: bytes) -> WireMove:
        """A bot's answer; raises ``ProtocolError``, ``IllegalMove`` for what is no move at all."""


@cache
def names() -> tuple[str, ...]:
    """The dialects there are."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def dialect(name: str) -> Dialect:
    """A new conversation in a dialect; raises ``UsageError`` for an unknown name."""
    if name not in names():
        raise UsageError(f"no dialect {name!r}: there are {', '.join(names())}")
    return cast(Dialect, import_module(f"{__name__}.{name}").Dialect())
