"""Files of event lines: the log of all events, and ``games.jsonl``."""

import fcntl
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from c4_protocol.errors import ArenaError, UsageError


class LineLog:
    """Event handler that appends event lines to a stream."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def __call__(self, line: bytes) -> None:
        """Write an event line and flush it, so that it is not lost if the referee is killed."""
        write_whole(self._stream, line + b"\n")
        self._stream.flush()


class GamesFile:
    """Context manager for ``games.jsonl``, which has the records of all games.

    The records are in the order of their commits. The file is locked, so that only one referee at a
    time uses it. The kernel releases the lock when the process ends for any reason. Raises
    ``UsageError`` if the file cannot be opened or locked.
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
        """Append a game, or raise ``ArenaError`` if this fails.

        If only a part of the line was written, the next ``reconcile`` removes this part.
        """
        try:
            write_whole(self._stream, record + b"\n")
        except OSError as error:
            raise ArenaError(f"cannot write {self._path}: {error.strerror}") from None

    def reconcile(self, records: Iterable[bytes]) -> None:
        """Remove an incomplete last line, and append the ``records`` that are missing in the file.

        If the file does not begin with these records, the function raises ``UsageError`` and leaves
        the file unchanged.
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
    """Write all of the data. A single ``write`` of an unbuffered stream may write only a part."""
    while data:
        data = data[stream.write(data) :]


def open_log(path: Path) -> IO[bytes]:
    """Open a file for appending, and create its folder if needed, or raise ``UsageError``."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("ab", buffering=0)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
