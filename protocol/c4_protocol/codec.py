"""Bytes into lines, with no file, pipe or clock in sight.

One line is one message. Lines end in LF or CRLF; a byte order mark before a line and lines of
white space alone are passed over.
"""

from c4_protocol.errors import LineTooLong

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
DEFAULT_LIMIT = 1 << 20
"""Bytes of a line at most: a 52x52 grid takes about 6,000."""

START_SHOWN = 200
"""Bytes of an overlong line that its error shows."""


class LineBuffer:
    """Collects bytes in any portions and gives back whole lines.

    Holds ``limit`` bytes of an unfinished line at most: of a longer one, the rest is thrown away
    as it arrives. With ``keep_blank`` blank lines count as lines.
    """

    def __init__(self, limit: int = DEFAULT_LIMIT, *, keep_blank: bool = False) -> None:
        self._limit = limit
        self._keep_blank = keep_blank
        self._bytes = bytearray()
        self._searched = 0
        self._skipping = False

    def feed(self, data: bytes) -> None:
        """Takes bytes as they come."""
        self._bytes += data

    def end(self) -> None:
        """Says that no more bytes come: an unfinished last line counts as a line."""
        if self._bytes or self._skipping:
            self._bytes += b"\n"

    def clear(self) -> None:
        """Throws away what has not been given back as lines."""
        self._bytes.clear()
        self._searched = 0

    @property
    def pending(self) -> bytes:
        """The bytes, blanks around them apart, that have not been given back as lines."""
        return bytes(self._bytes).strip() if self._bytes else b""

    def next_line(self) -> bytes | None:
        """The next line to read, without blanks around it; ``None`` until there is one.

        Raises ``LineTooLong``, once for each line beyond the limit; the next call goes on with
        what follows.
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
                raise LineTooLong(self._limit, line[:START_SHOWN])
            if line or self._keep_blank:
                return line
        self._searched = len(self._bytes)
        if self._searched > self._limit or self._skipping:
            start = bytes(self._bytes[:START_SHOWN])
            self.clear()
            if not self._skipping:
                self._skipping = True
                raise LineTooLong(self._limit, start)
        return None
