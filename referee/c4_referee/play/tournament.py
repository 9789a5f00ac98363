"""The state of a tournament: which game is next, and which games have a result.

In: rounds from a schedule (``c4_referee.schedule``), and results from the caller. Out: one game at
a time for the caller. The schedule receives the results of each round and returns the next round.
This module does no input or output.

A game is *issued*. Then it is either *fixed* with its result, or *rolled back*, so that it can be
issued again. Therefore no scheduled game counts twice, even if a worker ends. The games of a
*barred* player are still issued, but the caller can fix them without playing them. The games of a
player that *gives up* (``play.first_games``) count for nobody, and the others are not issued.
"""

from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

from c4_protocol.events import FaultRecord, GameEnded

from c4_referee.play.first_games import FirstGames
from c4_referee.schedule import GameKey, Pairing, Player, Round, Schedule
from c4_referee.storage.archive import Progress

Decision = Callable[[GameEnded], bool]
"""Function that receives the results one by one, in the order of the schedule and not in the order
of their arrival. It returns true if the contest is decided, so that no more games are needed."""
ATTEMPTS = 3
"""Maximum number of times that a game is issued. After this many attempts, it is given up. There
are several attempts, because a worker can be killed for a reason that has nothing to do with its
game."""
NO_RESULTS: Mapping[GameKey, GameEnded] = MappingProxyType({})


