"""Exact values of positions: where they are kept, and the time in which they are looked for.

Two sources find them: a judge, which is a bot behind a pipe (``judge.py``), during a contest, and
processes of ``c4-solve`` (``solving.py``) for games that were stored.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Literal, Self

from c4_protocol.rules.notation import win_score
from c4_protocol.rules.position import Position

from c4_referee.records.stats.solved import PositionKey, Solved, find_solved, position_key

BATCH_SECONDS = 1.0
"""Maximum time for which results are kept only in memory."""
ProgressFunction = Callable[[int, int], None]
"""Function that is called with the number of games done and the number of games to do."""
StoreFunction = Callable[[dict[PositionKey, Solved]], None]
"""Function that stores results which a source has found."""


def is_possible_score(score: object, position: Position) -> bool:
    """Return whether a game can end with this score, for the player to move."""
    return type(score) is int and abs(score) <= win_score(position.variant, position.ply + 1)


class ExactValues:
    """Solved positions of one variant, to which a source adds what it finds.

    They are added to ``known``, which has results by ``position_key``. They are also stored in
    batches, so that little is lost if this process is killed.
    """

    def __init__(
        self, known: dict[PositionKey, Solved], store: StoreFunction = lambda _batch: None
    ) -> None:
        self.known = known
        self.count = 0
        """Number of positions that were added."""
        self._store = store
        self._batch: dict[PositionKey, Solved] = {}
        self._stored_at = time.monotonic()

    def find(self, position: Position) -> Solved | None:
        """Return the result of a position or of its mirror image, or ``None``."""
        return find_solved(position, self.known)

    def add(self, position: Position, result: Solved) -> None:
        """Keep the result of a position, and store the batch when it is due.

        Reasons that are already known stay. New reasons alone are not counted.
        """
        key = position_key(position)
        known = self.known.get(key)
        self.count += known is None or replace(result, reasons=known.reasons) != known
        if known is not None:
            reasons = {reason.move: reason for reason in (*known.reasons, *result.reasons)}
            result = replace(result, reasons=tuple(reasons.values()))
        self.known[key] = self._batch[key] = result
        if time.monotonic() > self._stored_at + BATCH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Store the results that are not stored yet."""
        if self._batch:
            self._store(self._batch)
        self._batch = {}
        self._stored_at = time.monotonic()


class TimeUp(Exception):
    """Error that ends a search for values, because the time for it has passed."""


class TimeLimit:
    """Context manager that is left when the time is up or Ctrl-C is pressed.

    ``ended`` then says which of these happened. It is ``None`` if the block came to its end.
    """

    def __init__(self, seconds: float) -> None:
        self.until = time.monotonic() + seconds
        self.ended: Literal["time", "interrupt"] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        if kind is not None and issubclass(kind, TimeUp | KeyboardInterrupt):
            self.ended = "time" if kind is TimeUp else "interrupt"
        return self.ended is not None

    def check(self) -> None:
        """Raise ``TimeUp`` if the time is up."""
        if time.monotonic() > self.until:
            raise TimeUp
