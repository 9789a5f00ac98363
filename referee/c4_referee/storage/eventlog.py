"""Files of event lines: the log of all events, and ``games.jsonl``."""

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Self

from c4_protocol.errors import ArenaError, UsageError

from c4_referee.storage.files import open_regular


class LineLog:
    """Event handler that appends event lines to a stream."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def __call__(self, line: bytes) -> None:
        """Write an event line and flush it, so that it is not lost if the referee is killed."""
        write_whole(self._stream, line + b"\n")
        self._stream.flush()


class LineFile:
    """Context manager for a file to which lines are appended. Its folder is created if needed.

    Raises ``UsageError`` if the file cannot be opened or is no regular file (``storage.files``).
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = open_regular(path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
        except FileExistsError:
            raise UsageError(f"cannot write {path}: {path.parent} is not a folder") from None
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from None
        self._stream = os.fdopen(descriptor, "ab", buffering=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    def append(self, line: bytes) -> None:
        """Append a line, given without its end, or raise ``ArenaError`` if this fails.

        If this fails, a part of the line may have been written.
        """
        self._write(line + b"\n")

    def _write(self, data: bytes) -> None:
        try:
            write_whole(self._stream, data)
        except OSError as error:
            raise ArenaError(f"cannot write {self._path}: {error.strerror}") from None


class EventsFile(LineFile):
    """Event handler that appends event lines to a file.

    If the file ends in an incomplete line, for example because the disk was full, this line stays,
    and the first event is written on a new line.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        size = os.fstat(self._stream.fileno()).st_size
        is_torn = size > 0 and os.pread(self._stream.fileno(), 1, size - 1) != b"\n"
        self._line_end = b"\n" if is_torn else b""

    def __call__(self, line: bytes) -> None:
        """Append an event line, or raise ``ArenaError`` if this fails."""
        self._write(self._line_end + line + b"\n")
        self._line_end = b""


class GamesFile(LineFile):
    """Context manager for ``games.jsonl``, which has the records of all games.

    The records are in the order of their commits. The file is locked, so that only one referee at a
    time uses it. The kernel releases the lock when the process ends for any reason. Nothing is ever
    removed from the file. Raises ``UsageError`` if the file cannot be opened or locked.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._stream.close()
            raise UsageError(f"{path.parent} is in use: another referee plays there") from None

    def reconcile(
        self, records: Iterable[tuple[int, bytes]], check: Callable[[int, bytes], object]
    ) -> None:
        """Append what the file lacks of these records, beginning with the rest of a torn line.

        The records have numbers. ``check`` is called with each record that the file lacks, and may
        raise an error. If the file holds anything else, the function raises ``UsageError`` and
        leaves the file unchanged.
        """
        remaining = iter(records)
        self._write(self._missing_part(remaining, check))
        for number, record in remaining:
            check(number, record)
            self.append(record)

    def _missing_part(
        self, records: Iterator[tuple[int, bytes]], check: Callable[[int, bytes], object]
    ) -> bytes:
        """Return what the file lacks of the line of the first record that it lacks."""
        with open(self._stream.fileno(), "rb", closefd=False) as stored:
            stored.seek(0)
            for number, record in records:
                line = record + b"\n"
                found = stored.read(len(line))
                if found != line:
                    check(number, record)
                    # The start of a line is found only at the end of the file.
                    self._check_known(line.startswith(found))
                    return line[len(found) :]
            self._check_known(not stored.read(1))
        return b""

    def _check_known(self, is_known: bool) -> None:
        if not is_known:
            raise UsageError(f"{self._path} holds lines that arena.sqlite does not: move it away")


def write_whole(stream: IO[bytes], data: bytes) -> None:
    """Write all of the data. A single ``write`` of an unbuffered stream may write only a part."""
    while data:
        data = data[stream.write(data) :]
