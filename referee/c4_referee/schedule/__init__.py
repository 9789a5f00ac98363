"""Who meets whom, and after which moves: pure generators, one module a system.

A module ``name.py`` defines ``schedule(plan)``, and is found by its name: a file that is dropped in
here is a system that a tournament can ask for. What it generates are rounds: games that do not
depend on each other's results and may be played in any order. It is sent the results of a round and
generates the next one from them; the same plan and the same results give the same rounds.

Everybody plays in *pairs* of games: both go first once, after the same opening. A *meeting* of two
bots is one pair or several, each with an opening of its own.
"""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

from c4_protocol.errors import UsageError

MOST = 1_000_000
"""Of rounds, games and whatever else is counted: beyond it there is a slip of the finger."""


class GameKey(NamedTuple):
    """What tells a game from all others of its event, whichever number it has.

    ``first`` and ``second`` are bots by their place in the list of entrants, from 0; ``opening``
    are the moves that were made for them; ``repetition`` counts equal games from 0.
    """

    first: int
    second: int
    opening: str = ""
    repetition: int = 0


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game to play: its number in the event, from 1, and its key."""

    number: int
    key: GameKey

    @property
    def first(self) -> int:
        """The bot that plays as player 1, by its place in the list of entrants."""
        return self.key.first

    @property
    def second(self) -> int:
        """The bot that plays as player 2."""
        return self.key.second


@dataclass(frozen=True, slots=True)
class Round:
    """Games that can be played at the same time; there is at least one.

    ``byes`` are players who meet nobody in it, and are given what a won meeting gives. ``to_come``
    is how many games will follow after it if nobody joins or leaves; with ``may_grow`` it is the
    least number, as results may add games. ``ranking`` is the order in which the players stand
    before it, the best first; ``None`` where their points tell.
    """

    games: tuple[GameKey, ...]
    byes: tuple[int, ...] = ()
    to_come: int = 0
    ranking: tuple[int, ...] | None = None
    may_grow: bool = False


Results = Sequence[int | None]
"""Of the games of a round, in its order: half points of the first bot, ``None`` for a void game."""
Schedule = Generator[Round, Results, tuple[int, ...] | None]
"""Returns the ranking at the end, as ``Round`` has it."""
Starts = Callable[[int], tuple[str, int]]
"""The opening and the repetition of the n-th pair of games, from 0, that the same two play.

Raises ``OutOfOpenings``."""


@dataclass(frozen=True)
class Roster:
    """Who takes part: from how many games of the event on, and who since then, the best seed first.

    The first entry counts from 0, and later ones from more and more games. ``stored`` is the number
    of games that earlier runs of the event have stored.
    """

    changes: tuple[tuple[int, tuple[int, ...]], ...]
    stored: int = 0

    @classmethod
    def of(cls, players: int) -> "Roster":
        """So many players who stay."""
        return cls(((0, tuple(range(players))),))

    def after(self, games: int) -> tuple[int, ...]:
        """Who takes part in a round that begins after so many games."""
        return next(players for since, players in reversed(self.changes) if since <= games)

    @property
    def now(self) -> tuple[int, ...]:
        """Who takes part since the last change."""
        return self.changes[-1][1]


@dataclass(frozen=True)
class Plan:
    """What is asked of a system: players, ``rounds`` (each has its own default), pairs a meeting.

    Of rounds and pairs there is at least one. ``start`` gives each pair of games of two players
    another opening.
    """

    roster: Roster
    start: Starts
    rounds: int | None = None
    pairs: int = 1

    def meeting(self, one: int, other: int, nth: int) -> list[GameKey]:
        """The games of two players who meet; ``nth``, from 0, differs whenever they do."""
        starts = (self.start(n) for n in range(nth * self.pairs, (nth + 1) * self.pairs))
        return [key for start in starts for key in pair(one, other, start)]

    def check_openings(self, meetings: int) -> None:
        """Raises ``OutOfOpenings`` now, if so many meetings of two players would run out of them.

        A system whose rounds depend on results would find out only when games have been played.
        """
        if meetings:
            self.start(meetings * self.pairs - 1)


def pair(one: int, other: int, start: tuple[str, int]) -> tuple[GameKey, GameKey]:
    """A game and its return game."""
    return GameKey(one, other, *start), GameKey(other, one, *start)


def repeated(n: int) -> tuple[str, int]:
    """``Starts`` without openings: the empty board, again and again."""
    return "", n


def half_points(games: Sequence[GameKey], results: Results) -> Counter[int]:
    """What each player has got in the games of a round; a void game gives nothing to either."""
    points = Counter[int]()
    for key, result in zip(games, results, strict=True):
        if result is not None:
            points[key.first] += result
            points[key.second] += 2 - result
    return points


@cache
def names() -> tuple[str, ...]:
    """The systems there are, as files of tournaments name them.

    A module whose name begins with an underscore is none of them: it is what systems share.
    """
    modules = (module.name for module in iter_modules(__path__))
    return tuple(sorted(name.replace("_", "-") for name in modules if not name.startswith("_")))


def system(name: str) -> Callable[[Plan], Schedule]:
    """The generator of a system; raises ``UsageError`` for an unknown name."""
    if name not in names():
        raise UsageError(f"no system '{name}': there are {', '.join(names())}")
    found: Callable[[Plan], Schedule] = import_module(
        f"{__name__}.{name.replace('-', '_')}"
    ).schedule
    return found
