"""Times that callers of the public functions give, in seconds."""

from contextlib import suppress
from numbers import Real

from c4_protocol.errors import UsageError

LONGEST = 1e9
"""Every time is shorter than this: about thirty years, which fits into any clock and message."""


def checked_seconds(value: object, what: str) -> float:
    """Return a time that is a number from 0; raise ``UsageError`` with ``what`` the time is for."""
    with suppress(OverflowError):
        if isinstance(value, Real) and 0 <= float(value) < LONGEST:
            return float(value)
    raise UsageError(f"{what} is a number, at least 0 seconds, not {value!r}")
