"""Results that are used again for a time, because finding them takes long."""

import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

ResultType = TypeVar("ResultType")


class RecentResults(Generic[ResultType]):
    """Results by key. Finding the result of one key takes at most ``share`` of the time."""

    def __init__(self, share: float) -> None:
        self.share = share
        self._kept: dict[Hashable, tuple[ResultType, float]] = {}

    def get(self, key: Hashable, find: Callable[[], ResultType]) -> ResultType:
        """Return the result of ``find``, or an earlier one. An exception of ``find`` is raised."""
        began = time.monotonic()
        if key in self._kept and began < self._kept[key][1]:
            return self._kept[key][0]
        result = find()
        ended = time.monotonic()
        self._kept[key] = result, ended + (ended - began) / self.share
        return result
