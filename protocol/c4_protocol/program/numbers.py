"""Checks of whole numbers and of times that callers pass to the public functions."""

from contextlib import suppress
from numbers import Real
from operator import index

from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import shown

MAX_INTEGER_BITS = 1 << 13
"""Maximum length of a number in bits. Python does not print much longer ones."""
MAX_SECONDS = 1e9
"""Limit of a time in seconds: about thirty years. Shorter times fit into any clock and message."""


def whole_number_of(value: object) -> int | None:
    """Return a whole number of any type as ``int``; ``None`` for anything else and for booleans.

    Integers of numpy and all others that Python accepts as an index are whole numbers. Numbers of
    more than ``MAX_INTEGER_BITS`` are not accepted.
    """
    if isinstance(value, bool):
        return None
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
    return number if number.bit_length() <= MAX_INTEGER_BITS else None


def checked_integer(value: object, what: str, minimum: int | None = None, maximum: int = 0) -> int:
    """Return a whole number as ``int``; raise ``UsageError`` for anything else.

    With ``minimum``, it must be in the range from ``minimum`` to ``maximum``. ``what`` names the
    number in the error message.
    """
    number = whole_number_of(value)
    if number is None or (minimum is not None and not minimum <= number <= maximum):
        limits = "" if minimum is None else f" from {minimum} to {maximum}"
        raise UsageError(f"{what} is a whole number{limits}, not {shown(value)}")
    return number


def checked_seconds(value: object, what: str) -> float:
    """Return the time as a float; raise ``UsageError`` if it is no number, negative or too long.

    ``what`` names the time in the error message.
    """
    with suppress(OverflowError):
        if isinstance(value, Real) and 0 <= float(value) < MAX_SECONDS:
            return float(value)
    raise UsageError(f"{what} is a number, at least 0 seconds, not {shown(value)}")
