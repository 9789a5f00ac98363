"""What of the games played is an observation of strength.

A void game counts for nobody. The same moves by the same two bots in the same seats, with the same
end, are one observation however often they are played: two deterministic bots would repeat
themselves for ever. Games that are left make pairs, in which both bots go first once from the same
opening; a forfeit is a result as any other. In each opening the n-th game of one as first meets the
n-th of the other, so that a void or repeated game costs no more than one pair; a game that finds
no partner says nothing about strength that is not also about going first, and is left out.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

import numpy as np
from c4_protocol.events import GameEnded

from c4_referee.stats.array import Counts

PAIR_SCORES = 5
"""A pair gives 0 to 2 points by halves."""


class Fault(Protocol):
    """Who forfeited a game, and why; a ``FaultRecord`` is one."""

    @property
    def bot(self) -> str:
        """The name."""

    @property
    def fault(self) -> str:
        """The reason."""


class Game(Protocol):
    """A game as far as its result goes; a ``GameEnded`` is one."""

    @property
    def first(self) -> str:
        """Who plays as player 1."""

    @property
    def second(self) -> str:
        """Who plays as player 2."""

    @property
    def moves(self) -> str | None:
        """What tells the game from others; ``None`` if nobody wrote it down."""

    @property
    def winner(self) -> int:
        """1 or 2, or 0 for a draw."""

    @property
    def ending(self) -> str:
        """How it ended; ``void`` if it counts for nobody."""

    @property
    def fault(self) -> Fault | None:
        """Why it was forfeited."""


G = TypeVar("G", bound=Game)


def counting(games: Iterable[G]) -> Iterator[G]:
    """The games that are not void."""
    return (game for game in games if game.ending != "void")


def distinct_games(games: Iterable[G]) -> Iterator[G]:
    """The first of all games that are alike: same players, same moves, same end.

    A game whose moves nobody knows is like no other.
    """
    known: set[tuple[str, str, str, int]] = set()
    for game in games:
        if game.moves is None:
            yield game
        elif (course := (game.first, game.second, game.moves, game.winner)) not in known:
            known.add(course)
            yield game


class PairFinder:
    """Finds the pairs among games that come one after another."""

    def __init__(self) -> None:
        self._known: set[tuple[str, str, str, int]] = set()
        self._alone: dict[tuple[frozenset[str], str], deque[GameEnded]] = {}

    def take(self, game: GameEnded) -> tuple[GameEnded, GameEnded] | None:
        """The pair that a game completes, if it does."""
        course = _course(game)
        if game.ending == "void" or course in self._known:
            return None
        self._known.add(course)
        key = (frozenset((game.first, game.second)), game.opening)
        others = self._alone.setdefault(key, deque())
        if others and others[0].first == game.second:
            return others.popleft(), game
        others.append(game)
        return None


def pairs(games: Iterable[GameEnded]) -> Iterator[tuple[GameEnded, GameEnded]]:
    """The pairs among ``games``, in the order in which they are completed."""
    return filter(None, map(PairFinder().take, games))


def _course(game: GameEnded) -> tuple[str, str, str, int]:
    """What two games that are one observation have in common."""
    return game.first, game.second, game.moves, game.winner


def pair_counts(bot: str, games: Iterable[GameEnded]) -> list[int]:
    """In how many of its pairs a bot had 0, 1, 2, 3 and 4 half points."""
    counts = [0] * PAIR_SCORES
    for pair in pairs(games):
        if bot in {pair[0].first, pair[0].second}:
            counts[sum(half_points(bot, game) for game in pair)] += 1
    return counts


def half_points(bot: str, game: GameEnded) -> int:
    """Two for a win, one for a draw."""
    if game.winner == 0:
        return 1
    return 2 if (game.first, game.second)[game.winner - 1] == bot else 0


def forfeits(games: Iterable[Game]) -> dict[str, dict[str, int]]:
    """How often each bot forfeited a game for which reason."""
    counts = Counter((game.fault.bot, game.fault.fault) for game in games if game.fault)
    by_bot: dict[str, dict[str, int]] = {}
    for (bot, reason), count in sorted(counts.items()):
        by_bot.setdefault(bot, {})[reason] = count
    return by_bot


def results(bots: Sequence[str], games: Iterable[Game]) -> Counts:
    """Wins, draws and losses of each bot as first against each other as second.

    Shape (bots, bots, 3), by their places in ``bots``; games of others are left out, void and
    repeated ones are not.
    """
    places = {bot: place for place, bot in enumerate(bots)}
    counts = np.zeros((len(bots), len(bots), 3), np.int64)
    for game in games:
        if game.first in places and game.second in places:
            outcome = (1, 0, 2)[game.winner]
            counts[places[game.first], places[game.second], outcome] += 1
    return counts
