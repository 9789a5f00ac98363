"""Selection, mutation and crossover of players, as functions without side effects.

Source: "A Genetic Algorithm to Optimize a Connect Four Minimax Player" by Morrow, DeBell and
Bogaerts (000_ccbf42599ea318ee.txt). A player is three weights from 0 to 99, for open windows with
one, two and three of its stones (``docs/tuning.md``).

The paper does not state some rules. Our rules are: among players with equal scores, the first one
in the population wins, so the winners of the last round are preferred to their children. Mutation
and crossover are equally likely. A crossover exchanges one weight, and both resulting players are
children. Parents are chosen at random from the winners, with equal probability.
"""

from collections.abc import Sequence
from random import Random

Weights = tuple[int, ...]

GENES = 3
"""Number of weights of a player."""
MAX_WEIGHT = 99


def random_player(draw: Random) -> Weights:
    """Return three random weights from 0 to 99."""
    return tuple(draw.randint(0, MAX_WEIGHT) for _ in range(GENES))


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


def select_winners(players: Sequence[Weights], scores: Sequence[int], elite: int) -> list[Weights]:
    """Return the ``elite`` players with the highest scores, best first."""
    order = sorted(range(len(players)), key=lambda index: -scores[index])
    return [players[index] for index in order[:elite]]


def breed(winners: Sequence[Weights], size: int, draw: Random) -> list[Weights]:
    """Return the next population of ``size`` players: the winners in order, then their children."""
    population = list(winners)
    while len(population) < size:
        if len(winners) > 1 and draw.random() < 0.5:
            one, other = draw.sample(winners, 2)
            population += cross_over(one, other, draw)
        else:
            population.append(mutate(draw.choice(winners), draw))
    return population[:size]


def spread(players: Sequence[Weights]) -> Weights:
    """Return the difference between the highest and the lowest value of each weight."""
    return tuple(max(values) - min(values) for values in zip(*players, strict=True))
