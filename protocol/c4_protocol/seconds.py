"""Check of times in seconds that callers pass to the public functions."""

from contextlib import suppress
from numbers import Real

from c4_protocol.errors import UsageError
from c4_protocol.text import shown

MAX_SECONDS = 1e9
"""Limit of a time in seconds: about thirty years. Shorter times fit into any clock and message."""


def checked_seconds(value: object, what: str) -> float:
    """Return the time as a float; raise ``UsageError`` if it is no number, negative or too long.

    ``what`` names the time in the error message.
    """
    with suppress(OverflowError):
        if isinstance(value, Real) and 0 <= float(value) < MAX_SECONDS:
            return float(value)
    raise UsageError(f"{what} is a number, at least 0 seconds, not {shown(value)}")
