"""Methods that search for weights. With each of them, a round is a round robin of its players.

A player is three weights from 0 to 99, for open windows with one, two and three of its stones
(``docs/tuning.md``).
"""

from collections.abc import Sequence
from random import Random
from typing import Protocol

Weights = tuple[int, ...]

NUMBER_OF_WEIGHTS = 3
"""Number of weights of a player."""
MAX_WEIGHT = 99
FIRST_STEP, STEP_DECAY = 15.0, 0.101
"""Parameters of ``Spsa``: distance of the players from the present weights in the first round, and
the exponent with which this distance decreases."""
FIRST_RATE, RATE_DECAY, RATE_STABILITY = 30.0, 0.602, 20.0
"""Parameters of ``Spsa``.

``FIRST_RATE`` is the maximum change of a weight in a round, before it decreases. ``RATE_DECAY`` is
the exponent with which it decreases. ``RATE_STABILITY`` is a number of rounds: a larger number
makes the decrease slower at first.
"""


def spread_of_weights(players: Sequence[Weights]) -> Weights:
    """Return the difference between the highest and the lowest value of each weight."""
    return tuple(max(values) - min(values) for values in zip(*players, strict=True))


class Optimizer(Protocol):
    """Method that proposes the players of a round and then receives their scores."""

    def propose_players(self, draw: Random) -> list[Weights]:
        """Return the players of the next round."""

    def receive_scores(self, scores: Sequence[int]) -> list[Weights]:
        """Receive the scores of the proposed players; return the winners, best first."""


def random_player(draw: Random) -> Weights:
    """Return three random weights from 0 to 99."""
    return tuple(draw.randint(0, MAX_WEIGHT) for _ in range(NUMBER_OF_WEIGHTS))


def mutate(player: Weights, draw: Random) -> Weights:
    """Return the player with one weight replaced by a random one."""
    gene = draw.randrange(len(player))
    return (*player[:gene], draw.randint(0, MAX_WEIGHT), *player[gene + 1 :])


def cross_over(one: Weights, other: Weights, draw: Random) -> tuple[Weights, Weights]:
    """Return two players with one weight exchanged between them."""
    gene = draw.randrange(len(one))
    return (
        (*one[:gene], other[gene], *one[gene + 1 :]),
        (*other[:gene], one[gene], *other[gene + 1 :]),
    )


def next_population(winners: Sequence[Weights], size: int, draw: Random) -> list[Weights]:
    """Return the next population of ``size`` players: the winners in order, then their children."""
    population = list(winners)
    while len(population) < size:
        if len(winners) > 1 and draw.random() < 0.5:
            one, other = draw.sample(winners, 2)
            population += cross_over(one, other, draw)
        else:
            population.append(mutate(draw.choice(winners), draw))
    return population[:size]


class GeneticAlgorithm:
    """Selection, mutation and crossover of players.

    Source: "A Genetic Algorithm to Optimize a Connect Four Minimax Player" by Morrow, DeBell and
    Bogaerts (000_ccbf42599ea318ee.txt).

    The paper does not state some rules. Our rules are: among players with equal scores, the first
    one in the population wins, so the winners of the last round are preferred to their children.
    Mutation and crossover are equally likely. A crossover exchanges one weight, and both resulting
    players are children. Parents are chosen at random from the winners, with equal probability.
    """

    def __init__(self, population: int, elite: int) -> None:
        self._size, self._elite = population, elite
        self._players: list[Weights] = []
        self._winners: list[Weights] = []

    def propose_players(self, draw: Random) -> list[Weights]:
        """Return random players in the first round, and later the winners and their children."""
        if self._winners:
            self._players = next_population(self._winners, self._size, draw)
        else:
            self._players = [random_player(draw) for _ in range(self._size)]
        return self._players

    def receive_scores(self, scores: Sequence[int]) -> list[Weights]:
        """Return the players with the highest scores, best first."""
        order = sorted(range(len(scores)), key=lambda index: -scores[index])
        self._winners = [self._players[index] for index in order[: self._elite]]
        return self._winners


class Spsa:
    """Simultaneous perturbation stochastic approximation (SPSA), as used for chess engines.

    The players of a round form pairs. One player of a pair is a step away from a common centre in a
    random direction, and the other player is a step away in the opposite direction. After the
    round, the centre moves towards the better player of each pair. The centre starts with equal
    weights, in the middle of the range. If ``population`` is odd, there is one player less.

    Source: Spall 1992, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation
    Gradient Approximation", IEEE Transactions on Automatic Control 37; exponents as recommended by
    Spall 1998, IEEE Transactions on Aerospace and Electronic Systems 34.
    """

    def __init__(self, population: int) -> None:
        self._pairs = population // 2
        self._centre = [MAX_WEIGHT / 2] * NUMBER_OF_WEIGHTS
        self._directions: list[list[int]] = []
        self._round = 0

    def propose_players(self, draw: Random) -> list[Weights]:
        """Return the players of the next round: a pair for each random direction."""
        self._round += 1
        self._directions = [
            [draw.choice((-1, 1)) for _ in range(NUMBER_OF_WEIGHTS)] for _ in range(self._pairs)
        ]
        step = FIRST_STEP / self._round**STEP_DECAY
        return [
            self._weights_after_step(direction, sign * step)
            for direction in self._directions
            for sign in (1, -1)
        ]

    def _weights_after_step(self, direction: Sequence[int], step: float) -> Weights:
        moves = zip(self._centre, direction, strict=True)
        return _limited_weights([weight + step * way for weight, way in moves])

    def receive_scores(self, scores: Sequence[int]) -> list[Weights]:
        """Move the centre, and return its weights as the only winner."""
        rate = (
            FIRST_RATE / (RATE_STABILITY + self._round) ** RATE_DECAY * RATE_STABILITY**RATE_DECAY
        )
        norm = sum(map(abs, scores)) or 1
        for gene in range(NUMBER_OF_WEIGHTS):
            slope = sum(
                (scores[2 * pair] - scores[2 * pair + 1]) * direction[gene]
                for pair, direction in enumerate(self._directions)
            )
            moved = self._centre[gene] + rate * slope / norm
            self._centre[gene] = min(max(moved, 0.0), float(MAX_WEIGHT))
        return [_limited_weights(self._centre)]


def _limited_weights(weights: Sequence[float]) -> Weights:
    """Return weights rounded to whole numbers and limited to 0 to 99."""
    return tuple(round(min(max(weight, 0), MAX_WEIGHT)) for weight in weights)
