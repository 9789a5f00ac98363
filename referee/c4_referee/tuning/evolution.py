"""A run: rounds of games, with players that are made from the results of earlier rounds.

A run depends only on its settings. Each round has its own random generator. The seed of this
generator consists of the run's seed and the number of the round. Games are deterministic. So a long
run begins with the same rounds as a shorter run with the same settings.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Literal

from c4_protocol.program.errors import UsageError
from c4_protocol.rules.variant import STANDARD

from c4_referee.contest.openings import find_openings
from c4_referee.contest.schedule import MAX_ROUNDS_OR_PAIRS, Plan, round_robin
from c4_referee.records.rounds import GameKey, Roster
from c4_referee.tuning.arena import (
    MAX_DEPTH,
    Arena,
    TuningGame,
    TuningPlayer,
    TuningResult,
    check_range,
)
from c4_referee.tuning.optimizers import (
    GeneticAlgorithm,
    Optimizer,
    Spsa,
    Weights,
    spread_of_weights,
)


@dataclass(frozen=True)
class RunSettings:
    """Settings of a run: everything that it depends on, except for the end of the run.

    ``population`` is the number of players. The paper does not state this number. If there are 20
    players and no openings, a round has 380 games. ``openings`` is the number of openings in a
    round. They have ``plies`` random moves and are new in every round. Every ordered pair of
    players plays one game from each opening. If ``openings`` is 0, games begin on the empty board.
    ``sparring`` names other players, against whom all players of the population play, too. Raises
    ``UsageError`` for impossible values.
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
        check_range("depth", self.depth, 1, MAX_DEPTH, " plies")
        check_range("population", self.population, 2, MAX_PLAYERS, " players")
        check_range("elite", self.elite, 1, MAX_PLAYERS, " players")
        check_range("openings", self.openings, 0, MAX_ROUNDS_OR_PAIRS, " a round")
        check_range("seed", self.seed, -(1 << 63), (1 << 63) - 1)
        if self.population <= self.elite:
            raise UsageError(
                f"--population: {self.population} players are too few, "
                f"because {self.elite} of them stay (--elite) and leave no room for new ones"
            )
        for name in self.sparring:
            if name not in SPARRING_PARTNERS:
                raise UsageError(f"--sparring: one of {', '.join(SPARRING_PARTNERS)}, not '{name}'")
        if self.method not in METHODS_BY_NAME:
            raise UsageError(f"--method: {' or '.join(METHODS_BY_NAME)}, not '{self.method}'")

    def openings_of(self, number: int) -> list[str]:
        """Return the openings of round ``number`` as texts of moves; ``""`` is the empty board."""
        if not self.openings:
            return [""]
        # Rounds with different numbers and runs with different seeds have different openings.
        seed = Random(f"openings {self.seed} {number}").getrandbits(64)
        return find_openings(f"random:{self.plies}", STANDARD, self.openings, seed)


METHODS_BY_NAME: dict[str, Callable[[RunSettings], Optimizer]] = {
    "genetic": lambda settings: GeneticAlgorithm(settings.population, settings.elite),
    "spsa": lambda settings: Spsa(settings.population),
}
"""Methods that propose the players of a round, by name."""
MAX_PLAYERS = 1000
"""Maximum number of players in a population."""
SPARRING_PARTNERS = ("needed", "sequences", "windows")
"""Names of possible sparring partners: deterministic players with a search depth."""


@dataclass(frozen=True)
class StoppingRule:
    """Number of rounds after which a run stops, and a threshold that can stop it earlier.

    The run stops earlier if each weight differs by less than ``threshold`` between the winners of a
    round. If ``threshold`` is 0, the run never stops earlier. Raises ``UsageError`` for impossible
    values.
    """

    rounds: int = 50
    threshold: int = 0

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise UsageError(f"--rounds: at least 1 round, not {self.rounds}")
        if self.threshold < 0:
            raise UsageError(f"--threshold: 0 (never) or more, not {self.threshold}")

    def is_met_by(self, winners: Sequence[Weights]) -> bool:
        """Return whether each weight differs by less than the threshold between the winners."""
        return max(spread_of_weights(winners)) < self.threshold


