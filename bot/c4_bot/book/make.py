"""Calculation of a book: the positions of its last ply are solved, and all other scores follow.

The last ply takes little more time than an earlier ply, although it has many times the positions.
The reason is that similar positions are solved one after the other, so the solver's table already
contains most of what the next position needs. Scores are appended immediately to a file of lines
``KEY SCORE``. After a run that was stopped, the next run continues from this file.

Here a ``Position`` stands for many positions with the same number of stones: its boards are numpy
arrays. Methods that only compute with bits (``own``, ``playable``, ``mirrored``,
``winning_cells``) work on all these positions at the same time. In each of them player 1 is to
move.
"""

import fcntl
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
from c4_protocol.program.errors import BookError
from c4_protocol.rules.notation import win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.book.book_file import key_of_one_side
from c4_bot.native import NO_SCORE as UNKNOWN
from c4_bot.native import SCOPES, core, is_core_available, sizes

POSITIONS_PER_CHUNK = 64
"""Number of positions for each thread, after which the scores are stored."""
HASH_MB = 256
"""Size of the table of positions for each thread, in MiB. The threads share their tables."""

Scores = npt.NDArray[np.int64]
BoardArray = npt.NDArray[np.uint64]
BooleanArray = npt.NDArray[np.bool_]


class Progress:
    """The known scores by key, in memory and in a file.

    An incomplete last line of the file is removed. Raises ``BookError`` if the file contains other
    lines than ``KEY SCORE``, or if another run is writing to it. Then the file is not changed.
    """

    def __init__(self, path: Path, variant: Variant) -> None:
        self._file = path.open("ab+", buffering=0)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.scores, end = read_progress(path, variant)
        except BlockingIOError:
            self._file.close()
            raise BookError(f"another run is writing to {path}") from None
        except BookError:
            self._file.close()
            raise
        self._file.truncate(end)

    def __enter__(self) -> "Progress":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, scores: Iterable[tuple[int, int]]) -> None:
        """Add pairs of key and score, first to the file and then to the memory."""
        scores = list(scores)
        lines = memoryview("".join(f"{word} {score}\n" for word, score in scores).encode())
        while lines:
            lines = lines[self._file.write(lines) :]
        os.fsync(self._file.fileno())
        self.scores.update(scores)


def read_progress(path: Path, variant: Variant) -> tuple[dict[int, int], int]:
    """Return the scores in a file, and the offset where its last complete line ends.

    Raises ``BookError`` if a complete line is not ``KEY SCORE`` for this variant.
    """
    content = path.read_bytes() if path.exists() else b""
    end = content.rfind(b"\n") + 1
    scores: dict[int, int] = {}
    for number, line in enumerate(content[:end].splitlines(), 1):
        try:
            word, score = map(int, line.split())
        except ValueError:
            word, score = 0, 0
        fits = 1 << (variant.bits - variant.stride) <= word < 1 << variant.bits
        if not fits or abs(score) > win_score(variant, 1) or scores.get(word, score) != score:
            shown = line[:40].decode(errors="replace")
            raise BookError(f"{path}, line {number}: no KEY SCORE for {variant.size}: {shown!r}")
        scores[word] = score
    return scores, end


def missing_positions(variant: Variant, plies: int, scores: dict[int, int]) -> Position:
    """Return the positions with ``plies`` stones that have to be solved.

    These are the positions whose score is unknown and in which the player to move has no winning
    cell.
    """
    *_, positions = all_positions(variant, plies)
    solved = np.fromiter(scores, np.uint64, len(scores))
    return selected_positions(
        positions, ~can_win_now(positions) & ~np.isin(position_keys(positions), solved)
    )


def solve_missing(variant: Variant, plies: int, progress: Progress, jobs: int) -> Iterator[int]:
    """Solve the missing positions of a ply and store their scores; yield the number still missing.

    ``jobs`` is the number of threads. Raises ``BookError`` without the native core.
    """
    if not is_core_available():
        raise BookError("the native core is needed to make a book")
    solver = core.Solver(sizes(variant), HASH_MB * jobs)
    positions = missing_positions(variant, plies, progress.scores)
    words, (own, other) = position_keys(positions), boards_of(positions)
    zeros, done = np.zeros_like(own), np.zeros(1, np.int64)
    stones = np.stack([own, zeros, other, zeros], axis=1)  # the core wants halves of 128 bits
    for begin in range(0, len(words), POSITIONS_PER_CHUNK * jobs):
        yield len(words) - begin
        part = slice(begin, begin + POSITIONS_PER_CHUNK * jobs)
        table = np.full((len(words[part]), variant.width + 1), UNKNOWN, np.int8)
        try:
            solver.solve_many(stones[part], table, done, SCOPES.index("position"), jobs)
        finally:  # after Ctrl-C, the scores that were found count
            scores = zip(words[part].tolist(), table[:, 0].tolist(), strict=True)
            progress.add((word, score) for word, score in scores if score != UNKNOWN)
    yield 0


