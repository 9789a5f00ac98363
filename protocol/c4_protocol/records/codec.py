"""Splitting of bytes into lines, without any input or output.

One line is one message. Lines end in LF or CRLF. A byte order mark before a line is removed, and
blank lines are skipped.
"""

from c4_protocol.program.errors import LineTooLong

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
DEFAULT_MAX_LINE_BYTES = 1 << 20
"""Default maximum length of a line, in bytes. The largest grid, 52x52, takes about 6,000 bytes."""

MAX_SHOWN_START = 200
"""Maximum number of bytes that ``LineTooLong.start`` contains."""


class LineBuffer:
    """Buffer that takes bytes in portions of any size and returns whole lines.

    A line may have at most ``limit`` bytes. The bytes of a longer line are thrown away as they
    arrive. If ``keep_blank`` is true, blank lines are returned too.
    """

    def __init__(self, limit: int = DEFAULT_MAX_LINE_BYTES, *, keep_blank: bool = False) -> None:
        self._limit = limit
        self._keep_blank = keep_blank
        self._bytes = bytearray()
        self._searched = 0
        self._skipping = False

    def feed(self, data: bytes) -> None:
        """Append bytes."""
        self._bytes += data

    def end(self) -> None:
        """Mark the end of the input. An unfinished last line then counts as a whole line."""
        if self._bytes or self._skipping:
            self._bytes += b"\n"

    def clear(self) -> None:
        """Throw away all bytes that have not been returned as lines."""
        self._bytes.clear()
        self._searched = 0

    @property
    def pending(self) -> bytes:
        """The bytes that have not been returned as lines, without blanks around them."""
        return bytes(self._bytes).strip() if self._bytes else b""

    def next_line(self) -> bytes | None:
        """Return the next line without blanks around it, or ``None`` if none is complete.

        Raises ``LineTooLong`` once for each line that exceeds the limit. The next call then
        continues with the following line.
        """
        if not self._bytes:
            return None
        while (end := self._bytes.find(b"\n", self._searched)) >= 0:
            line = bytes(self._bytes[:end]).removeprefix(BYTE_ORDER_MARK).strip()
            del self._bytes[: end + 1]
            self._searched = 0
            if self._skipping:
                self._skipping = False
                continue
            if end > self._limit:
                raise LineTooLong(self._limit, line[:MAX_SHOWN_START])
            if line or self._keep_blank:
                return line
        self._searched = len(self._bytes)
        if self._searched > self._limit or self._skipping:
            start = bytes(self._bytes[:MAX_SHOWN_START])
            self.clear()
            if not self._skipping:
                self._skipping = True
                raise LineTooLong(self._limit, start)
        return None
