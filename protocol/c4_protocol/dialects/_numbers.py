"""Numbers in lines of text: columns and milliseconds."""

import re
from math import isfinite

from c4_protocol.program.errors import ProtocolError
from c4_protocol.program.text import quoted
from c4_protocol.records.messages import Time

UNLIMITED_CLOCK_MS = 120_000
"""Milliseconds sent for a player without a time limit: the clock of COMP2230's coordinator."""


def parsed_number(word: bytes) -> int:
    """Return the whole number that a word is; raise ``ProtocolError`` for any other word."""
    if not re.fullmatch(rb"-?[0-9]{1,15}", word):
        raise ProtocolError(f"{quoted(word)} is not a number")
    return int(word)


def milliseconds_left(time: Time | None, unlimited: int = UNLIMITED_CLOCK_MS) -> int:
    """Return the milliseconds that a player has for the move or on the clock.

    Without a limit, return ``unlimited``.
    """
    left = time if time is None or isinstance(time, float | int) else time.remaining_ms
    return int(left) if left is not None and isfinite(left) else unlimited
