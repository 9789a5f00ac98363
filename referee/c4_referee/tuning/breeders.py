"""Methods to find weights, on the same footing: the same round robins, the same number of games."""

from collections.abc import Sequence
from random import Random
from typing import Protocol

from c4_referee.tuning.genetic import GENES, HIGHEST, Weights, bred, random_player, selected

STEP, STEP_DECAY = 15.0, 0.101
"""How far players stand from the centre, and how that shrinks with the rounds."""
RATE, RATE_DECAY, CALM = 30.0, 0.602, 20.0
"""How far a round moves the centre at most, how that shrinks, and how slowly at first."""


class Breeder(Protocol):
    """A method to find weights: it makes the players of a round, and is told how they scored."""

    def ask(self, draw: Random) -> list[Weights]:
        """The players of the next round."""

    def tell(self, scores: Sequence[int]) -> list[Weights]:
        """Those that are best by now, best first, after the scores of the players asked for."""


class Genetic:
    """The document's method."""

    def __init__(self, population: int, elite: int) -> None:
        self._size, self._elite = population, elite
        self._players: list[Weights] = []
        self._winners: list[Weights] = []

    def ask(self, draw: Random) -> list[Weights]:
        """Random players at first, then winners and their children."""
        if self._winners:
            self._players = bred(self._winners, self._size, draw)
        else:
            self._players = [random_player(draw) for _ in range(self._size)]
        return self._players

    def tell(self, scores: Sequence[int]) -> list[Weights]:
        """Those with the highest scores."""
        self._winners = selected(self._players, scores, self._elite)
        return self._winners


class Spsa:
    """Simultaneous perturbation, an optimizer as chess engines use it.

    A round's players are pairs, one step from a common centre in a random direction and in the
    opposite one; the centre then moves towards those who scored. It starts from the middle, all
    weights alike: nothing of the document's finding is in it. An odd population has one player
    less.

    Source: Spall 1992, "Multivariate Stochastic Approximation Using a Simultaneous Perturbation
    Gradient Approximation", IEEE Transactions on Automatic Control 37, with the exponents that
    Spall 1998 (IEEE Transactions on Aerospace and Electronic Systems 34) advises.
    """

    def __init__(self, population: int) -> None:
        self._pairs = population // 2
        self._centre = [HIGHEST / 2] * GENES
        self._directions: list[list[int]] = []
        self._round = 0

    def ask(self, draw: Random) -> list[Weights]:
        """Both neighbours of the centre in each of several random directions."""
        self._round += 1
        self._directions = [
            [draw.choice((-1, 1)) for _ in range(GENES)] for _ in range(self._pairs)
        ]
        step = STEP / self._round**STEP_DECAY
        return [
            _clipped([weight + sign * step * way for weight, way in self._moves(direction)])
            for direction in self._directions
            for sign in (1, -1)
        ]

    def _moves(self, direction: Sequence[int]) -> list[tuple[float, int]]:
        return list(zip(self._centre, direction, strict=True))

    def tell(self, scores: Sequence[int]) -> list[Weights]:
        """Moves the centre; it is the one that is best by now."""
        rate = RATE / (CALM + self._round) ** RATE_DECAY * CALM**RATE_DECAY
        norm = sum(map(abs, scores)) or 1
        for gene in range(GENES):
            slope = sum(
                (scores[2 * pair] - scores[2 * pair + 1]) * direction[gene]
                for pair, direction in enumerate(self._directions)
            )
            moved = self._centre[gene] + rate * slope / norm
            self._centre[gene] = min(max(moved, 0.0), float(HIGHEST))
        return [_clipped(self._centre)]


def _clipped(weights: Sequence[float]) -> Weights:
    return tuple(round(min(max(weight, 0), HIGHEST)) for weight in weights)