class Tournament:
    """Schedule in progress. ``results`` are the results of earlier runs, with different numbers.

    A game of an earlier run keeps its number. Any other game gets its position in the schedule,
    from 1, or the next number above all others if an earlier game has this number. When ``decides``
    returns true, no more games are issued, but issued games may still be fixed. ``give_up`` is the
    limit of ``FirstGames``. The players who give up are added to ``gone``. Games of players who are
    ``absent`` are not issued. Exceptions of the schedule are not caught.
    """

    def __init__(
        self,
        schedule: Schedule,
        results: Mapping[GameKey, GameEnded] = NO_RESULTS,
        decides: Decision | None = None,
        *,
        give_up: int = 0,
        gone: set[Player] | None = None,
        absent: Collection[Player] = (),
    ) -> None:
        self._schedule = schedule
        self._earlier = dict(results)
        self._numbers = {game.game for game in results.values()}
        """Numbers of all games."""
        self._highest = max(self._numbers, default=0)
        self._results: dict[int, GameEnded] = {}
        self._order: list[Pairing] = []
        """All games, in the order of the schedule."""
        self._round: tuple[Pairing, ...] = ()
        self._open: set[int] = set()
        """Numbers of the games of this round that need a result."""
        self._waiting: deque[Pairing] = deque()
        self._issued: dict[int, Pairing] = {}
        self._attempts = Counter[int]()
        self._given_up: dict[int, Pairing] = {}
        self._barred: dict[Player, FaultRecord] = {}
        self._give_up = give_up
        self._first_games = FirstGames(give_up)
        self._gone = set() if gone is None else gone
        self._absent = absent
        self._dropped: dict[int, Pairing] = {}
        """Games of players who gave up."""
        self._decides = decides
        self._considered = 0
        """Number of games that were given to ``decides`` or skipped."""
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
        self.gave_up: dict[Player, FaultRecord] = {}
        """Players who gave up, each with its fault in one of its first games."""
        self.dropped: dict[int, GameEnded] = {}
        """Results of players who gave up, by number. They count for nobody."""
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
        return len(self._order) - len(self._dropped) + self._to_come

    @property
    def progress(self) -> Progress:
        """State of the contest that its results alone do not show."""
        return Progress(
            self.scheduled,
            self.is_complete,
            len(self._dropped) - len(self.dropped),
            self.byes,
            self.ranking or (),
            self._give_up,
            frozenset(self.gave_up),
            frozenset((*self._earlier, *(self._dropped[number].key for number in self.dropped))),
        )

    @property
    def apart(self) -> list[GameEnded]:
        """Results that do not count, in the order of their numbers."""
        games = (*self._earlier.values(), *self.dropped.values())
        return sorted(games, key=lambda game: game.game)

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
        if self.is_decided:
            return 0
        return sum(not self._first_games.is_held(pairing) for pairing in self._waiting)

    def issue(self) -> Pairing | None:
        """Return the next game, or ``None`` if no game is waiting now.

        It may be a game of a barred player. After ``None``, if the tournament is not complete, more
        games may follow when issued games have been fixed or rolled back.
        """
        if self.is_decided:
            return None
        held = self._first_games.is_held
        place = next((n for n, pairing in enumerate(self._waiting) if not held(pairing)), None)
        if place is None:
            return None
        pairing = self._waiting[place]
        del self._waiting[place]
        self._issued[pairing.number] = pairing
        self._attempts[pairing.number] += 1
        return pairing

    def issued(self, number: int) -> Pairing:
        """Return an issued game, or raise ``KeyError`` if the game is not issued."""
        return self._issued[number]

    def fix(self, result: GameEnded) -> None:
        """Store the result of an issued game, or raise ``KeyError`` if the game is not issued."""
        self._add_result(self._issued.pop(result.game), result)
        self._begin_rounds()

    def roll_back(self, number: int, was_attempt: bool = True) -> None:
        """Take back an issued game. It will be issued again, or given up after ``ATTEMPTS``.

        Without ``was_attempt``, this issue does not count, because the game has not begun or
        because it is not known whether the game was the cause.
        """
        pairing = self._issued.pop(number)
        self._attempts[number] -= not was_attempt
        if self._attempts[number] < ATTEMPTS and number not in self._dropped:
            self._waiting.appendleft(pairing)
            return
        self._first_games.end(pairing, None)
        if number not in self._dropped:
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
        for number in [number for number, game in games if player in game.players]:
            self._waiting.append(self._given_up.pop(number))

    def barred(self, pairing: Pairing) -> list[FaultRecord]:
        """Return the faults for which players of a game are barred: none, one or two."""
        return [self._barred[player] for player in pairing.players if player in self._barred]

    def _begin_rounds(self) -> None:
        """Begin rounds until a round has games without a result, or the schedule ends."""
        while not self._is_over and not self._open:
            try:
                self._begin(self._next_round())
            except StopIteration as end:
                self._is_over, self._to_come, self.ranking = True, 0, end.value

    def _next_round(self) -> Round:
        """Return the next round. Send the results of this round, if any, to the schedule."""
        if not self.rounds:
            return next(self._schedule)
        results = [_half_points(self._results.get(pairing.number)) for pairing in self._round]
        return self._schedule.send(results)

    def _begin(self, opened: Round) -> None:
        self._round = tuple(map(self._numbered, opened.games))
        self._open = {pairing.number for pairing in self._round}
        self._to_come, self._may_grow = opened.to_come, opened.may_grow
        self.ranking = opened.ranking
        self.byes.update(opened.byes)
        self.rounds += 1
        self._first_games.add(self._round)
        known = []
        for pairing in self._round:
            earlier = self._earlier.pop(pairing.key, None)
            if earlier is not None:
                known.append((pairing, earlier))
            elif self._absent and not {*pairing.players}.isdisjoint(self._absent):
                self._first_games.end(pairing, None)
            else:
                self._waiting.append(pairing)
        for pairing, earlier in known:
            self._add_result(pairing, earlier)

    def _numbered(self, key: GameKey) -> Pairing:
        """Return the next game of the schedule with its number."""
        earlier = self._earlier.get(key)
        number = len(self._order) + 1 if earlier is None else earlier.game
        if earlier is None and number in self._numbers:
            number = self._highest + 1
        self._numbers.add(number)
        self._highest = max(self._highest, number)
        self._order.append(Pairing(number, key))
        return self._order[-1]

    def _add_result(self, pairing: Pairing, result: GameEnded) -> None:
        where = self.dropped if pairing.number in self._dropped else self._results
        where[pairing.number] = result
        self._open.discard(pairing.number)
        loser = self._first_games.end(pairing, result)
        if loser is not None and result.fault is not None:
            self._drop(loser, result.fault)
        self._consider()

    def _drop(self, player: Player, fault: FaultRecord) -> None:
        """Drop all games of a player who gives up. The games that it is playing continue."""
        self.gave_up[player] = fault
        self._gone.add(player)
        dropped = [pairing for pairing in self._order if player in pairing.players]
        self._dropped |= {pairing.number: pairing for pairing in dropped}
        for number in self._dropped.keys() & self._results.keys():
            self.dropped[number] = self._results.pop(number)
        self._open -= self._dropped.keys()
        self._given_up = {n: each for n, each in self._given_up.items() if n not in self._dropped}
        for pairing in [each for each in self._waiting if each.number in self._dropped]:
            self._waiting.remove(pairing)
            self._first_games.end(pairing, None)

    def _consider(self) -> None:
        """Give results to ``decides`` in the order of the schedule, up to the first missing one.

        A game that was given up is skipped. Because of this order, the decision does not depend on
        the order in which games end.
        """
        while self._decides is not None and not self.is_decided:
            if self._considered == len(self._order):
                return
            number = self._order[self._considered].number
            if number not in self._results and number not in self._given_up:
                return
            self._considered += 1
            if number in self._results:
                self.is_decided = self._decides(self._results[number])


def _half_points(result: GameEnded | None) -> int | None:
    """Return the half points of the first player, 0 to 2, or ``None`` for a game without any."""
    return None if result is None or result.ending == "void" else (1, 2, 0)[result.winner]
