"""How others write results down: one module a format, found by scanning.

A module has two functions. ``recognises(line)`` tells from the first line that is not blank
whether a file is of its format. ``read(lines)`` is given all lines with their numbers, from 1, and
generates results, and a ``BadLine`` for whatever it cannot read: nothing is passed over in silence.
Lines come without their ends, but with blanks, and blank ones are among them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Literal, NamedTuple, cast


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Who forfeited a game, and why."""

    bot: str
    fault: str


@dataclass(frozen=True, slots=True)
class Result:
    """A game that was played somewhere (``c4_referee.stats.observations.Game``).

    ``moves`` is any text that games have in common only if they are the same; ``None`` where moves
    were not written down. ``ending`` is ``void`` for a game without a result.
    """

    first: str
    second: str
    winner: Literal[0, 1, 2]
    moves: str | None = None
    ending: str = ""
    fault: Forfeit | None = None


class BadLine(NamedTuple):
    """What is wrong with a line, by its number."""

    number: int
    reason: str


Lines = Iterable[tuple[int, bytes]]
Read = Callable[[Lines], Iterator[Result | BadLine]]

POINTS: dict[str, Literal[0, 1, 2]] = {
    "1-0": 1, "0-1": 2, "1/2-1/2": 0,
    "1": 1, "0": 2, "0.5": 0, "1/2": 0, "1.0": 1, "0.0": 2,
}  # fmt: skip
"""Who won, as results are written: from the first player's point of view."""
NO_RESULT = "*"


def result(
    first: str, second: str, written: str, moves: str | None = None, reason: str = ""
) -> Result:
    """A game as formats of text have it; raises ``ValueError`` with what is wrong.

    With a ``reason`` the game was lost by forfeit.
    """
    check_names(first, second)
    if written == NO_RESULT:
        return Result(first, second, 0, moves, "void")
    if written not in POINTS:
        raise ValueError(f"{written!r} is no result: there are 1-0, 0-1, 1/2-1/2 and *")
    winner = POINTS[written]
    lost = Forfeit((second, first)[winner - 1], reason) if reason and winner else None
    return Result(first, second, winner, moves, "forfeit" if lost else "", lost)


def check_names(first: str, second: str) -> None:
    """Raises ``ValueError`` for names that no two players can have."""
    for name in (first, second):
        if not name or not name.isprintable():
            raise ValueError(f"{name!r} is no name")
    if first == second:
        raise ValueError(f"'{first}' plays against itself")


@cache
def names() -> tuple[str, ...]:
    """The formats there are."""
    return tuple(sorted(module.name for module in iter_modules(__path__)))


def reader_for(line: bytes) -> Read | None:
    """What reads the file that begins with a line; ``None`` if nobody knows it."""
    for name in names():
        module = import_module(f"{__name__}.{name}")
        if module.recognises(line):
            return cast(Read, module.read)
    return None
