"""Calculation of a book: the positions of its last ply are solved, and all other scores follow.

The last ply takes little more time than an earlier ply, although it has many times the positions.
The reason is that similar positions are solved one after the other, so the solver's table already
contains most of what the next position needs. Scores are appended immediately to a file of lines
``KEY SCORE``. After a run that was stopped, the next run continues from this file.
"""

import atexit
import fcntl
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context, parent_process
from pathlib import Path

import numpy as np
import numpy.typing as npt
from c4_protocol.program.errors import BookError
from c4_protocol.rules.notation import win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.book.positions import all_positions, boards, can_win, children, is_quiet, keys, pick
from c4_bot.solve.solver import Solver

CHUNK = 64
"""Number of positions that a process solves before it returns their scores."""
HASH_MB = 256
UNKNOWN = -128

Scores = npt.NDArray[np.int64]
Chunk = tuple[list[int], list[int], list[int]]
"""Keys of some positions, the stones of the players to move, and those of their opponents."""


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


def missing(variant: Variant, plies: int, scores: dict[int, int]) -> Position:
    """Return the positions with ``plies`` stones that have to be solved.

    These are the positions whose score is unknown and in which the player to move has no winning
    cell.
    """
    *_, positions = all_positions(variant, plies)
    solved = np.fromiter(scores, np.uint64, len(scores))
    return pick(positions, ~can_win(positions) & ~np.isin(keys(positions), solved))


def solve(positions: Position, jobs: int) -> Iterator[list[tuple[int, int]]]:
    """Solve positions in ``jobs`` processes; yield lists of pairs of key and score.

    Raises ``BrokenProcessPool`` if a process dies.
    """
    parts = _chunks(positions)
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _prepare, (positions.variant,)) as pool:
        running = {pool.submit(_solve, part) for part in islice(parts, 2 * jobs)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(_solve, part) for part in islice(parts, len(done))}
            for future in done:
                yield future.result()


def solve_missing(variant: Variant, plies: int, progress: Progress, jobs: int) -> Iterator[int]:
    """Solve the missing positions of a ply and store their scores; yield the number still missing.

    If a process dies, all processes start again. Raises ``BookError`` if nothing was solved before
    the process died.
    """
    while True:
        positions = missing(variant, plies, progress.scores)
        left = total = len(boards(positions)[0])
        yield left
        if not left:
            return
        try:
            for solved in solve(positions, jobs):
                progress.add(solved)
                left -= len(solved)
                yield left
        except BrokenProcessPool:
            if left == total:
                raise BookError("all solving processes ended before they solved anything") from None


def _chunks(positions: Position) -> Iterator[Chunk]:
    words, (own, other) = keys(positions), boards(positions)
    for begin in range(0, len(words), CHUNK):
        part = slice(begin, begin + CHUNK)
        yield words[part].tolist(), own[part].tolist(), other[part].tolist()


_prepared: list[tuple[Solver, Variant]] = []
"""The solver and the variant of a solving process; empty in the main process."""


def _prepare(variant: Variant) -> None:
    """Prepare a solving process. It ignores Ctrl-C, and ends when its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _prepared.append((Solver(variant, HASH_MB), variant))
    atexit.register(_prepared.clear)  # otherwise the core reports a leak when Python ends


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _solve(part: Chunk) -> list[tuple[int, int]]:
    solver, variant = _prepared[0]
    return [
        (word, solver.solve(Position(variant, (own, other))).low)
        for word, own, other in zip(*part, strict=True)
    ]


def derive(variant: Variant, plies: int, scores: dict[int, int]) -> dict[int, int]:
    """Return the scores of all entries of a book of up to ``plies`` stones, by key.

    Each score is one of ``scores`` or follows from scores of the next ply. Entries with unknown
    scores are left out. Raises ``BookError`` if a solved position contradicts its children.
    """
    found: dict[int, int] = {}
    below = _Table({})
    table = _Table(scores)
    for positions in reversed(list(all_positions(variant, plies))):
        open_ones = pick(positions, ~can_win(positions))
        words = keys(open_ones)
        solved, derived = table.look_up(words), _from_children(open_ones, below)
        _agree(words, solved, derived)
        best = np.maximum(solved, derived)
        below = _Table(dict(zip(words.tolist(), best.tolist(), strict=True)))
        is_needed = is_quiet(open_ones) if _stones(open_ones) < plies else np.True_
        wanted = is_needed & (best != UNKNOWN)
        found.update(zip(words[wanted].tolist(), best[wanted].tolist(), strict=True))
    return found


def _from_children(positions: Position, below: "_Table") -> Scores:
    """Return the scores of positions without a winning cell, from the scores of the next ply."""
    size = len(boards(positions)[0])
    best, is_known = np.full(size, UNKNOWN), np.ones(size, np.bool_)
    for parents, child in children(positions):
        score = below.look_up(keys(child))
        lost = can_win(child)
        is_known[parents] &= lost | (score != UNKNOWN)
        score[lost] = win_score(child.variant, _stones(child) + 1)
        best[parents] = np.maximum(best[parents], -score)
    return np.where(is_known, best, UNKNOWN)


def _stones(positions: Position) -> int:
    """Return the number of stones in each position; 0 if there are no positions."""
    own, other = boards(positions)
    return (int(own[0]) | int(other[0])).bit_count() if len(own) else 0


def _agree(words: npt.NDArray[np.uint64], solved: Scores, derived: Scores) -> None:
    wrong = (solved != derived) & (solved != UNKNOWN) & (derived != UNKNOWN)
    if wrong.any():
        raise BookError(
            f"{wrong.sum()} positions contradict their children, such as {words[wrong][0]}"
        )


class _Table:
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
