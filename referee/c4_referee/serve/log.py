"""The log of the server on standard error: harmless lines of limited length, and not too many."""

import logging
import sys
import time
from asyncio import CancelledError

from c4_protocol.program.text import visible

MAX_LINE = 160
MAX_LINES_PER_SECOND = 10
"""Maximum length of a line, in characters, and number of lines. Others are only counted."""


class Log(logging.Handler):
    """The log. Several threads may call it. It also takes the warnings of libraries."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._second, self._lines = 0, 0

    def __call__(self, text: str) -> None:
        """Write a line, or only count it."""
        second = int(time.monotonic())
        if second != self._second:
            left_out = self._lines - MAX_LINES_PER_SECOND
            self._second, self._lines = second, 0
            if left_out > 0:
                sys.stderr.write(f"c4-referee: {left_out} more lines\n")
        self._lines += 1
        if self._lines <= MAX_LINES_PER_SECOND:
            sys.stderr.write(f"c4-referee: {visible(text)[:MAX_LINE]}\n")

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record of a library, without a traceback.

        A stream that ends because the server ends is no failure.
        """
        if not (record.exc_info and isinstance(record.exc_info[1], CancelledError)):
            self(record.getMessage().strip())
