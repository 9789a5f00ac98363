"""Formats of files with results of games.

Every module in this folder with these two functions is a format. ``recognises(start)`` receives the
first lines of a file, from the first one that is not blank, and returns whether the file has this
format. ``read(lines)`` receives the numbers and texts of these lines and all later ones, including
blank lines. Numbers count from 1, and texts do not include line ends. ``read`` generates a
``StoredGame`` for each game, and an ``UnreadableLine`` for each line that it cannot read.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Literal, NamedTuple, cast

from c4_protocol.program.errors import ArenaError, VariantError
from c4_protocol.program.text import MAX_NAME_LENGTH, shortened
from c4_protocol.rules.variant import STANDARD, Variant


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A fault that decided a game, or the reason why it has no result.

    ``bot`` is the name of the bot, and ``fault`` the name of its fault. ``detail`` describes the
    fault for people. ``ply`` is the number of moves before it. They are empty if the file does not
    have them.
    """

    bot: str
    fault: str
    detail: str = ""
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """What a file claims about a game: no rules were applied, and the variant may be unknown here.

    ``first`` and ``second`` are names as they are in the file: any texts, which may be equal.
    ``winner`` is the winner's seat, or 0 for a draw. ``moves`` is a text that is equal only for
    equal games, or ``None`` if the file has no moves. ``ending`` is ``void`` for a game without a
    result, and otherwise an ending of ``GameEnded``, or empty if the file does not say it.
    ``opening`` is a text that is equal for games that begin in the same way. ``variant`` is a name
    that ``variant_name`` returns. ``plies`` is the number of moves that the file states.

    ``ms`` are the times of the moves after the opening, in milliseconds, and ``remarks`` are the
    texts that the file has for these moves. Both are empty if the file does not have them.
    """

    first: str
    second: str
    winner: Literal[0, 1, 2]
    moves: str | None = None
    ending: str = ""
    fault: Forfeit | None = None
    opening: str = ""
    variant: str = str(STANDARD)
    ms: tuple[float, ...] = ()
    remarks: tuple[str, ...] = ()
    plies: int | None = None


class UnreadableLine(NamedTuple):
    """The number of a line, from 1, and the reason why it cannot be read."""

    number: int
    reason: str


NumberedLines = Iterable[tuple[int, bytes]]
ReadFunction = Callable[[NumberedLines], Iterator[StoredGame | UnreadableLine]]

WINNERS_BY_RESULT: dict[str, Literal[0, 1, 2]] = {
    "1-0": 1, "0-1": 2, "1/2-1/2": 0,
    "1": 1, "0": 2, "0.5": 0, "1/2": 0, "1.0": 1, "0.0": 2,
}  # fmt: skip
"""Seat of the winner, or 0 for a draw, for each text of a result.

The texts are from the point of view of the first player: "1" means that this player won.
"""
RESULTS_BY_WINNER = ("1/2-1/2", "1-0", "0-1")
"""Texts of the results that count, by the seat of the winner."""
NO_RESULT = "*"
"""Text of a game without a result."""
DEFAULT_PLAYER_NAMES = ("first", "second")
"""Names of the players of a file that does not name them."""
START_BYTES = 1 << 13
"""Number of bytes that suffice to recognise a format."""
LAST_FORMATS = ("driver", "pgn", "jsonl")
"""Formats that are tried last, in this order, because they recognise more than their own files."""
OTHER_VARIANT_NAMES = {"cfour": STANDARD}
"""Variants by the names that other programs give them: ``cfour`` is that of cutechess."""


def read_each(
    lines: NumberedLines, game_of: Callable[[bytes], StoredGame | None]
) -> Iterator[StoredGame | UnreadableLine]:
    """Generate the game of each line that is not blank and has one.

    ``game_of`` raises ``ValueError`` or ``ArenaError`` for a line that it cannot read.
    """
    for number, line in lines:
        try:
            game = game_of(line) if line.strip() else None
        except (ValueError, ArenaError) as error:
            yield UnreadableLine(number, str(error))
        else:
            if game:
                yield game


def decoded_line(line: bytes) -> str:
    """Return a line as text; raise ``ValueError`` if it is not UTF-8."""
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"the line is not UTF-8 text: {error}") from None


def game_with_result(
    first: str,
    second: str,
    written: str,
    moves: str | None = None,
    reason: str = "",
    opening: str = "",
    variant: str = "",
    remarks: tuple[str, ...] = (),
    *,
    culprit: str = "",
    detail: str = "",
    ending: str = "",
    plies: int | None = None,
) -> StoredGame:
    """Return a game; raise ``ValueError`` for impossible texts or an unknown result.

    ``written`` is a result as in ``WINNERS_BY_RESULT``, or ``NO_RESULT``. If ``reason`` is not
    empty, it is the fault by which the loser forfeited the game, or by which ``culprit`` made it
    void. ``detail`` describes the fault. ``ending`` is how a game without a fault ended, if the
    file says it. ``variant`` is a text for ``variant_name``.
    """
    if reason:
        _check_short_text(reason, "fault")
    played = variant_name(variant)
    is_void = written == NO_RESULT
    if not is_void and written not in WINNERS_BY_RESULT:
        raise ValueError(f"{shortened(written)} is not a result: use 1-0, 0-1, 1/2-1/2 or *")
    winner = WINNERS_BY_RESULT.get(written, 0)
    bot = (second, first)[winner - 1] if winner else culprit
    has_fault = reason and (winner or (is_void and bot in {first, second}))
    fault = Forfeit(bot, reason, detail) if has_fault else None
    ending = "void" if is_void else "forfeit" if fault else ending
    return StoredGame(
        first, second, winner, moves, ending, fault, opening, played, (), remarks, plies
    )


@lru_cache(maxsize=1 << 6)
def variant_name(text: str) -> str:
    """Return the name of the variant that a text in a file means.

    All spellings of one of our variants give one name: ``7x6`` and an empty text give ``standard``.
    In the names of other programs' variants, only blanks change. Raises ``ValueError`` if a name
    cannot be shown in a line.
    """
    words = " ".join(text.split())
    name = words.lower() or str(STANDARD)
    try:
        return str(OTHER_VARIANT_NAMES.get(name) or Variant.parse(name))
    except VariantError:
        _check_short_text(words, "variant")
        return words


def _check_short_text(text: str, what: str) -> None:
    """Raise ``ValueError`` for a blank, unprintable or long text, which cannot be a ``what``."""
    if not text.strip() or not text.isprintable():
        raise ValueError(f"{shortened(text)} cannot be a {what}")
    if len(text) > MAX_NAME_LENGTH:
        raise ValueError(
            f"{shortened(text)} cannot be a {what}: it has {len(text)} characters, and "
            f"{MAX_NAME_LENGTH} are allowed"
        )


@cache
def names() -> tuple[str, ...]:
    """Return the names of the formats: modules with a ``recognises`` function."""
    modules = sorted(module.name for module in iter_modules(__path__))
    return tuple(name for name in modules if hasattr(_format_module(name), "recognises"))


def reader_for(start: bytes) -> ReadFunction | None:
    """Return the ``read`` function for a file with this start; ``None`` if no format fits.

    The start has whole lines, with ``START_BYTES`` bytes or more, or all lines of the file.
    """
    first = [name for name in names() if name not in LAST_FORMATS]
    for name in (*first, *LAST_FORMATS):
        module = _format_module(name)
        if module.recognises(start):
            return cast(ReadFunction, module.read)
    return None


def _format_module(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")
