"""A tournament as a state machine: which game is next, which are done. No input or output.

A game is *issued*, then *fixed* with its result, or *rolled back* to be issued again, so that
every scheduled game counts exactly once whatever becomes of those who play it. A bot that is
*barred* plays no more: whoever asks for the next game decides those of barred bots by hand.
"""

from collections import deque
from collections.abc import Callable, Iterable

from protocol.records import FaultRecord, GameEnded
from referee.schedule import Pairing

Decision = Callable[[GameEnded], bool]
"""Is given results in the order of the schedule, whichever is there first; says after each whether
the event is decided, so that no more games are needed."""
ATTEMPTS = 3
"""How often a game is issued before it is given up: a worker that dies may have been unlucky."""


class Tournament:
    """Keeps the books of a schedule, some games of which may have their ``results`` already.

    Once ``decides`` says so, no more of its games are issued; those under way go on.
    """

    def __init__(
        self,
        schedule: Iterable[Pairing],
        results: Iterable[GameEnded] = (),
        decides: Decision | None = None,
    ) -> None:
        self._results = {result.game: result for result in results}
        pairings = list(schedule)
        self._waiting = deque(game for game in pairings if game.number not in self._results)
        self._issued: dict[int, Pairing] = {}
        self._attempts: dict[int, int] = {}
        self._barred: dict[int, FaultRecord] = {}
        self._decides = decides
        self._consulted = 0
        """How many games, from the first one on, have been put to the decision."""
        self.is_decided = False
        self.scheduled = len(pairings)
        self._consult()

    @property
    def results(self) -> list[GameEnded]:
        """The games played, by their number."""
        return [self._results[number] for number in sorted(self._results)]

    @property
    def done(self) -> int:
        """How many games have their result."""
        return len(self._results)

    @property
    def is_complete(self) -> bool:
        """Whether every scheduled game has its result, or no more are needed."""
        return self.is_decided or self.done == self.scheduled

    @property
    def waiting(self) -> int:
        """How many games are still to be issued."""
        return 0 if self.is_decided else len(self._waiting)

    def issue(self) -> Pairing | None:
        """The next game to play, or to decide for a barred bot; ``None`` if none is waiting."""
        if not self.waiting:
            return None
        pairing = self._waiting.popleft()
        self._issued[pairing.number] = pairing
        self._attempts[pairing.number] = self._attempts.get(pairing.number, 0) + 1
        return pairing

    def issued(self, number: int) -> Pairing:
        """An issued game; raises ``KeyError`` for any other."""
        return self._issued[number]

    def fix(self, result: GameEnded) -> None:
        """The result of an issued game; raises ``KeyError`` for any other."""
        del self._issued[result.game]
        self._results[result.game] = result
        self._consult()

    def roll_back(self, number: int) -> None:
        """An issued game came to nothing: it will be issued again, unless that was often tried."""
        pairing = self._issued.pop(number)
        if self._attempts[number] < ATTEMPTS:
            self._waiting.appendleft(pairing)

    def bar(self, bot: int, fault: FaultRecord) -> None:
        """A bot plays no more, for its first such fault; games that are under way go on."""
        self._barred.setdefault(bot, fault)

    def barred(self, pairing: Pairing) -> list[FaultRecord]:
        """Why those who should play a game are barred: none, one or two faults."""
        return [self._barred[bot] for bot in (pairing.first, pairing.second) if bot in self._barred]

    def _consult(self) -> None:
        """Puts results to the decision, in an order that does not depend on who is quick."""
        while (
            self._decides is not None
            and not self.is_decided
            and (result := self._results.get(self._consulted + 1)) is not None
        ):
            self._consulted += 1
            self.is_decided = self._decides(result)
