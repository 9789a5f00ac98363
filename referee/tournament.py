"""A tournament as a state machine: which game is next, which are done. No input or output.

A game is *issued*, then *fixed* with its result, or *rolled back* to be issued again, so that
every scheduled game counts exactly once whatever becomes of those who play it.
"""

from collections import deque
from collections.abc import Iterable

from protocol.records import GameEnded
from referee.schedule import Pairing

ATTEMPTS = 3
"""How often a game is issued before it is given up: a worker that dies may have been unlucky."""


class Tournament:
    """Keeps the books of a schedule."""

    def __init__(self, schedule: Iterable[Pairing]) -> None:
        self._waiting = deque(schedule)
        self._issued: dict[int, Pairing] = {}
        self._attempts: dict[int, int] = {}
        self._results: dict[int, GameEnded] = {}
        self.scheduled = len(self._waiting)

    @property
    def results(self) -> list[GameEnded]:
        """The games played, by their number."""
        return [self._results[number] for number in sorted(self._results)]

    @property
    def is_complete(self) -> bool:
        """Whether every scheduled game has its result."""
        return len(self._results) == self.scheduled

    def issue(self) -> Pairing | None:
        """The next game to play; ``None`` if none is waiting."""
        if not self._waiting:
            return None
        pairing = self._waiting.popleft()
        self._issued[pairing.number] = pairing
        self._attempts[pairing.number] = self._attempts.get(pairing.number, 0) + 1
        return pairing

    def fix(self, result: GameEnded) -> None:
        """The result of an issued game; raises ``KeyError`` for any other."""
        del self._issued[result.game]
        self._results[result.game] = result

    def roll_back(self, number: int) -> None:
        """An issued game came to nothing: it will be issued again, unless that was often tried."""
        pairing = self._issued.pop(number)
        if self._attempts[number] < ATTEMPTS:
            self._waiting.appendleft(pairing)
