"""Formats in which others write results: one module for each, found by scanning.

A module of a format has two functions. ``recognises(line)`` is given the first line of a file that
is not blank and returns whether the file has this format. ``read(lines)`` is given all lines with
their numbers, which begin with 1. It generates a ``Result`` for each game and a ``BadLine`` for
each line that it cannot read; it skips no line without saying so. Lines come without their line
ends. Blank lines are among them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
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
    """Return the names of the formats: modules with a ``recognises`` function."""
    modules = sorted(module.name for module in iter_modules(__path__))
    return tuple(name for name in modules if hasattr(_module(name), "recognises"))


def reader_for(line: bytes) -> Read | None:
    """What reads the file that begins with a line; ``None`` if nobody knows it."""
    for name in names():
        module = _module(name)
        if module.recognises(line):
            return cast(Read, module.read)
    return None


def _module(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")
