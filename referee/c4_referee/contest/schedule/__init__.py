"""Schedules: which players meet, and after which openings.

Every module in this folder whose name does not begin with an underscore is a system that a
tournament can name. It defines ``schedule(plan)``, a generator without side effects. No other file
has to list the module.

A schedule generates rounds. The games of a round do not depend on each other's results, so they may
be played in any order. The caller sends the results of a round and gets the next one. The same plan
and the same results always give the same rounds.

Players meet in *pairs* of games. A pair is two games after the same opening, and each player goes
first in one of them. A *meeting* of two players is one pair or several pairs, each with its own
opening.
"""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import NamedTuple, NewType

from c4_protocol.program.errors import UsageError

MAX_ROUNDS_OR_PAIRS = 1_000_000
"""Maximum of every count that a user can give, such as rounds and games.

A larger number is refused, because it is probably a typing mistake.
"""

MAX_GAMES_AT_ONCE = 10_000
"""Maximum number of games at the same time. Each game needs a worker and two bots."""

Player = NewType("Player", int)
"""Number that identifies a player in a roster and in its schedule.

A schedule only compares these numbers and copies them into its games. In a contest, the number is
the entrant's place in the archive, so it stays the same from run to run. In a tuning round robin,
it is the player's index in the population. It is never an index into a roster: players who have
left are not in the roster, and the others are in the order of their seeds.
"""


class GameKey(NamedTuple):
    """Identity of a game in its contest.

    The number of a game may change from run to run, but its key does not. ``opening`` is the text
    of the moves that are on the board when the players begin. It is empty for the empty board.
    ``repetition`` numbers the games that are otherwise equal, from 0.
    """

    first: Player
    second: Player
    opening: str = ""
    repetition: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to play: its number in the contest, from 1, and its key."""

    number: int
    key: GameKey

    @property
    def first(self) -> Player:
        """The player in seat 1, who moves first."""
        return self.key.first

    @property
    def second(self) -> Player:
        """The player in seat 2."""
        return self.key.second

    @property
    def players(self) -> tuple[Player, Player]:
        """Both players, in the order of their seats."""
        return self.key.first, self.key.second


@dataclass(frozen=True, slots=True)
class Round:
    """Games that can be played at the same time. A round has at least one game.

    ``byes`` are players who have no opponent in this round and get the points of a won meeting.
    ``to_come`` is the number of games in later rounds if no player joins or leaves. If ``may_grow``
    is true, this number is a minimum, because results may add games. ``ranking`` has the players in
    the order before this round, the best first. It is ``None`` if points decide the order.
    """

    games: tuple[GameKey, ...]
    byes: tuple[Player, ...] = ()
    to_come: int = 0
    ranking: tuple[Player, ...] | None = None
    may_grow: bool = False


Results = Sequence[int | None]
"""Results of one round, in the order of its games: half points of the first player, 0 to 2, or
``None`` for a void game."""
Schedule = Generator[Round, Results, tuple[Player, ...] | None]
"""Generator of rounds. The caller sends it the results of each round.

It returns the final ranking, or ``None`` if points decide the order."""
OpeningFunction = Callable[[int], tuple[str, int]]
"""Function that returns the opening and the repetition of the n-th pair of games of two players.

