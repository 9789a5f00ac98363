"""A tournament as a state machine: which game is next, which are done. No input or output.

Rounds come from a schedule (``c4_referee.schedule``), which is sent the results of each round and
makes the next one. A game is *issued*, then *fixed* with its result, or *rolled back* to be issued
again, so that every scheduled game counts exactly once whatever becomes of those who play it. A bot
that is *barred* plays no more: whoever asks for the next game decides those of barred bots by hand.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from c4_protocol.events import FaultRecord, GameEnded

from c4_referee.schedule import GameKey, Pairing, Round, Schedule

Decision = Callable[[GameEnded], bool]
"""Is given results in the order of the schedule, whichever is there first; says after each whether
the event is decided, so that no more games are needed."""
ATTEMPTS = 3
"""How often a game is issued before it is given up: a worker that dies may have been unlucky."""
NONE: Mapping[GameKey, GameEnded] = MappingProxyType({})


class Tournament:
    """Keeps the books of a schedule, some games of which may have their ``results`` already.

    Games are numbered from 1 in the order of the schedule, whatever number an earlier result has.
    Once ``decides`` says so, no more of its games are issued; those under way go on. What the
    schedule raises passes through.
    """

    def __init__(
        self,
        schedule: Schedule,
        results: Mapping[GameKey, GameEnded] = NONE,
        decides: Decision | None = None,
    ) -> None:
        self._schedule = schedule
        self._earlier = dict(results)
        self._results: dict[int, GameEnded] = {}
        self._round: tuple[Pairing, ...] = ()
        self._round_waits_for = 0
        self._waiting: deque[Pairing] = deque()
        self._issued: dict[int, Pairing] = {}
        self._attempts = Counter[int]()
        self._given_up = set[int]()
        self._barred: dict[int, FaultRecord] = {}
        self._decides = decides
        self._consulted = 0
        """How many games, from the first one on, have been put to the decision."""
        self._numbered = 0
        self._to_come = 0
        self._may_grow = False
        self._is_over = False
        self.is_decided = False
        self.rounds = 0
        """How many have begun."""
        self.byes = Counter[int]()
        """How often each bot, by its place, had nobody to meet."""
        self.ranking: tuple[int, ...] | None = None
        """In which order the bots stand, if the schedule knows better than their points."""
        self._go_on()

    @property
    def results(self) -> list[GameEnded]:
        """The games played, by their number."""
        return [self._results[number] for number in sorted(self._results)]

    @property
    def done(self) -> int:
        """How many games have their result."""
        return len(self._results)

    @property
    def scheduled(self) -> int:
        """How many games there are, as far as that is known."""
        return self._numbered + self._to_come

    @property
    def bound(self) -> str:
        """What ``scheduled`` is: ``"at least"`` or ``"at most"`` so many games, empty if exact.

        A schedule may add games, as for a tie; a decision may end the event before its last game.
        """
        if self.is_complete:
            return ""
        if self._decides is not None:
            return "at most"
        return "at least" if self._may_grow else ""

    @property
    def is_complete(self) -> bool:
        """Whether every scheduled game has its result, or no more are needed."""
        return self.is_decided or self._is_over

    @property
    def waiting(self) -> int:
        """How many games can be issued now."""
        return 0 if self.is_decided else len(self._waiting)

    def issue(self) -> Pairing | None:
        """The next game to play, or to decide for a barred bot; ``None`` if none is waiting.

        There may be others when those that have been issued are fixed or rolled back.
        """
        if not self.waiting:
            return None
        pairing = self._waiting.popleft()
        self._issued[pairing.number] = pairing
        self._attempts[pairing.number] += 1
        return pairing

    def issued(self, number: int) -> Pairing:
        """An issued game; raises ``KeyError`` for any other."""
        return self._issued[number]

    def fix(self, result: GameEnded) -> None:
        """The result of an issued game; raises ``KeyError`` for any other."""
        del self._issued[result.game]
        self._fix(result)
        self._go_on()

    def roll_back(self, number: int) -> None:
        """An issued game came to nothing: it will be issued again, unless that was often tried."""
        pairing = self._issued.pop(number)
        if self._attempts[number] < ATTEMPTS:
            self._waiting.appendleft(pairing)
        else:
            self._given_up.add(number)
            self._consult()

    def bar(self, bot: int, fault: FaultRecord) -> None:
        """A bot plays no more, for its first such fault; games that are under way go on."""
        self._barred.setdefault(bot, fault)

    def barred(self, pairing: Pairing) -> list[FaultRecord]:
        """Why those who should play a game are barred: none, one or two faults."""
        return [self._barred[bot] for bot in (pairing.first, pairing.second) if bot in self._barred]

    def _go_on(self) -> None:
        """Begins rounds until one has games to play, or there are no more."""
        while not self._is_over and not self._round_waits_for:
            try:
                self._begin(self._next_round())
            except StopIteration as end:
                self._is_over, self._to_come, self.ranking = True, 0, end.value

    def _next_round(self) -> Round:
        if not self.rounds:
            return next(self._schedule)
        results = [_half_points(self._results[pairing.number]) for pairing in self._round]
        return self._schedule.send(results)

    def _begin(self, opened: Round) -> None:
        numbers = range(self._numbered + 1, self._numbered + len(opened.games) + 1)
        self._round = tuple(map(Pairing, numbers, opened.games))
        self._numbered += len(self._round)
        self._round_waits_for = len(self._round)
        self._to_come, self._may_grow = opened.to_come, opened.may_grow
        self.ranking = opened.ranking
        self.byes.update(opened.byes)
        self.rounds += 1
        for pairing in self._round:
            earlier = self._earlier.pop(pairing.key, None)
            if earlier is None:
                self._waiting.append(pairing)
            else:
                self._fix(replace(earlier, game=pairing.number))

    def _fix(self, result: GameEnded) -> None:
        self._results[result.game] = result
        self._round_waits_for -= 1
        self._consult()

    def _consult(self) -> None:
        """Puts results to the decision, in an order that does not depend on who is quick."""
        while self._decides is not None and not self.is_decided:
            following = self._consulted + 1
            if following not in self._results and following not in self._given_up:
                return
            self._consulted = following
            if following in self._results:
                self.is_decided = self._decides(self._results[following])


def _half_points(result: GameEnded) -> int | None:
    """Of the bot that went first; ``None`` for a void game."""
    return None if result.ending == "void" else (1, 2, 0)[result.winner]
