"""Checks times in seconds that callers pass to the public functions."""

from contextlib import suppress
from numbers import Real

from c4_protocol.errors import UsageError

MAX_SECONDS = 1e9
"""Times have to be shorter than this, about thirty years; that fits into any clock and message."""


def checked_seconds(value: object, what: str) -> float:
    """Return a time that is a number and not negative; otherwise raise ``UsageError``.

    ``what`` says what the time is for: the error message begins with it.
    """
    with suppress(OverflowError):
        if isinstance(value, Real) and 0 <= float(value) < MAX_SECONDS:
            return float(value)
    raise UsageError(f"{what} is a number, at least 0 seconds, not {value!r}")
