"""Whole numbers and times that callers pass to the public functions."""

from fractions import Fraction

import numpy as np
import pytest
from c4_protocol.program.errors import UsageError
from c4_protocol.program.numbers import (
    MAX_INTEGER_BITS,
    MAX_SECONDS,
    checked_integer,
    checked_seconds,
    whole_number_of,
)


class Three:
    """A number of another library: Python accepts it as an index."""

    def __index__(self) -> int:
        return 3


@pytest.mark.parametrize("value", [3, Three(), np.int8(3), np.uint64(3), np.array(3)])
def test_whole_number_of_any_type_is_an_int(value):
    """Everything that Python accepts as an index is returned as ``int``."""
    found = checked_integer(value, "the number", 1, 3)
    assert type(found) is int
    assert found == 3


@pytest.mark.parametrize(
    "value", [True, np.True_, 3.0, "3", None, [3], np.array([3, 3]), 1 << MAX_INTEGER_BITS]
)
def test_other_values_are_no_numbers(value):
    """Booleans, fractions, texts, arrays and numbers that cannot be printed are refused."""
    assert whole_number_of(value) is None
    with pytest.raises(UsageError, match=r"^the number is a whole number, not "):
        checked_integer(value, "the number")


@pytest.mark.parametrize("value", [0, 4, -(10**30)])
def test_range_is_checked_and_named(value):
    """A number outside of its range is refused with a message that names the range."""
    with pytest.raises(UsageError, match=rf"^a depth is a whole number from 1 to 3, not {value}$"):
        checked_integer(value, "a depth", 1, 3)


@pytest.mark.parametrize("value", [0, 0.5, 3, True, Fraction(1, 2), MAX_SECONDS - 1])
def test_number_of_seconds_is_a_float(value):
    """Any real number from 0 is accepted, and returned as a float."""
    found = checked_seconds(value, "the time")
    assert type(found) is float
    assert found == value


@pytest.mark.parametrize(
    "value", [-1e-9, MAX_SECONDS, float("inf"), float("nan"), 10**400, "1", None, 1j]
)
def test_other_values_are_no_times(value):
    """Other values are refused with a message that names the time."""
    with pytest.raises(UsageError, match=r"^the time is a number, at least 0 seconds, not "):
        checked_seconds(value, "the time")
