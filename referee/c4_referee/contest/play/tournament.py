"""The state of a tournament: which game is next, and which games have a result.

In: rounds from a schedule (``c4_referee.contest.schedule``), and results from the caller. Out: one
game at a time for the caller. The schedule receives the results of each round and returns the next
round. This module does no input or output.

A game is *issued*. Then it is either *fixed* with its result, or *rolled back*, so that it can be
issued again. Therefore no scheduled game counts twice, even if a worker ends. The games of a
*barred* player are still issued, but the caller can fix them without playing them. The games of a
player that *gives up* (``play.first_games``) count for nobody, and the others are not issued.
``TRANSITIONS`` has all states of a game and what changes them.
"""

from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import MappingProxyType
from typing import Literal

from c4_protocol.records.events import FaultRecord, GameEnded

from c4_referee.contest.play.first_games import FirstGames
from c4_referee.contest.schedule import Schedule
from c4_referee.records.rounds import GameKey, Pairing, Player, Progress, Round

DecisionFunction = Callable[[GameEnded], bool]
"""Function that receives the results one by one, in the order of the schedule and not in the order
of their arrival. It returns true if the contest is decided, so that no more games are needed."""
MAX_ATTEMPTS = 3
"""Maximum number of times that a game is issued. After this many attempts, it is given up. There
are several attempts, because a worker can be killed for a reason that has nothing to do with its
game."""


class GameState(Enum):
    """State of a scheduled game."""

    WAITING = auto()
    """It can be issued."""
    ABSENT = auto()
    """It is not issued, because one of its players is absent in this run."""
    ISSUED = auto()
    """The caller plays it, or its result is one of an earlier run."""
    GIVEN_UP = auto()
    """It failed ``MAX_ATTEMPTS`` times."""
    DONE = auto()
    """It has a result that counts."""
    LEAVING = auto()
    """The caller still plays it, but a player of it has given up."""
    APART = auto()
    """It has a result that does not count, because a player of it has given up."""
    DROPPED = auto()
    """It gets no result, because a player of it has given up."""


GameChange = Literal["issue", "fix", "roll back", "give up", "bar", "drop"]
"""What happens to a game. It is given up when its last attempt is rolled back. When a player of it
is barred, it need not be played. When a player of it gives up, it is dropped."""
TRANSITIONS: Mapping[GameState, Mapping[GameChange, GameState]] = {
    GameState.WAITING: {"issue": GameState.ISSUED, "drop": GameState.DROPPED},
    GameState.ABSENT: {"drop": GameState.DROPPED},
    GameState.ISSUED: {
        "fix": GameState.DONE,
        "roll back": GameState.WAITING,
        "give up": GameState.GIVEN_UP,
        "drop": GameState.LEAVING,
    },
    GameState.GIVEN_UP: {"bar": GameState.WAITING, "drop": GameState.DROPPED},
    GameState.DONE: {"drop": GameState.APART},
    GameState.LEAVING: {
        "fix": GameState.APART,
        "roll back": GameState.DROPPED,
        "give up": GameState.DROPPED,
    },
    GameState.APART: {},
    GameState.DROPPED: {},
}
"""State of a game after each event. Any other event is an error of the caller: a ``KeyError``."""
OPEN_STATES = {GameState.WAITING, GameState.ABSENT, GameState.ISSUED, GameState.GIVEN_UP}
"""States of games that count and need a result. The next round begins when there are none."""
STATES_WITHOUT_GAME = {GameState.LEAVING, GameState.APART, GameState.DROPPED}
"""States of games of players who gave up."""
STATES_WITHOUT_PLAY = {GameState.ABSENT, GameState.GIVEN_UP, GameState.DROPPED}
"""States of games that nobody will play, unless a player is barred."""