def derive_scores(variant: Variant, plies: int, scores: dict[int, int]) -> dict[int, int]:
    """Return the scores of all entries of a book of up to ``plies`` stones, by key.

    Each score is one of ``scores`` or follows from scores of the next ply. Entries with unknown
    scores are left out. Raises ``BookError`` if a solved position contradicts its children.
    """
    found: dict[int, int] = {}
    below = _ScoresByKey({})
    table = _ScoresByKey(scores)
    for positions in reversed(list(all_positions(variant, plies))):
        open_ones = selected_positions(positions, ~can_win_now(positions))
        words = position_keys(open_ones)
        solved, derived = table.look_up(words), _scores_from_children(open_ones, below)
        wrong = (solved != derived) & (solved != UNKNOWN) & (derived != UNKNOWN)
        if wrong.any():
            example = words[wrong][0]
            raise BookError(f"{wrong.sum()} positions contradict their children, such as {example}")
        best = np.maximum(solved, derived)
        below = _ScoresByKey(dict(zip(words.tolist(), best.tolist(), strict=True)))
        is_needed = are_quiet(open_ones) if _stone_counts(open_ones) < plies else np.True_
        wanted = is_needed & (best != UNKNOWN)
        found.update(zip(words[wanted].tolist(), best[wanted].tolist(), strict=True))
    return found


def _scores_from_children(positions: Position, below: "_ScoresByKey") -> Scores:
    """Return the scores of positions without a winning cell, from the scores of the next ply."""
    size = len(boards_of(positions)[0])
    best, is_known = np.full(size, UNKNOWN), np.ones(size, np.bool_)
    for parents, child in children_by_column(positions):
        score = below.look_up(position_keys(child))
        lost = can_win_now(child)
        is_known[parents] &= lost | (score != UNKNOWN)
        score[lost] = win_score(child.variant, _stone_counts(child) + 1)
        best[parents] = np.maximum(best[parents], -score)
    return np.where(is_known, best, UNKNOWN)


def _stone_counts(positions: Position) -> int:
    """Return the number of stones in each position; 0 if there are no positions."""
    own, other = boards_of(positions)
    return (int(own[0]) | int(other[0])).bit_count() if len(own) else 0


class _ScoresByKey:
    """Scores by key. Many keys are looked up in one call."""

    def __init__(self, scores: dict[int, int]) -> None:
        words = np.fromiter(scores.keys(), np.uint64, len(scores))
        order = np.argsort(words)
        # A search for a key that is larger than all others finds this extra entry.
        self._words = np.append(words[order], np.uint64(0))
        self._scores = np.append(np.fromiter(scores.values(), np.int64, len(scores))[order], 0)

    def look_up(self, words: npt.NDArray[np.uint64]) -> Scores:
        """Return the score of each key; ``UNKNOWN`` for a key without a score."""
        places = np.searchsorted(self._words[:-1], words)
        return np.where(self._words[places] == words, self._scores[places], UNKNOWN)


def positions_of(variant: Variant, own: BoardArray, other: BoardArray) -> Position:
    """Return positions from the stones of the players to move and of their opponents."""
    return Position(variant, (own, other))  # type: ignore[arg-type]


def selected_positions(
    positions: Position, which: BooleanArray | npt.NDArray[np.intp] | slice
) -> Position:
    """Return the positions that a mask, an array of indexes or a slice selects."""
    own, other = boards_of(positions)
    return positions_of(positions.variant, own[which], other[which])


def boards_of(positions: Position) -> tuple[BoardArray, BoardArray]:
    """Return the stones of the players to move, and of their opponents."""
    return _as_array(positions.own), _as_array(positions.other)


def _as_array(bits: object) -> BoardArray:
    """Return a board as an array. It is an array already, but the type checker expects an int."""
    return np.asarray(bits, np.uint64)


def position_keys(positions: Position) -> BoardArray:
    """Return the key of each position (see ``c4_bot.book.book_file.position_key``)."""
    both = key_of_one_side(positions), key_of_one_side(positions.mirrored())
    return _as_array(np.minimum(*both))


def can_win_now(positions: Position) -> BooleanArray:
    """Return a mask of the positions in which the player to move has a winning cell."""
    return np.not_equal(_as_array(positions.winning_cells), 0)


def are_quiet(positions: Position) -> BooleanArray:
    """Return a mask of the positions in which no player has a winning cell."""
    return ~can_win_now(positions) & np.equal(_as_array(positions.opponent_winning_cells), 0)


def children_by_column(positions: Position) -> Iterator[tuple[npt.NDArray[np.intp], Position]]:
    """Yield, for each column, the indexes of some positions, and the positions after a move there.

    The indexes select the positions in which the move is legal and does not win.
    """
    variant = positions.variant
    own, other = boards_of(positions)
    cells = _as_array(positions.playable & ~positions.winning_cells)
    for column in variant.columns:
        parents = np.flatnonzero(cells & column)
        moved = own[parents] | cells[parents] & np.uint64(column)
        yield parents, positions_of(variant, other[parents], moved)


def all_positions(variant: Variant, plies: int) -> Iterator[Position]:
    """Yield all positions of 0, 1, 2, ..., ``plies`` stones in which no player has won.

    One of two mirror images is left out. Positions with the same parent are next to each other, and
    so are positions with the same grandparent.
    """
    positions = positions_of(variant, np.zeros(1, np.uint64), np.zeros(1, np.uint64))
    yield positions
    for _ in range(plies):
        positions = _next_ply(positions)
        yield positions


def _next_ply(positions: Position) -> Position:
    following = list(children_by_column(positions))
    order = np.argsort(np.concatenate([parents for parents, _ in following]), kind="stable")
    own, other = (
        np.concatenate(part)[order]
        for part in zip(*(boards_of(child) for _, child in following), strict=True)
    )
    together = positions_of(positions.variant, own, other)
    _, first = np.unique(position_keys(together), return_index=True)
    return selected_positions(together, np.sort(first))
