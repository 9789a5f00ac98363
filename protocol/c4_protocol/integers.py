"""Whole numbers that callers pass to the public functions."""

from operator import index

from c4_protocol.errors import UsageError
from c4_protocol.text import shown

MAX_BITS = 1 << 13
"""Maximum length of a number in bits. Python does not print much longer ones."""


def integer(value: object) -> int | None:
    """Return a whole number of any type as ``int``; ``None`` for anything else and for booleans.

    Integers of numpy and all others that Python accepts as an index are whole numbers. Numbers of
    more than ``MAX_BITS`` are not accepted.
    """
    if isinstance(value, bool):
        return None
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        return None
    return number if number.bit_length() <= MAX_BITS else None


def checked_integer(value: object, what: str, least: int | None = None, most: int = 0) -> int:
    """Return a whole number as ``int``; raise ``UsageError`` for anything else.

    With ``least``, it must be in the range from ``least`` to ``most``. ``what`` names the number in
    the error message.
    """
    number = integer(value)
    if number is None or (least is not None and not least <= number <= most):
        limits = "" if least is None else f" from {least} to {most}"
        raise UsageError(f"{what} is a whole number{limits}, not {shown(value)}")
    return number