PlayedGame = tuple[TuningPlayer, TuningPlayer, str, str, int, int]
"""A game and its result: both players, the opening, all moves, the winner and the number of visited
positions."""


@dataclass(frozen=True)
class TuningRound:
    """One round: its players, their scores in the same order, and the winners, best first.

    ``round`` counts from 1. ``games`` and ``distinct_games`` are totals of all rounds up to this
    one. ``played`` has the games of this round that had to be played, because the arena did not
    remember them. ``seconds`` is the time that they took.
    """

    round: int
    population: list[Weights]
    scores: list[int]
    winners: list[Weights]
    games: int
    distinct_games: int
    seconds: float
    played: list[PlayedGame]


@dataclass(frozen=True)
class RunOutcome:
    """Result of a run, as ``c4-tune evolve --json`` prints it.

    ``games`` is the number of games of all rounds, and ``distinct_games`` the number of those with
    different moves. ``played`` is the number of games that had to be played for this run, and
    ``positions`` the number of positions visited in them. ``seconds`` is the time of all its
    rounds.
    """

    rounds: int
    winners: list[Weights]
    games: int
    distinct_games: int
    stopped_by: Literal["rounds", "threshold"]
    seconds: float
    played: int
    positions: int


@dataclass(frozen=True)
class RunHistory:
    """A finished run with all its rounds, at least one."""

    settings: RunSettings
    stopping: StoppingRule
    rounds: list[TuningRound]
    stopped_by: Literal["rounds", "threshold"]

    @cached_property
    def outcome(self) -> RunOutcome:
        """Result of the run."""
        last = self.rounds[-1]
        return RunOutcome(
            rounds=last.round,
            winners=last.winners,
            games=last.games,
            distinct_games=last.distinct_games,
            stopped_by=self.stopped_by,
            seconds=round(sum(tuning_round.seconds for tuning_round in self.rounds), 3),
            played=sum(len(tuning_round.played) for tuning_round in self.rounds),
            positions=sum(game[-1] for tuning_round in self.rounds for game in tuning_round.played),
        )


def evolve(settings: RunSettings, stopping: StoppingRule, arena: Arena) -> Iterator[TuningRound]:
    """Play the rounds of a run, and generate each round when it has been played.

    Their ``seconds`` are 0: the caller measures the time.
    """
    optimizer = METHODS_BY_NAME[settings.method](settings)
    distinct: set[str] = set()
    games = 0
    for number in range(1, stopping.rounds + 1):
        population = optimizer.propose_players(Random(f"round {settings.seed} {number}"))
        players: list[TuningPlayer] = [*population, *settings.sparring]
        pairings = _pairings(len(players), len(population), settings.openings_of(number))
        results, new = arena.play(
            [TuningGame(players[key.first], players[key.second], key.opening) for key in pairings]
        )
        scores = _score_players(pairings, results, len(population))
        winners = optimizer.receive_scores(scores)
        games += len(results)
        distinct.update(result.moves for result in results)
        played = [(*game, *result) for game, result in new.items()]
        yield TuningRound(number, population, scores, winners, games, len(distinct), 0.0, played)
        if stopping.is_met_by(winners):
            return


def _pairings(players: int, population: int, openings: Sequence[str]) -> list[GameKey]:
    """Return one game of each ordered pair of players from each opening.

    The first ``population`` players are the population, and all others are sparring partners.
    Sparring partners do not play against each other.
    """
    plan = Plan(Roster.of(players), lambda n: (openings[n], 0))
    return [
        key
        for key in round_robin.games_of_rounds(plan, len(openings))
        if min(key.first, key.second) < population
    ]


def _score_players(
    pairings: Sequence[GameKey], results: Sequence[TuningResult], population: int
) -> list[int]:
    """Return the score of each player: the number of its wins minus the number of its losses."""
    scores = [0] * population
    for key, result in zip(pairings, results, strict=True):
        for player, points in ((key.first, (0, 1, -1)), (key.second, (0, -1, 1))):
            if player < population:
                scores[player] += points[result.winner]
    return scores
