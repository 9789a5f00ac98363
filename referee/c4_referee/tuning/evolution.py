"""A tournament that breeds its players: round after round, until its rounds or a threshold end it.

A run is told by its settings alone: each round draws from a generator of its own, made from the
seed and the number of the round, and games have no chance in them. A longer run of the same
settings begins with the shorter one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from c4_protocol.errors import UsageError
from c4_protocol.variant import STANDARD

from c4_referee.contest.openings import find_openings
from c4_referee.schedule import MOST, GameKey, Plan, Roster, round_robin
from c4_referee.tuning.arena import Arena, Contestant, Game, Played, Terms
from c4_referee.tuning.breeders import Breeder, Genetic, Spsa
from c4_referee.tuning.genetic import Weights, spread


@dataclass(frozen=True)
class Settings:
    """What a run is, apart from when it stops.

    The document does not tell its ``population``; 20 players are 380 games a round. With
    ``openings`` every pair plays so many games each way in each round, from openings of ``plies``
    random moves that are the same for all and new in every round; without, from the empty board.
    ``sparring`` are other players that everybody meets as well. Raises ``UsageError`` for what
    makes no tournament.
    """

    depth: int = 3
    population: int = 20
    elite: int = 4
    seed: int = 0
    faithful: bool = False
    openings: int = 0
    plies: int = 4
    sparring: tuple[str, ...] = ()
    method: str = "genetic"

    def __post_init__(self) -> None:
        _ = self.terms
        if self.elite < 1:
            raise UsageError(f"--elite: at least 1 player goes on, not {self.elite}")
        if self.population <= self.elite:
            raise UsageError(
                f"--population: {self.population} players are too few, "
                f"as {self.elite} of them go on (--elite) and leave no room for new ones"
            )
        if self.population > MOST_PLAYERS:
            raise UsageError(f"--population: {MOST_PLAYERS} players at most")
        for name in self.sparring:
            if name not in PARTNERS:
                raise UsageError(f"--sparring: {', '.join(PARTNERS)} can be met, not '{name}'")
        if self.method not in METHODS:
            raise UsageError(f"--method: {' or '.join(METHODS)}, not '{self.method}'")
        self._check_lots()

    def _check_lots(self) -> None:
        if not 0 <= self.openings <= MOST:
            raise UsageError(f"--openings: 0 to {MOST} a round, not {self.openings}")
        if not -(1 << 63) <= self.seed < 1 << 63:
            raise UsageError(f"--seed: an integer of 64 bits, not {self.seed}")

    @property
    def terms(self) -> Terms:
        """How all players search."""
        return Terms(self.depth, self.faithful)

    def starts(self, number: int) -> list[str]:
        """The openings of a round, as moves; the empty one where there are none."""
        if not self.openings:
            return [""]
        # A seed that no other round of any small seed has.
        seed = Random(f"openings {self.seed} {number}").getrandbits(64)
        return find_openings(f"random:{self.plies}", STANDARD, self.openings, seed)


METHODS: dict[str, Callable[["Settings"], Breeder]] = {
    "genetic": lambda settings: Genetic(settings.population, settings.elite),
    "spsa": lambda settings: Spsa(settings.population),
}
"""What makes the players of a round: the document's method, and another for comparison."""
MOST_PLAYERS = 1000
PARTNERS = ("needed", "sequences", "windows")
"""Players that look as deep as they are told, and draw no lots."""


@dataclass(frozen=True)
class Ending:
    """When a run stops: after so many rounds, or sooner.

    That is when, over the winners, the spread of every weight is below ``threshold``: 0 is never.
    """

    rounds: int = 50
    threshold: int = 0

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise UsageError(f"--rounds: at least 1 round, not {self.rounds}")
        if self.threshold < 0:
            raise UsageError(f"--threshold: 0 (never) or more, not {self.threshold}")

    def is_narrow(self, winners: Sequence[Weights]) -> bool:
        """Whether the winners are as alike as the threshold asks for."""
        return max(spread(winners)) < self.threshold


@dataclass(frozen=True)
class Round:
    """One round robin: its players, their scores in the same order, and who goes on, best first.

    ``games`` and ``distinct_games`` count from the first round on; ``new`` are those that were
    played for this round, as nobody had played them before.
    """

    number: int
    population: list[Weights]
    scores: list[int]
    winners: list[Weights]
    games: int
    distinct_games: int
    new: dict[Game, Played]


def evolve(settings: Settings, ending: Ending, arena: Arena) -> Iterator[Round]:
    """The rounds of a run, each as soon as it is played."""
    breeder = METHODS[settings.method](settings)
    courses: set[str] = set()
    games = 0
    for number in range(1, ending.rounds + 1):
        population = breeder.ask(Random(f"round {settings.seed} {number}"))
        everybody: list[Contestant] = [*population, *settings.sparring]
        pairings = _pairings(len(everybody), len(population), settings.starts(number))
        fixtures = [
            Game(everybody[key.first], everybody[key.second], key.opening) for key in pairings
        ]
        played, new = arena.play(fixtures)
        scores = points(pairings, played, len(population))
        winners = breeder.tell(scores)
        games += len(played)
        courses.update(game.moves for game in played)
        yield Round(number, population, scores, winners, games, len(courses), new)
        if ending.is_narrow(winners):
            return


def _pairings(players: int, bred_ones: int, openings: Sequence[str]) -> list[GameKey]:
    """Every ordered pair from every opening, but for pairs of sparring partners."""
    plan = Plan(Roster.of(players), lambda n: (openings[n], 0))
    return [
        key
        for key in round_robin.games(plan, len(openings))
        if min(key.first, key.second) < bred_ones
    ]


def points(pairings: Sequence[GameKey], played: Sequence[Played], players: int) -> list[int]:
    """The players' scores: 1 for a win, -1 for a loss, 0 for a draw."""
    scores = [0] * players
    for key, game in zip(pairings, played, strict=True):
        for player, number in ((key.first, 1), (key.second, 2)):
            if game.winner and player < players:
                scores[player] += 1 if game.winner == number else -1
    return scores
