"""Consumers of events that write them down."""

from pathlib import Path
from typing import IO, Any

from protocol.errors import UsageError


class LineLog:
    """Appends events to a stream as JSON lines: all of them, or those of one kind."""

    def __init__(self, stream: IO[bytes], kind: str | None = None) -> None:
        self._stream = stream
        self._kind = kind

    def __call__(self, event: dict[str, Any], line: bytes) -> None:
        """Writes an event down, where it lasts should the referee be killed next."""
        if self._kind in (None, event["event"]):
            self._stream.write(line + b"\n")
            self._stream.flush()


def open_log(path: Path) -> IO[bytes]:
    """A file to append to, its folder made if need be; raises ``UsageError``."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("ab", buffering=0)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
