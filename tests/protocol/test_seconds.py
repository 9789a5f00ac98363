"""Times in seconds that callers pass to the public functions."""

from fractions import Fraction

import pytest
from c4_protocol.errors import UsageError
from c4_protocol.seconds import MAX_SECONDS, checked_seconds


@pytest.mark.parametrize("value", [0, 0.5, 3, True, Fraction(1, 2), MAX_SECONDS - 1])
def test_number_of_seconds_is_a_float(value):
    """Any real number from 0 is accepted, and returned as a float."""
    found = checked_seconds(value, "the time")
    assert type(found) is float
    assert found == value


@pytest.mark.parametrize(
    "value", [-1e-9, MAX_SECONDS, float("inf"), float("nan"), 10**400, "1", None, 1j]
)
def test_other_values_are_refused(value):
    """Other values are refused with a message that names the time."""
    with pytest.raises(UsageError, match=r"^the time is a number, at least 0 seconds, not "):
        checked_seconds(value, "the time")
