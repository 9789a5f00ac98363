"""Results are used again for a time that depends on how long it took to find them."""

from types import SimpleNamespace

import pytest
from c4_referee.bots.contain import reuse
from c4_referee.bots.contain.reuse import RecentResults


def test_result_is_used_again_for_a_time():
    """The next result is found when finding results has taken the share of the time."""
    found = iter(range(9))
    never, always = RecentResults[int](1e-9), RecentResults[int](float("inf"))
    assert [never.get("a", lambda: next(found)) for _ in range(3)] == [0, 0, 0]
    assert never.get("b", lambda: next(found)) == 1
    assert [always.get("a", lambda: next(found)) for _ in range(3)] == [2, 3, 4]


def test_long_search_is_repeated_later(monkeypatch):
    """A result is used again for as long as the share says: here for twice the time to find it."""
    now = [100.0]
    monkeypatch.setattr(reuse, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def find() -> float:
        now[0] += 2
        return now[0]

    half = RecentResults[float](0.5)
    assert half.get("a", find) == 102
    now[0] = 105.9
    assert half.get("a", find) == 102
    now[0] = 106
    assert half.get("a", find) == 108


def test_exception_is_no_result():
    """If a search fails, the next call searches again."""
    results = RecentResults[int](1e-9)
    with pytest.raises(OSError, match="no"):
        results.get("a", lambda: (_ for _ in ()).throw(OSError("no")))
    assert results.get("a", lambda: 1) == 1
