"""Where games between weights are played, each once: the same two players repeat the same game."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, NamedTuple, Protocol, cast

from c4_protocol.errors import UsageError
from c4_protocol.variant import STANDARD, Variant

from c4_referee.tuning.genetic import Weights

PLAYER = "sequences"
"""Whose weights are tuned."""
GROUP, PROVIDER = "c4_arena.games", "bot"
"""The entry point that plays games in this process."""
BATCH = 128
"""Games between two looks at the keyboard: while they are played, nobody can interrupt."""

Contestant = Weights | str
"""Weights of ``PLAYER``, or the name of another player."""


class Played(NamedTuple):
    """A game: its moves from the first on, the winner (1, 2, or 0), the positions visited."""

    moves: str
    winner: int
    positions: int


class PlayGames(Protocol):
    """What stands behind the entry point.

    An entrant is a player's name and the parameters in which it differs, a fixture the places of
    its two players among the entrants and the moves made for them.
    """

    def __call__(
        self,
        entrants: Sequence[tuple[str, Mapping[str, Any]]],
        fixtures: Sequence[tuple[int, int, str]],
        variant: Variant = STANDARD,
        threads: int = 1,
    ) -> Iterable[tuple[str, int, int]]:
        """The games, in the order of the fixtures."""


class Game(NamedTuple):
    """Who plays first, who second, and the moves that are made for them."""

    first: Contestant
    second: Contestant
    opening: str = ""


@dataclass(frozen=True)
class Terms:
    """How all players of an arena search: so many plies deep, and as their documents or repaired.

    Raises ``UsageError`` for a depth below 1.
    """

    depth: int = 3
    faithful: bool = False

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise UsageError(f"--depth: a player looks at least 1 ply ahead, not {self.depth}")

    def entrant(self, contestant: Contestant) -> tuple[str, dict[str, Any]]:
        """A player's name and parameters."""
        chosen: dict[str, Any] = {"depth": self.depth, "faithful": self.faithful}
        if isinstance(contestant, str):
            return contestant, chosen
        return PLAYER, chosen | {"weights": contestant}


def reduced(contestant: Contestant) -> Contestant:
    """The smallest whole weights in the same proportion: they play the same games.

    An evaluation twice as large orders all moves alike, as proven scores lie beyond any.
    """
    if isinstance(contestant, str):
        return contestant
    divisor = math.gcd(*contestant) or 1
    return tuple(weight // divisor for weight in contestant)


class Arena:
    """Plays games on some terms, ``jobs`` at once, and remembers them all."""

    def __init__(self, terms: Terms, jobs: int = 1) -> None:
        self._terms = terms
        self._jobs = jobs
        self._play = _provider()
        self._known: dict[Game, Played] = {}
        self.positions = 0
        """Visited so far."""

    def __len__(self) -> int:
        """How many games it has played, or been told of."""
        return len(self._known)

    def learn(self, game: Game, played: Played) -> None:
        """A game that was played before."""
        self._known[game] = played

    def play(self, games: Sequence[Game]) -> tuple[list[Played], dict[Game, Played]]:
        """All the games in their order, and those of them that were not known, as reduced."""
        wanted = [
            Game(reduced(first), reduced(second), opening) for first, second, opening in games
        ]
        unknown = [game for game in dict.fromkeys(wanted) if game not in self._known]
        new: dict[Game, Played] = {}
        for start in range(0, len(unknown), BATCH):
            batch = unknown[start : start + BATCH]
            new |= zip(batch, self._played(batch), strict=True)
        self._known |= new
        return [self._known[game] for game in wanted], new

    def _played(self, games: Sequence[Game]) -> list[Played]:
        contestants = list(dict.fromkeys(player for game in games for player in game[:2]))
        place = {contestant: number for number, contestant in enumerate(contestants)}
        entrants = [self._terms.entrant(contestant) for contestant in contestants]
        fixtures = [(place[first], place[second], opening) for first, second, opening in games]
        played = [Played(*game) for game in self._play(entrants, fixtures, threads=self._jobs)]
        self.positions += sum(game.positions for game in played)
        return played


def _provider() -> PlayGames:
    """Raises ``UsageError`` where nobody plays."""
    for point in entry_points(group=GROUP, name=PROVIDER):
        return cast(PlayGames, point.load())
    raise UsageError(f"no entry point '{PROVIDER}' of {GROUP}: reinstall c4-arena")
