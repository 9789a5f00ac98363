"""Observations of strength: the games that count, and the pairs that they form.

A void game does not count. Games of one variant with the same moves by the same two bots in the
same seats and with the same winner are one observation, because two deterministic bots repeat the
same game forever. A forfeit is a result like any other.

The remaining games form pairs, in which each bot goes first once, from the same opening of the same
variant. For each opening, the n-th game in which one bot goes first is paired with the n-th game in
which the other bot goes first. So a void or repeated game removes one pair at most. The scores of
pairs leave out a game without a partner, because its result mixes strength with the advantage of
going first.
"""

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import Tally

from c4_referee.records.formats import StoredGame

if TYPE_CHECKING:
    from c4_referee.records.stats.array import Counts

NUMBER_OF_PAIR_SCORES = 5
"""Number of possible scores of a pair: 0 to 4 half points."""
WINNERS_BY_OUTCOME = (1, 0, 2)
"""Outcome for the bot in seat 1, by the seat of the winner: 0 win, 1 draw, 2 loss."""


CountedGame = GameEnded | StoredGame
"""A game that was played here, or a game of a file, whose moves may be unknown."""
GameType = TypeVar("GameType", bound=CountedGame)
CourseOfGame = tuple[Hashable, str, str, str | None, int]
"""Variant, first bot, second bot, moves and winner of a game.

Games for which all five are equal are one observation."""


def games_that_count(games: Iterable[GameType]) -> Iterator[GameType]:
    """Return the games that are not void."""
    return (game for game in games if game.ending != "void")


def distinct_games(games: Iterable[GameType]) -> Iterator[GameType]:
    """Generate the games that do not repeat an earlier one.

    A game whose moves are unknown counts as different from all others.
    """
    courses: set[CourseOfGame] = set()
    for game in games:
        course = _course_of_game(game)
        if game.moves is None or course not in courses:
            courses.add(course)
            yield game


class PairFinder(Generic[GameType]):
    """Finder of pairs among games that are given one after another."""

    def __init__(self) -> None:
        self._known: set[CourseOfGame] = set()
        self._unpaired: dict[tuple[frozenset[str], Hashable, str], deque[GameType]] = {}

    def take(self, game: GameType) -> tuple[GameType, GameType] | None:
        """Return the pair that this game completes, or ``None`` if it completes no pair."""
        course = _course_of_game(game)
        if game.ending == "void" or (game.moves is not None and course in self._known):
            return None
        self._known.add(course)
        key = (frozenset((game.first, game.second)), game.variant, game.opening)
        others = self._unpaired.setdefault(key, deque())
        if others and others[0].first == game.second:
            return others.popleft(), game
        others.append(game)
        return None


class Observations(PairFinder[CountedGame]):
    """Counts of the observations among games that are given one after another.

    A new game takes no longer if there are many. ``counted`` is the number of games that are not
    void.
    """

    def __init__(self, games: Iterable[CountedGame] = ()) -> None:
        super().__init__()
        self.counted = 0
        self._results = Counter[tuple[str, str, int]]()
        self._pairs = Counter[tuple[str, str, int, int]]()
        for game in games:
            self.take_next(game)

    def take_next(self, game: CountedGame) -> bool:
        """Take a game, and return whether it is an observation, neither void nor a repetition."""
        counts, outcome = game.ending != "void", WINNERS_BY_OUTCOME
        is_new = counts and (game.moves is None or _course_of_game(game) not in self._known)
        if pair := self.take(game):
            one, other = pair
            self._pairs[one.first, one.second, outcome[one.winner], outcome[other.winner]] += 1
        self.counted += counts
        self._results[game.first, game.second, outcome[game.winner]] += is_new
        return is_new

    def results_by_seat(self, bots: Sequence[str]) -> "Counts":
        """Return the observations in the form of the function ``results_by_seat``."""
        return _results(bots, self._results)

    def results_of_pairs(self, bots: Sequence[str]) -> "Counts":
        """Return the pairs in the form that ``rate_players`` takes.

        The shape is (pairs, 4). Pairs with other bots are left out. Equal pairs are together.
        """
        from c4_referee.records.stats.array import np  # noqa: PLC0415 - slow, and a match does not need it

        index = {bot: number for number, bot in enumerate(bots)}
        rows = [
            (index[first], index[second], *outcomes, count)
            for (first, second, *outcomes), count in self._pairs.items()
            if first in index and second in index
        ]
        counted = np.array(rows, np.int64).reshape(-1, 5)
        return counted[:, :4].repeat(counted[:, 4], axis=0)


