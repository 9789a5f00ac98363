"""Results are used again for a time that depends on how long it took to find them."""

import time

import pytest
from c4_referee.contain.reuse import RecentResults


def test_result_is_used_again_for_a_time():
    """The next result is found when finding results has taken the share of the time."""
    found = iter(range(9))
    never, always = RecentResults[int](1e-9), RecentResults[int](float("inf"))
    assert [never.get("a", lambda: next(found)) for _ in range(3)] == [0, 0, 0]
    assert never.get("b", lambda: next(found)) == 1
    assert [always.get("a", lambda: next(found)) for _ in range(3)] == [2, 3, 4]


def test_long_search_is_repeated_later():
    """A result is used again for as long as the share says."""
    half = RecentResults[int](0.5)
    assert half.get("a", lambda: time.sleep(0.2) or 1) == 1
    assert half.get("a", lambda: 2) == 1
    time.sleep(0.5)
    assert half.get("a", lambda: 2) == 2


def test_exception_is_no_result():
    """If a search fails, the next call searches again."""
    reuse = RecentResults[int](1e-9)
    with pytest.raises(OSError, match="no"):
        reuse.get("a", lambda: (_ for _ in ()).throw(OSError("no")))
    assert reuse.get("a", lambda: 1) == 1
