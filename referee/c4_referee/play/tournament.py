"""The state of a tournament: which game is next, and which games have a result.

In: rounds from a schedule (``c4_referee.schedule``), and results from the caller. Out: one game at
a time for the caller. The schedule receives the results of each round and returns the next round.
This module does no input or output.

A game is *issued*. Then it is either *fixed* with its result, or *rolled back*, so that it can be
issued again. Therefore no scheduled game counts twice, even if a worker ends. The games of a
*barred* player are still issued, but the caller can fix them without playing them.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from c4_protocol.events import FaultRecord, GameEnded

from c4_referee.schedule import GameKey, Pairing, Player, Round, Schedule

Decision = Callable[[GameEnded], bool]
"""Function that receives the results one by one, in the order of the schedule and not in the order
of their arrival. It returns true if the contest is decided, so that no more games are needed."""
ATTEMPTS = 3
"""Maximum number of times that a game is issued. After this many attempts, it is given up. There
are several attempts, because a worker can be killed for a reason that has nothing to do with its
game."""
NO_RESULTS: Mapping[GameKey, GameEnded] = MappingProxyType({})


class Tournament:
    """Schedule in progress. ``results`` are the results of earlier runs.

    Games are numbered from 1 in the order of the schedule. An earlier result receives the number
    that its game has now. When ``decides`` returns true, no more games are issued, but issued games
    may still be fixed. Exceptions of the schedule are not caught.
    """

    def __init__(
        self,
        schedule: Schedule,
        results: Mapping[GameKey, GameEnded] = NO_RESULTS,
        decides: Decision | None = None,
    ) -> None:
        self._schedule = schedule
        self._earlier = dict(results)
        self._results: dict[int, GameEnded] = {}
        self._round: tuple[Pairing, ...] = ()
        self._missing = 0
        """Number of games of this round without a result."""
        self._waiting: deque[Pairing] = deque()
        self._issued: dict[int, Pairing] = {}
        self._attempts = Counter[int]()
        self._given_up: dict[int, Pairing] = {}
        self._barred: dict[Player, FaultRecord] = {}
        self._decides = decides
        self._considered = 0
        """Number of the last game that was given to ``decides`` or skipped, or 0 at the start."""
        self._numbered = 0
        self._to_come = 0
        self._may_grow = False
        self._is_over = False
        self.is_decided = False
        self.rounds = 0
        """Number of rounds that have begun."""
        self.byes = Counter[Player]()
        """Number of byes of each player."""
        self.ranking: tuple[Player, ...] | None = None
        """The players, the best first, or ``None`` if their points decide the order."""
        self._begin_rounds()

    @property
    def results(self) -> list[GameEnded]:
        """All results that are known now, in the order of the games' numbers."""
        return [self._results[number] for number in sorted(self._results)]

    @property
    def done(self) -> int:
        """Number of games that have a result."""
        return len(self._results)

    @property
    def scheduled(self) -> int:
        """Number of games of the schedule, as known now. ``bound`` says how accurate it is."""
        return self._numbered + self._to_come

    @property
    def bound(self) -> str:
        """Accuracy of ``scheduled``: ``"at least"``, ``"at most"``, or empty if it is exact.

        "At least" means that the schedule may add games, for example after a tie. "At most" means
        that ``decides`` may end the contest early.
        """
        if self.is_complete:
            return ""
        if self.may_be_decided:
            return "at most"
        return "at least" if self._may_grow else ""

    @property
    def is_complete(self) -> bool:
        """True if every scheduled game has a result, or if no more games are needed."""
        return self.is_decided or self._is_over

    @property
    def may_be_decided(self) -> bool:
        """True if the contest may end before all scheduled games have a result."""
        return self._decides is not None

    @property
    def waiting(self) -> int:
        """Number of games that can be issued now."""
        return 0 if self.is_decided else len(self._waiting)

    def issue(self) -> Pairing | None:
        """Return the next game, or ``None`` if no game is waiting now.

        It may be a game of a barred player. After ``None``, if the tournament is not complete, more
        games may follow when issued games have been fixed or rolled back.
        """
        if not self.waiting:
            return None
        pairing = self._waiting.popleft()
        self._issued[pairing.number] = pairing
        self._attempts[pairing.number] += 1
        return pairing

    def issued(self, number: int) -> Pairing:
        """Return an issued game, or raise ``KeyError`` if the game is not issued."""
        return self._issued[number]

    def fix(self, result: GameEnded) -> None:
        """Store the result of an issued game, or raise ``KeyError`` if the game is not issued."""
        del self._issued[result.game]
        self._add_result(result)
        self._begin_rounds()

    def roll_back(self, number: int, was_attempt: bool = True) -> None:
        """Take back an issued game. It will be issued again, or given up after ``ATTEMPTS``.

        Without ``was_attempt``, this issue does not count, because the game has not begun or
        because it is not known whether the game was the cause.
        """
        pairing = self._issued.pop(number)
        self._attempts[number] -= not was_attempt
        if self._attempts[number] < ATTEMPTS:
            self._waiting.appendleft(pairing)
        else:
            self._given_up[number] = pairing
            self._consider()

    def bar(self, player: Player, fault: FaultRecord) -> None:
        """Bar a player, and store its first fault. The games that it is playing continue.

        Its games that were given up are issued again, because they need not be played.
        """
        if player in self._barred:
            return
        self._barred[player] = fault
        games = self._given_up.items()
        for number in [number for number, game in games if player in (game.first, game.second)]:
            self._waiting.append(self._given_up.pop(number))

    def barred(self, pairing: Pairing) -> list[FaultRecord]:
        """Return the faults for which players of a game are barred: none, one or two."""
        players = (pairing.first, pairing.second)
        return [self._barred[player] for player in players if player in self._barred]

    def _begin_rounds(self) -> None:
        """Begin rounds until a round has games without a result, or the schedule ends."""
        while not self._is_over and not self._missing:
            try:
                self._begin(self._next_round())
            except StopIteration as end:
                self._is_over, self._to_come, self.ranking = True, 0, end.value

    def _next_round(self) -> Round:
        """Return the next round. Send the results of this round, if any, to the schedule."""
        if not self.rounds:
            return next(self._schedule)
        results = [_half_points(self._results[pairing.number]) for pairing in self._round]
        return self._schedule.send(results)

    def _begin(self, opened: Round) -> None:
        numbers = range(self._numbered + 1, self._numbered + len(opened.games) + 1)
        self._round = tuple(map(Pairing, numbers, opened.games))
        self._numbered += len(self._round)
        self._missing = len(self._round)
        self._to_come, self._may_grow = opened.to_come, opened.may_grow
        self.ranking = opened.ranking
        self.byes.update(opened.byes)
        self.rounds += 1
        for pairing in self._round:
            earlier = self._earlier.pop(pairing.key, None)
            if earlier is None:
                self._waiting.append(pairing)
            else:
                self._add_result(replace(earlier, game=pairing.number))

    def _add_result(self, result: GameEnded) -> None:
        self._results[result.game] = result
        self._missing -= 1
        self._consider()

    def _consider(self) -> None:
        """Give results to ``decides`` in the order of the schedule, up to the first missing one.

        A game that was given up is skipped. Because of this order, the decision does not depend on
        the order in which games end.
        """
        while self._decides is not None and not self.is_decided:
            number = self._considered + 1
            if number not in self._results and number not in self._given_up:
                return
            self._considered = number
            if number in self._results:
                self.is_decided = self._decides(self._results[number])


def _half_points(result: GameEnded) -> int | None:
    """Return the half points of the first player, 0 to 2, or ``None`` for a void game."""
    return None if result.ending == "void" else (1, 2, 0)[result.winner]
