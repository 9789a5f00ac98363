"""Schedules: which players meet, and after which openings.

Every module in this folder whose name does not begin with an underscore is a system that a
tournament can name. It defines ``schedule(plan)``, a generator without side effects, and
``SYSTEM``, which says all that other modules, commands and pages have to know of the system. No
other file names the module.

A schedule generates rounds. The games of a round do not depend on each other's results, so they may
be played in any order. The caller sends the results of a round and gets the next one. The same plan
and the same results always give the same rounds.

Players meet in *pairs* of games. A pair is two games after the same opening, and each player goes
first in one of them. A *meeting* of two players is one pair or several pairs, each with its own
opening.
"""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Literal, NamedTuple

from c4_protocol.program.errors import OutOfOpenings, UsageError

from c4_referee.records.rounds import GameKey, Meeting, Player, Results, Roster, Round

MAX_ROUNDS_OR_PAIRS = 1_000_000
"""Maximum of every count that a user can give, such as rounds and games.

A larger number is refused, because it is probably a typing mistake.
"""

MAX_GAMES_AT_ONCE = 10_000
"""Maximum number of games at the same time. Each game needs a worker and two bots."""

Schedule = Generator[Round, Results, tuple[Player, ...] | None]
"""Generator of rounds. The caller sends it the results of each round.

It returns the final ranking, or ``None`` if points decide the order."""
OpeningFunction = Callable[[int], tuple[str, int]]
"""Function that returns the opening and the repetition of the n-th pair of games of two players.

n counts from 0. The function raises ``OutOfOpenings`` if there is no such opening."""


class NextRound(NamedTuple):
    """A round whose meetings are to be chosen.

    ``number`` counts the rounds from 0. ``played`` games come before it. ``players`` may play, at
    least two. ``may_meet`` says whether there is an opening for one more meeting of two players.
    """

    number: int
    played: int
    players: Sequence[Player]
    may_meet: Callable[[Player, Player], bool]


@dataclass(frozen=True)
class Plan:
    """Parameters of a schedule: the roster, the openings, and the number of games.

    ``start`` gives each pair of games of the same two players a different opening or repetition.
    ``rounds`` is at least 1, or ``None`` for the default of the system. ``pairs`` is the number of
    pairs of games in a meeting, at least 1. ``choose`` returns the meetings of a round, none at the
    end, for systems that let others choose.
    """

    roster: Roster
    start: OpeningFunction
    rounds: int | None = None
    pairs: int = 1
    choose: Callable[[NextRound], Sequence[Meeting]] | None = None

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

    def has_openings(self, meetings: int) -> bool:
        """Return whether two players have enough openings for ``meetings`` meetings."""
        try:
            self.check_openings(meetings)
        except OutOfOpenings:
            return False
        return True


@dataclass(frozen=True)
class System:
    """Description of a tournament system. Each module of this folder has one, called ``SYSTEM``.

    The defaults are those of a system that plays all its games in one round. Texts are for people,
    in Markdown.
    """

    schedule: Callable[[Plan], Schedule]
    """Generator of its rounds. The first one says how many games follow (``Round.to_come``)."""
    meetings: str = ""
    """Sentences that say who meets whom."""
    default_rounds: str = "1"
    """Number of rounds if the plan has none."""
    ranked_by: Literal["points", "share of points", "schedule", "rating"] = "points"
    """What decides the order of the bots. The share matters if bots have different numbers of
    games. With ``schedule``, it is the ranking that the rounds have and the schedule returns."""
    first_is_tested: bool = False
    """True if the first bot plays in all games. Then it stands apart in the standings, and no
    contest begins without it."""
    depends_on_results: bool = False
    """True if rounds depend on results of earlier rounds. Then a contest goes on without a bot that
    is missing. Otherwise the games of this bot stay open."""
    bots_come: str = "It plays all its games."
    """What happens if a bot comes while games are missing."""
    bots_go: str = "Its games do not count."
    """What happens if a bot goes while games are missing."""
    changed_after_the_end: str = "The missing games are played."
    """What happens if bots come or go after the last game."""

    @property
    def by_share(self) -> bool:
        """True if the share of the points decides the order of the bots."""
        return self.ranked_by == "share of points"

    def count_games(self, plan: Plan) -> tuple[int, bool]:
        """Return the number of games of a plan, and whether results may add games.

        It holds if no player joins or leaves. Raises the same errors as the schedule.
        """
        first = next(self.schedule(plan), None)
        return (len(first.games) + first.to_come, first.may_grow) if first else (0, False)


def pair_of_games(one: Player, other: Player, start: tuple[str, int]) -> tuple[GameKey, GameKey]:
    """Return two games from the same opening: in the second one, ``other`` goes first."""
    return GameKey(one, other, *start), GameKey(other, one, *start)


def repetition_of_empty_board(n: int) -> tuple[str, int]:
    """Return the empty board and repetition ``n``: an ``OpeningFunction`` without openings."""
    return "", n


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


def system(name: str) -> System:
    """Return the system with this name; raise ``UsageError`` if it is unknown."""
    if name not in names():
        raise UsageError(f"no system '{name}': there are {', '.join(names())}")
    found: System = import_module(f"{__name__}.{name.replace('-', '_')}").SYSTEM
    return found


def system_of_stored(name: str) -> System:
    """Return the system of a stored contest.

    If it is unknown here, as that of games from files, the result has the usual properties.
    """
    return system(name if name in names() else "match")