n counts from 0. The function raises ``OutOfOpenings`` if there is no such opening."""


@dataclass(frozen=True)
class Roster:
    """Players who take part, and the changes of this list during the contest.

    Each entry of ``changes`` is a number of games and the players who take part after these games,
    the best seed first. The first number is 0, and the numbers increase. ``stored`` is the number
    of games that earlier runs of the contest have stored. ``gone`` are players that have given up
    (``play.first_games``): the contest adds them while the schedule runs.
    """

    changes: tuple[tuple[int, tuple[Player, ...]], ...]
    stored: int = 0
    gone: set[Player] = field(default_factory=set, compare=False)

    @classmethod
    def of(cls, players: int) -> "Roster":
        """Return a roster of ``players`` players, who all stay."""
        return cls(((0, tuple(map(Player, range(players)))),))

    def after(self, games: int) -> tuple[Player, ...]:
        """Return the players of a round before which ``games`` games were played."""
        return next(players for since, players in reversed(self.changes) if since <= games)

    def present(self, games: int) -> tuple[Player, ...]:
        """Return the players ``after`` some games who have not given up."""
        return tuple(player for player in self.after(games) if player not in self.gone)

    @property
    def now(self) -> tuple[Player, ...]:
        """The players who take part after the last change."""
        return self.changes[-1][1]

    @property
    def settled(self) -> int:
        """Number of games after which players joined or left last. Another order is no change."""
        later = zip(reversed(self.changes), reversed(self.changes[:-1]), strict=False)
        return next(
            (since for (since, now), (_, former_players) in later if {*now} != {*former_players}), 0
        )

    def check_roster_unchanged(self, games: int) -> None:
        """Raise ``UsageError`` if new players joined or players left after all ``games``.

        It is not raised if games were played since then, as earlier versions allowed.
        """
        *earlier, (since, now) = self.changes
        if not earlier or since < max(games, self.stored):
            return
        players_before = {player for _, players in earlier for player in players}
        if not players_before.issuperset(now) or not {*earlier[-1][1]} <= {*now}:
            raise UsageError(
                "this tournament has ended, and its bots have changed since then: name another "
                "folder with --out to play it again, or put the bots back as they were"
            )


@dataclass(frozen=True)
class Plan:
    """Parameters of a schedule: the roster, the openings, and the number of games.

    ``start`` gives each pair of games of the same two players a different opening or repetition.
    ``rounds`` is at least 1, or ``None`` for the default of the system. ``pairs`` is the number of
    pairs of games in a meeting, at least 1.
    """

    roster: Roster
    start: OpeningFunction
    rounds: int | None = None
    pairs: int = 1

    def meeting(self, one: Player, other: Player, nth: int) -> list[GameKey]:
        """Return the games of a meeting.

        ``nth`` counts from 0 and decides the openings. Each meeting of the same two players needs
        a different ``nth``.
        """
        starts = (self.start(n) for n in range(nth * self.pairs, (nth + 1) * self.pairs))
        return [key for start in starts for key in pair_of_games(one, other, start)]

    def check_openings(self, meetings: int) -> None:
        """Raise ``OutOfOpenings`` if two players have too few openings for ``meetings`` meetings.

        Without this check, a system whose rounds depend on results would notice the lack of
        openings only after some games.
        """
        if meetings:
            self.start(meetings * self.pairs - 1)


def pair_of_games(one: Player, other: Player, start: tuple[str, int]) -> tuple[GameKey, GameKey]:
    """Return two games from the same opening: in the second one, ``other`` goes first."""
    return GameKey(one, other, *start), GameKey(other, one, *start)


def repetition_of_empty_board(n: int) -> tuple[str, int]:
    """Return the empty board and repetition ``n``: an ``OpeningFunction`` without openings."""
    return "", n


def rounds_depend_on_results(name: str) -> bool:
    """Return whether the rounds of a system, if it is known, depend on results of earlier rounds.

    The module of such a system has a constant ``ROUNDS_DEPEND_ON_RESULTS``, which is true.
    """
    return name in names() and getattr(_schedule_module(name), "ROUNDS_DEPEND_ON_RESULTS", False)


def sum_half_points(games: Sequence[GameKey], results: Results) -> Counter[Player]:
    """Return the half points of each player in one round. A void game gives none."""
    points = Counter[Player]()
    for key, result in zip(games, results, strict=True):
        if result is not None:
            points[key.first] += result
            points[key.second] += 2 - result
    return points


@cache
def names() -> tuple[str, ...]:
    """Return the names of all systems, sorted, as tournament files write them."""
    modules = (module.name for module in iter_modules(__path__))
    return tuple(sorted(name.replace("_", "-") for name in modules if not name.startswith("_")))


def system(name: str) -> Callable[[Plan], Schedule]:
    """Return the ``schedule`` function of the system ``name``; raise ``UsageError`` if unknown."""
    if name not in names():
        raise UsageError(f"no system '{name}': there are {', '.join(names())}")
    schedule: Callable[[Plan], Schedule] = _schedule_module(name).schedule
    return schedule


def _schedule_module(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name.replace('-', '_')}")
