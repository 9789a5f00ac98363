"""Consumers of events that write them down."""

import fcntl
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from c4_protocol.errors import ArenaError, UsageError


class LineLog:
    """Appends events to a stream as JSON lines."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def __call__(self, line: bytes) -> None:
        """Writes an event down, where it lasts should the referee be killed next."""
        write_whole(self._stream, line + b"\n")
        self._stream.flush()


class GamesFile:
    """``games.jsonl``: the records of all games, in the order of their commits.

    A context manager. It belongs to one referee at a time: the kernel forgets its lock with the
    process, however that ends. Raises ``UsageError`` when it opens.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stream = open_log(path)
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._stream.close()
            raise UsageError(f"{path.parent} is in use: another referee plays there") from None

    def __enter__(self) -> "GamesFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def append(self, record: bytes) -> None:
        """Adds a game; raises ``ArenaError``, after which ``reconcile`` mends the last line."""
        try:
            write_whole(self._stream, record + b"\n")
        except OSError as error:
            raise ArenaError(f"cannot write {self._path}: {error.strerror}") from None

    def reconcile(self, records: Iterable[bytes]) -> None:
        """Drops a torn last line and adds what is missing of ``records``.

        Raises ``UsageError`` for a file that holds anything else: it is not ours to change.
        """
        missing = iter(records)
        whole = 0
        with self._path.open("rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                if line[:-1] != next(missing, None):
                    raise UsageError(
                        f"{self._path} holds games that arena.sqlite does not: move it away"
                    )
                whole += len(line)
        self._stream.truncate(whole)
        for record in missing:
            self.append(record)


def write_whole(stream: IO[bytes], data: bytes) -> None:
    """Writes all of it: an unbuffered stream may take a part, as when the disk is nearly full."""
    while data:
        data = data[stream.write(data) :]


def open_log(path: Path) -> IO[bytes]:
    """A file to append to, its folder made if need be; raises ``UsageError``."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("ab", buffering=0)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
