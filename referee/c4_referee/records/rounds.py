"""Rounds of a contest, as systems generate them: players, games, who takes part, and its state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NewType

from c4_protocol.program.errors import UsageError

Player = NewType("Player", int)
"""Number that identifies a player in a roster and in its schedule.

A schedule only compares these numbers and copies them into its games. In a contest, the number is
the entrant's place in the archive, so it stays the same from run to run. In a tuning round robin,
it is the player's index in the population. It is never an index into a roster: players who have
left are not in the roster, and the others are in the order of their seeds.
"""

Meeting = tuple[Player, Player]
"""Two players who meet. The first one goes first in the first game."""
ChosenRound = tuple[tuple[Meeting, ...], str]
"""Meetings that a contest has chosen, and the goal that it has reached instead, or no text."""


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


@dataclass(frozen=True)
class Roster:
    """Players who take part, and the changes of this list during the contest.

    Each entry of ``changes`` is a number of games and the players who take part after these games,
    the best seed first. The first number is 0, and the numbers increase. ``gone`` are players that
    have given up (``play.first_games``): the contest adds them while the schedule runs.
    """

    changes: tuple[tuple[int, tuple[Player, ...]], ...]
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
        """Raise ``UsageError`` if new players joined or players left after all ``games``."""
        *earlier, (since, now) = self.changes
        if not earlier or since < games:
            return
        players_before = {player for _, players in earlier for player in players}
        if not players_before.issuperset(now) or not {*earlier[-1][1]} <= {*now}:
            raise UsageError(
                "this tournament has ended, and its bots have changed since then: name another "
                "folder with --out to play it again, or put the bots back as they were"
            )


@dataclass(frozen=True)
class Progress:
    """State of a contest that its games alone do not show. Bots are identified by their places.

    ``scheduled`` is the number of games that count, with and without a result. ``unplayed`` is the
    number of games in rounds that have begun that have no result because a bot gave up. ``byes``
    has the number of byes of each bot. ``ranking`` has the bots, the best first, or is empty if
    points decide the order. ``give_up`` is the number of first games after which a bot gives up, or
    0. ``gave_up`` are the bots that gave up. ``apart`` are the stored games
    that do not count: games of bots that have left or changed, if they are not in the schedule any
    more, games beyond the number of games that the last run wanted, and games of bots that gave up.
    """

    scheduled: int
    is_complete: bool
    unplayed: int = 0
    byes: Mapping[Player, int] = field(default_factory=dict)
    ranking: tuple[Player, ...] = ()
    give_up: int = 0
    gave_up: frozenset[Player] = frozenset()
    apart: frozenset[GameKey] = frozenset()

    @property
    def uncounted(self) -> tuple[frozenset[Player], frozenset[GameKey]]:
        """Bots and games that do not count."""
        return self.gave_up, self.apart

    def counts(self, game: GameKey) -> bool:
        """Return whether a stored game counts."""
        return game not in self.apart and self.gave_up.isdisjoint(game[:2])
