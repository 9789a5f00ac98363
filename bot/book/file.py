"""Books on disk: sorted numbers, a header, a checksum.

A book is a line of JSON, and from byte ``HEADER_BYTES`` on one little-endian number of 64 bits a
position: its key and its score (see ``entry``), in ascending order. It is mapped into memory, so
that opening one takes no time and a look touches a few pages.
"""

import mmap
import sys
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from pathlib import Path

import orjson

from protocol.errors import ArenaError
from protocol.position import Position
from protocol.variant import STANDARD

FORMAT = "c4-book-1"
HEADER_BYTES = 256
SCORE_BITS = 7
"""Of an entry, the lowest: the score above -64."""
ZERO = 1 << (SCORE_BITS - 1)


class BookError(ArenaError):
    """A book that cannot be used, and why."""


def key(position: Position) -> int:
    """A number that stands for a position of 7x6 and for its mirror image."""
    return min(_key(position), _key(position.mirrored()))


def _key(position: Position) -> int:
    return position.own + position.occupied + position.variant.bottom


def entry(position_key: int, score: int) -> int:
    """The number that a book has for a position: 49 bits of key above those of the score."""
    return position_key << SCORE_BITS | (score + ZERO)


class BookFile:
    """A book of 7x6, mapped into memory; raises ``BookError`` for a damaged one."""

    def __init__(self, path: Path) -> None:
        self._entries = _entries(path)

    def __len__(self) -> int:
        return len(self._entries)

    def score(self, position: Position) -> int | None:
        """The score for the player to move, ``None`` if the book does not have it."""
        if position.variant != STANDARD:
            return None
        wanted = key(position)
        place = bisect_left(self._entries, wanted << SCORE_BITS)
        if place == len(self._entries) or self._entries[place] >> SCORE_BITS != wanted:
            return None
        return (self._entries[place] & (2 * ZERO - 1)) - ZERO


def _entries(path: Path) -> memoryview:
    """The numbers of a book whose header and checksum are right."""
    try:
        with path.open("rb") as file:
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        header = orjson.loads(bytes(mapped[:HEADER_BYTES]))
    except (OSError, ValueError) as error:
        raise BookError(f"cannot read the book {path}: {error}") from None
    data = mapped[HEADER_BYTES:]
    if header.get("format") != FORMAT or len(data) != 8 * header["entries"]:
        raise BookError(f"{path} is not a book of format {FORMAT}, or is not all there")
    if zlib.crc32(data) != header["crc32"]:
        raise BookError(f"the book {path} is damaged: its checksum is wrong")
    if sys.byteorder == "big":
        raise BookError("books are for little-endian machines")
    return data.cast("Q")


def write(path: Path, entries: Iterable[int], about: str) -> None:
    """Writes a book of these numbers; ``about`` says what is in it."""
    numbers = array("Q", sorted(entries))
    if sys.byteorder == "big":
        numbers.byteswap()
    data = numbers.tobytes()
    header = {
        "format": FORMAT,
        "about": about,
        "entries": len(numbers),
        "crc32": zlib.crc32(data),
    }
    temporary = path.with_suffix(".new")
    temporary.write_bytes(orjson.dumps(header).ljust(HEADER_BYTES) + data)
    temporary.replace(path)