@dataclass(eq=False, slots=True)
class _ScheduledGame:
    pairing: Pairing
    state: GameState
    attempts: int = 0


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
        results: Mapping[GameKey, GameEnded] = MappingProxyType({}),
        decides: DecisionFunction | None = None,
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
        self._games: dict[int, _ScheduledGame] = {}
        """All games by number, in the order of the schedule."""
        self._states = Counter[GameState]()
        """Number of games in each state."""
        self._waiting: deque[_ScheduledGame] = deque()
        self._results: dict[int, GameEnded] = {}
        self._round: tuple[_ScheduledGame, ...] = ()
        self._opened = Round(())
        """The round as the schedule returned it, or an empty one after the end."""
        self._is_over = False
        self._barred: dict[Player, FaultRecord] = {}
        self._first_games = FirstGames(give_up)
        self._gone = set() if gone is None else gone
        self._absent = frozenset(absent)
        self._decides = decides
        self._unconsidered: deque[_ScheduledGame] = deque()
        """Games that ``decides`` has not received yet."""
        self.is_decided = False
        self.rounds = 0
        """Number of rounds that have begun."""
        self.byes = Counter[Player]()
        """Number of byes of each player."""
        self.gave_up: dict[Player, FaultRecord] = {}
        """Players who gave up, each with its fault in one of its first games."""
        self.dropped: dict[int, GameEnded] = {}
        """Results of players who gave up, by number. They count for nobody."""
        self._begin_rounds()

    @property
    def ranking(self) -> tuple[Player, ...] | None:
        """The players, the best first, or ``None`` if their points decide the order."""
        return self._opened.ranking

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
        """Number of games of the schedule, as known now (see ``bound_of_scheduled``)."""
        gone = sum(self._states[state] for state in STATES_WITHOUT_GAME)
        return len(self._games) - gone + self._opened.to_come

    @property
    def progress(self) -> Progress:
        """State of the contest that its results alone do not show."""
        return Progress(
            self.scheduled,
            self.is_complete,
            self._states[GameState.LEAVING] + self._states[GameState.DROPPED],
            self.byes,
            self.ranking or (),
            self._first_games.limit,
            frozenset(self.gave_up),
            frozenset((*self._earlier, *(self._games[n].pairing.key for n in self.dropped))),
        )

    @property
    def apart(self) -> list[GameEnded]:
        """Results that do not count, in the order of their numbers."""
        games = (*self._earlier.values(), *self.dropped.values())
        return sorted(games, key=lambda game: game.game)

    @property
    def bound_of_scheduled(self) -> str:
        """Accuracy of ``scheduled``: ``"at least"``, ``"at most"``, or empty if it is exact.

        "At least" means that the schedule may add games, for example after a tie. "At most" means
        that ``decides`` may end the contest early.
        """
        if self.is_complete:
            return ""
        if self._opened.may_grow:
            return "at least"
        return "at most" if self.may_be_decided else ""

    @property
    def is_complete(self) -> bool:
        """True if every scheduled game has a result, or if no more games are needed."""
        return self.is_decided or self._is_over

    @property
    def may_be_decided(self) -> bool:
        """True if the contest may end before all scheduled games have a result."""
        return self._decides is not None

    @property
    def count_waiting(self) -> int:
        """Number of games that can be issued now."""
        if self.is_decided:
            return 0
        if not self._first_games.suspects:  # this is asked for each game of a match
            return len(self._waiting)
        return sum(not self._first_games.must_wait(game.pairing) for game in self._waiting)

    def issue(self) -> Pairing | None:
        """Return the next game, or ``None`` if no game is waiting now.

        It may be a game of a barred player. After ``None``, if the tournament is not complete, more
        games may follow when issued games have been fixed or rolled back.
        """
        if self.is_decided:
            return None
        for place, game in enumerate(self._waiting):
            if not self._first_games.must_wait(game.pairing):
                del self._waiting[place]
                self._change_state(game, "issue")
                game.attempts += 1
                return game.pairing
        return None

    def issued_game(self, number: int) -> Pairing:
        """Return an issued game, or raise ``KeyError`` if the game is not issued."""
        game = self._games[number]
        if "fix" not in TRANSITIONS[game.state]:
            raise KeyError(number)
        return game.pairing

    def store_result(self, result: GameEnded) -> None:
        """Store the result of an issued game, or raise ``KeyError`` if the game is not issued."""
        self._add_result(self._games[result.game], result)
        self._begin_rounds()

    def roll_back(self, number: int, was_attempt: bool = True) -> None:
        """Take back an issued game. It will be issued again, or given up after ``MAX_ATTEMPTS``.

        Without ``was_attempt``, this issue does not count, because the game has not begun or
        because it is not known whether the game was the cause.
        """
        game = self._games[number]
        game.attempts -= not was_attempt
        self._change_state(game, "roll back" if game.attempts < MAX_ATTEMPTS else "give up")
        if game.state is GameState.WAITING:
            self._waiting.appendleft(game)
        self._decide()

    def bar(self, player: Player, fault: FaultRecord) -> None:
        """Bar a player, and store its first fault. The games that it is playing continue.

        Its games that were given up are issued again, because they need not be played.
        """
        if player in self._barred:
            return
        self._barred[player] = fault
        for game in self._round:
            if game.state is GameState.GIVEN_UP and player in game.pairing.players:
                self._change_state(game, "bar")
                self._waiting.append(game)

    def faults_of_barred(self, pairing: Pairing) -> list[FaultRecord]:
        """Return the faults for which players of a game are barred: none, one or two."""
        return [self._barred[player] for player in pairing.players if player in self._barred]

    def _begin_rounds(self) -> None:
        """Begin rounds until a round has games without a result, or the schedule ends."""
        while not self._is_over and not any(self._states[state] for state in OPEN_STATES):
            results = [self._half_points_of_first(game.pairing.number) for game in self._round]
            try:
                schedule = self._schedule
                self._opened = schedule.send(results) if self.rounds else next(schedule)
            except StopIteration as end:
                self._is_over, self._opened = True, Round((), ranking=end.value)
            else:
                self._add_round()

    def _half_points_of_first(self, number: int) -> int | None:
        """Return the half points of the first player, 0 to 2, or ``None`` for a game without."""
        result = self._results.get(number)
        return None if result is None or result.ending == "void" else (1, 2, 0)[result.winner]

    def _add_round(self) -> None:
        """Add the round, its games, and the results that they have."""
        self.rounds += 1
        self.byes.update(self._opened.byes)
        self._round = tuple(map(self._add_game, self._opened.games))
        self._first_games.add(game.pairing for game in self._round)
        for game in self._round:
            if game.state is GameState.ABSENT:
                self._first_games.note_end(game.pairing, None)
            elif game.pairing.key in self._earlier:
                self._add_result(game, self._earlier.pop(game.pairing.key))

    def _add_game(self, key: GameKey) -> _ScheduledGame:
        """Return the next game of the schedule with its number, in its first state."""
        game = _ScheduledGame(Pairing(self._number_of_game(key), key), GameState.WAITING)
        if key in self._earlier:
            game.state = GameState.ISSUED
        elif not self._absent.isdisjoint(game.pairing.players):
            game.state = GameState.ABSENT
        else:
            self._waiting.append(game)
        self._games[game.pairing.number] = game
        self._states[game.state] += 1
        self._unconsidered.append(game)
        return game

    def _number_of_game(self, key: GameKey) -> int:
        """Return the number of the next game of the schedule."""
        if key in self._earlier:
            return self._earlier[key].game
        number = len(self._games) + 1
        if number in self._numbers:
            number = self._highest + 1
        self._numbers.add(number)
        self._highest = max(self._highest, number)
        return number

    def _change_state(self, game: _ScheduledGame, event: GameChange) -> None:
        state = TRANSITIONS[game.state][event]
        self._states[game.state] -= 1
        self._states[state] += 1
        game.state = state
        if state in STATES_WITHOUT_PLAY:
            self._first_games.note_end(game.pairing, None)

    def _add_result(self, game: _ScheduledGame, result: GameEnded) -> None:
        self._change_state(game, "fix")
        results = self._results if game.state is GameState.DONE else self.dropped
        results[game.pairing.number] = result
        loser = self._first_games.note_end(game.pairing, result)
        if loser is not None and result.fault is not None:
            self._drop_games_of(loser, result.fault)
        self._decide()

    def _drop_games_of(self, player: Player, fault: FaultRecord) -> None:
        """Drop all games of a player who gives up. The games that it is playing continue."""
        self.gave_up[player] = fault
        self._gone.add(player)
        for number, game in self._games.items():
            if player in game.pairing.players and "drop" in TRANSITIONS[game.state]:
                self._change_state(game, "drop")
                if game.state is GameState.APART:
                    self.dropped[number] = self._results.pop(number)
        self._waiting = deque(game for game in self._waiting if game.state is GameState.WAITING)

    def _decide(self) -> None:
        """Give results to ``decides`` in the order of the schedule, up to the first missing one.

        A game that was given up is skipped. Because of this order, the decision does not depend on
        the order in which games end.
        """
        while self._decides is not None and self._unconsidered and not self.is_decided:
            game = self._unconsidered[0]
            if game.state in OPEN_STATES - {GameState.GIVEN_UP}:
                return
            self._unconsidered.popleft()
            if game.state is GameState.DONE:
                self.is_decided = self._decides(self._results[game.pairing.number])