def pairs(games: Iterable[GameType]) -> Iterator[tuple[GameType, GameType]]:
    """Generate the pairs among the games, in the order in which they are completed."""
    return filter(None, map(PairFinder[GameType]().take, games))


def _course_of_game(game: CountedGame) -> CourseOfGame:
    return game.variant, game.first, game.second, game.moves, game.winner


def pair_counts(bot: str, games: Iterable[CountedGame]) -> list[int]:
    """Return the numbers of pairs in which a bot had 0, 1, 2, 3 and 4 half points."""
    counts = [0] * NUMBER_OF_PAIR_SCORES
    for pair in pairs(games):
        if bot in {pair[0].first, pair[0].second}:
            counts[sum(half_points(bot, game) for game in pair)] += 1
    return counts


def half_points(bot: str, game: CountedGame) -> int:
    """Return the half points of a bot in a game: 2 for a win, 1 for a draw, 0 for a loss."""
    return 2 * ((game.first, game.second)[game.winner - 1] == bot) if game.winner else 1


def bot_tally(bot: str, games: Iterable[GameEnded]) -> Tally:
    """Return the results of a bot in games that it played."""
    own = [half_points(bot, game) for game in games]
    return Tally(len(own), own.count(2), own.count(1), own.count(0))


def tallied(games: Iterable[GameEnded]) -> list[tuple[str, str, int, int]]:
    """Return rows of two bots, their games in which the first moves first, and its half points."""
    rows: dict[tuple[str, str], list[int]] = {}
    for game in games_that_count(games):
        row = rows.setdefault((game.first, game.second), [0, 0])
        row[0] += 1
        row[1] += half_points(game.first, game)
    return [(first, second, count, half) for (first, second), (count, half) in rows.items()]


def forfeits(games: Iterable[CountedGame]) -> dict[str, dict[str, int]]:
    """Return the number of forfeited games for each name of a bot and each name of a fault."""
    counts = Counter((game.fault.bot, game.fault.fault) for game in games if game.fault)
    by_bot: dict[str, dict[str, int]] = {}
    for (bot, reason), count in sorted(counts.items()):
        by_bot.setdefault(bot, {})[reason] = count
    return by_bot


def games_by_bot(games: Iterable[CountedGame]) -> dict[str, int]:
    """Return the number of games of each bot, by name."""
    return dict(Counter(name for game in games for name in (game.first, game.second)))


def results_by_seat(bots: Sequence[str], games: Iterable[CountedGame]) -> "Counts":
    """Return the wins, draws and losses of each bot in seat 1 against each other bot in seat 2.

    The shape is (bots, bots, 3), by index in ``bots``. Games of other bots are left out. All other
    games count, even if they are void or repeated.
    """
    outcome = WINNERS_BY_OUTCOME
    return _results(bots, Counter((it.first, it.second, outcome[it.winner]) for it in games))


def _results(bots: Sequence[str], results: Mapping[tuple[str, str, int], int]) -> "Counts":
    from c4_referee.records.stats.array import np  # noqa: PLC0415 - slow, and a match does not need it

    index = {bot: number for number, bot in enumerate(bots)}
    counts = np.zeros((len(bots), len(bots), 3), np.int64)
    for (first, second, outcome), count in results.items():
        if first in index and second in index:
            counts[index[first], index[second], outcome] = count
    return counts
