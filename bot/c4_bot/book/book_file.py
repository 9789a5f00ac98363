"""Books on disk: exact scores of positions of one variant with few stones.

A position is quiet if neither player has a winning cell. Only quiet positions need an entry. If the
player to move can win, the score is known. If the opponent threatens to win, only one reply makes
sense, and the position after this reply is looked up instead. There is one exception: positions
with the maximum number of stones of the book have an entry even if the opponent threatens to win,
because the position after the reply has too many stones.

The file is little-endian and holds, in this order:

- a line of JSON, padded to ``HEADER_BYTES``: format, variant, plies, number of entries and of
  blocks
- the first key of each block of ``ENTRIES_PER_BLOCK`` entries, 64 bits each
- the offset of each block in the entries, and of the end of the last block, 32 bits each
- the entries by ascending key: each is the difference to the previous key, shifted left by
  ``SCORE_BITS``, plus the score. It is written in groups of seven bits, the lowest group first. The
  eighth bit of a byte is set if another group follows. Most entries take two bytes.
- the CRC-32 of all previous bytes

The file is mapped into memory. When it is opened, only its checksum is computed, which takes less
than a millisecond for 4 MB. A search for a position decodes half a block on average.
"""

import mmap
import os
import sys
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path

import orjson
from c4_protocol.program.errors import ArenaError, BookError
from c4_protocol.rules.notation import win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.native import core, is_core_available, sizes, stones

FORMAT_NAME = "c4-book-2"
HEADER_BYTES = 256
ENTRIES_PER_BLOCK = 128
SCORE_BITS = 6
STORED_ZERO = 1 << (SCORE_BITS - 1)
"""Number that is added to a score in an entry, so that the sum is not negative."""


def position_key(position: Position) -> int:
    """Return a number that stands for a position and for its mirror image."""
    return min(key_of_one_side(position), key_of_one_side(position.mirrored()))


def key_of_one_side(position: Position) -> int:
    """Return a number that stands for a position of a variant with gravity.

    Each column has a 1 above its top stone, and below that a 1 for each stone of the player to move
    (after Pascal Pons's blog on solving Connect Four, part 6).
    """
    return position.own + position.occupied + position.variant.bottom


class Book:
    """A book, mapped into memory. Raises ``BookError`` if it is damaged or does not exist.

    ``core`` is the same book in the native core, which ``score`` asks, or ``None`` without the
    core. ``python_score`` is its specification.
    """

    def __init__(self, path: Path) -> None:
        mapped = _mapped_and_checked(path)
        try:
            header = orjson.loads(bytes(mapped[:HEADER_BYTES]))
            self.variant = Variant.parse(header["variant"])
            self.plies: int = header["plies"]
            self._entries: int = header["entries"]
            ends = [HEADER_BYTES + size * header["blocks"] for size in (0, 8, 12)]
            self._firsts = mapped[ends[0] : ends[1]].cast("Q")
            self._begins = mapped[ends[1] : ends[2] + 4].cast("I")
            self._data = mapped[ends[2] + 4 : -4]
            parts = self._firsts, self._begins, self._data
            variant = sizes(self.variant)
            self.core = core.Book(variant, self.plies, *parts) if is_core_available() else None
        except (ArenaError, KeyError, TypeError, ValueError):
            raise BookError(f"{path} is not a book of format {FORMAT_NAME}") from None

    def __len__(self) -> int:
        return self._entries

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yield each key with its score, by ascending key."""
        for block in range(len(self._firsts)):
            yield from self._entries_of_block(block)

    def score(self, position: Position) -> int | None:
        """Return the score of a game that is not over, for the player to move.

        Return ``None`` if the score is not in the book and does not follow from its entries.
        """
        if position.variant != self.variant:
            return None
        if self.core is not None:
            return self.core.score(stones(position))
        return self.python_score(position)

    def python_score(self, position: Position) -> int | None:
        """Return the result of ``score`` for a position of the book's variant, without the core."""
        sign = 1
        while position.ply <= self.plies:
            if position.winning_cells:
                return sign * win_score(self.variant, position.ply + 1)
            stops = position.opponent_winning_cells
            if not stops or position.ply == self.plies:
                score = self._score_of_key(position_key(position))
                return None if score is None else sign * score
            position, sign = position.play(stops.bit_length() - 1), -sign
        return None

    def _score_of_key(self, wanted: int) -> int | None:
        block = bisect_right(self._firsts, wanted) - 1
        if block >= 0:
            for word, score in self._entries_of_block(block):
                if word >= wanted:
                    return score if word == wanted else None
        return None

    def _entries_of_block(self, block: int) -> Iterator[tuple[int, int]]:
        word, number, shift = self._firsts[block], 0, 0
        for byte in self._data[self._begins[block] : self._begins[block + 1]]:
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                word += number >> SCORE_BITS
                yield word, (number & (2 * STORED_ZERO - 1)) - STORED_ZERO
                number = shift = 0


def _mapped_and_checked(path: Path) -> memoryview:
    """Return the bytes of a book; raise ``BookError`` if its format or checksum is wrong."""
    try:
        with path.open("rb") as file:
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is empty"
        raise BookError(f"cannot read the book {path}: {reason}") from None
    if f'"format":"{FORMAT_NAME}"'.encode() not in bytes(mapped[:HEADER_BYTES]):
        raise BookError(f"{path} is not a book of format {FORMAT_NAME}")
    if sys.byteorder == "big":
        raise BookError("books are for little-endian machines")
    if zlib.crc32(mapped[:-4]) != int.from_bytes(mapped[-4:], "little"):
        raise BookError(f"the book {path} is damaged: its checksum is wrong")
    return mapped


def write_book(path: Path, variant: Variant, plies: int, scores: Iterable[tuple[int, int]]) -> None:
    """Write a book of pairs of key and score, which must be sorted by key.

    If this fails, a file that exists at ``path`` does not change.
    """
    firsts, begins, data = array("Q"), array("I"), bytearray()
    count = before = 0
    for word, score in scores:
        if count % ENTRIES_PER_BLOCK == 0:
            firsts.append(word)
            begins.append(len(data))
            before = word
        number = (word - before) << SCORE_BITS | (score + STORED_ZERO)
        while number > 0x7F:
            data.append(number & 0x7F | 0x80)
            number >>= 7
        data.append(number)
        before = word
        count += 1
    begins.append(len(data))
    header = {"format": FORMAT_NAME, "variant": variant.size, "plies": plies}
    header |= {"entries": count, "blocks": len(firsts)}
    padded = orjson.dumps(header).ljust(HEADER_BYTES - 1) + b"\n"
    content = b"".join((padded, firsts.tobytes(), begins.tobytes(), data))
    _replace_file(path, content + zlib.crc32(content).to_bytes(4, "little"))


def _replace_file(path: Path, content: bytes) -> None:
    """Write a file in one step: other programs see the old or the new content, never a part."""
    temporary = path.with_name(path.name + ".new")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
