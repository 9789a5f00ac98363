"""Files of event lines: the log of all events, and ``games.jsonl``."""

import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Self

from c4_protocol.program.errors import ArenaError, UsageError

from c4_referee.system.safe_files import open_regular, replace_file


class LineLog:
    """Event handler that appends event lines to a stream."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def __call__(self, line: bytes) -> None:
        """Write an event line and flush it, so that it is not lost if the referee is killed."""
        write_whole(self._stream, line + b"\n")
        self._stream.flush()


class _ContextFile:
    """Context manager for a regular file, which is open for reading and writing.

    The file and its folder are created if needed. Raises ``UsageError`` if the file cannot be
    opened or is no regular file (``system.safe_files``).
    """

    def __init__(self, path: Path, flags: int = 0) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = open_regular(path, os.O_RDWR | os.O_CREAT | flags)
        except FileExistsError:
            raise UsageError(f"cannot write {path}: {path.parent} is not a folder") from None
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from None
        self._stream = os.fdopen(descriptor, "r+b", buffering=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()

    @contextmanager
    def _readable_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise ArenaError(f"cannot write {self._path}: {error.strerror}") from None


class EventsFile(_ContextFile):
    """Context manager and event handler that appends event lines to a file.

    If the file ends in an incomplete line, for example because the disk was full, this line stays,
    and the first event is written on a new line.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, os.O_APPEND)
        size = os.fstat(self._stream.fileno()).st_size
        is_torn = size > 0 and os.pread(self._stream.fileno(), 1, size - 1) != b"\n"
        self._line_end = b"\n" if is_torn else b""

    def __call__(self, line: bytes) -> None:
        """Append an event line, or raise ``ArenaError`` if this fails."""
        with self._readable_errors():
            write_whole(self._stream, self._line_end + line + b"\n")
        self._line_end = b""


class GamesFile(_ContextFile):
    """Context manager for ``games.jsonl``, which holds the records of all games of a folder.

    While it is open, the file is locked, so that only one referee at a time uses the folder. The
    kernel releases the lock when the process ends for any reason. Raises ``UsageError`` if the file
    cannot be opened or locked.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # A referee that ends replaces the file, and no one else may have locked the new one.
            is_ours = os.path.samestat(os.fstat(self._stream.fileno()), path.lstat())
        except OSError:
            is_ours = False
        if not is_ours:
            self._stream.close()
            raise UsageError(f"{path.parent} is in use: another referee plays there")

    def check(self, lines: Iterable[bytes]) -> None:
        """Raise ``UsageError`` if the file holds anything that is not the beginning of ``lines``.

        The last line in the file may be incomplete.
        """
        with open(self._stream.fileno(), "rb", closefd=False) as file:
            for line in chain(lines, (b"",)):
                stored = file.read(len(line))
                if stored != line:
                    break
            if not line.startswith(stored) or file.read(1):
                raise UsageError(
                    f"{self._path} holds lines that arena.sqlite does not: move it away"
                )

    def replace(self, lines: Iterable[bytes]) -> None:
        """Replace the file, completely or not at all. Raise ``ArenaError`` if this fails.

        Afterwards, another referee may open the file.
        """
        with self._readable_errors():
            replace_file(self._path, lines)


def write_whole(stream: IO[bytes], data: bytes) -> None:
    """Write all of the data. A single ``write`` of an unbuffered stream may write only a part."""
    while data:
        data = data[stream.write(data) :]
