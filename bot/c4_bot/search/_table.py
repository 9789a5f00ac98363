"""The transposition table. The C++ version is ``bot/native/search/table.hpp``."""

from typing import NamedTuple

from c4_protocol.rules.position import Position

TABLE_BITS = 20
"""Binary logarithm of the number of slots of a table. The core needs 32 bytes for each slot on
boards of up to 64 bits."""
HASH_MULTIPLIERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
"""Odd numbers that spread the four halves of a position over 64 bits. The first is 2^64 divided by
the golden ratio (Knuth, The Art of Computer Programming, volume 3, 6.4). The others have no
pattern."""
LOWER_64_BITS = (1 << 64) - 1

EXACT, LOWER, UPPER = 0, 1, 2


class Entry(NamedTuple):
    """The content of one slot: a position, and the result of a search from it."""

    own: int
    other: int
    depth: int
    score: int
    bound: int
    cell: int

    def answers(self, wanted: int, alpha: int, beta: int) -> bool:
        """Return whether the score replaces a search to depth ``wanted`` with this window."""
        if self.depth < wanted or self.bound == EXACT:
            return self.depth >= wanted
        return self.score >= beta if self.bound == LOWER else self.score <= alpha


class Table:
    """A table that stores one position in each slot: the latest one."""

    def __init__(self) -> None:
        self._entries: dict[int, Entry] = {}

    def find(self, position: Position) -> Entry | None:
        """Return the entry of the position; ``None`` if the table does not hold it."""
        entry = self._entries.get(slot_of(position.own, position.other))
        if entry is not None and (entry.own, entry.other) == (position.own, position.other):
            return entry
        return None

    def line(self, position: Position, max_moves: int) -> list[int]:
        """Return the expected moves from a position: at most ``max_moves`` that are stored."""
        line: list[int] = []
        while len(line) < max_moves and not position.is_over:
            entry = self.find(position)
            if entry is None or not entry.depth:
                break
            line.append(entry.cell)
            position = position.play(entry.cell)
        return line

    def store(self, position: Position, depth: int, score: int, bound: int, cell: int) -> None:
        """Store a position. It replaces the position that was in its slot."""
        entry = Entry(position.own, position.other, depth, score, bound, cell)
        self._entries[slot_of(position.own, position.other)] = entry


def slot_of(own: int, other: int) -> int:
    """Return a position's slot, by multiplicative hashing of the lower 128 bits of both boards."""
    parts = zip((own, own >> 64, other, other >> 64), HASH_MULTIPLIERS, strict=True)
    mixed = sum((part & LOWER_64_BITS) * multiplier for part, multiplier in parts)
    return (mixed & LOWER_64_BITS) >> (64 - TABLE_BITS)


def kind_of_bound(score: int, alpha: int, beta: int) -> int:
    """Return the kind of a fail-soft score with this window: ``EXACT``, ``LOWER`` or ``UPPER``."""
    return LOWER if score >= beta else UPPER if score <= alpha else EXACT
