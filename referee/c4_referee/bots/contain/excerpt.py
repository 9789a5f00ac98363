"""The part of a program's output that is stored, such as the standard error of a bot."""

from c4_protocol.program.text import visible

MAX_KEPT_BYTES = 1 << 12
"""Number of bytes stored of the beginning of the output. As many are stored of its end."""


class TextExcerpt:
    """The beginning and the end of a text of any length."""

    def __init__(self) -> None:
        self.total = 0
        """Number of bytes that were added."""
        self._head = b""
        self._tail = b""

    def add(self, data: bytes) -> None:
        """Add the next bytes of the text."""
        self.total += len(data)
        room = MAX_KEPT_BYTES - len(self._head)
        self._head += data[:room]
        self._tail = (self._tail + data[room:])[-MAX_KEPT_BYTES:]

    def text(self) -> str:
        """Return the text, without its middle if it is long.

        Only line ends and tabs stay as they are. Other control characters are escaped.
        """
        left_out = self.total - len(self._head) - len(self._tail)
        middle = b"\n[... %d bytes ...]\n" % left_out if left_out else b""
        text = (self._head + middle + self._tail).decode(errors="backslashreplace")
        return visible(text, keep="\n\t")
