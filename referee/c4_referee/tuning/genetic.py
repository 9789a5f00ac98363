"""Selection, mutation and crossover: pure functions of players, scores and a random generator.

Source: "A Genetic Algorithm to Optimize a Connect Four Minimax Player" by Morrow, DeBell and
Bogaerts (000_ccbf42599ea318ee.txt). A player is three weights from 0 to 99, of its open sequences
of one, two and three stones.

Where the document is silent: of players with the same score the one that stands first goes on,
which is the one that has been there longer. Children are made by mutation or by crossover, as
often by one as by the other; a crossover exchanges one weight, and both players that come of it
are children. Parents are drawn from the winners, each as likely as the others.
"""

from collections.abc import Sequence
from random import Random

Weights = tuple[int, ...]

GENES = 3
HIGHEST = 99


def random_player(draw: Random) -> Weights:
    """Three weights, any from 0 to 99."""
    return tuple(draw.randint(0, HIGHEST) for _ in range(GENES))


def mutated(player: Weights, draw: Random) -> Weights:
    """The player with one weight replaced by a random one."""
    place = draw.randrange(len(player))
    return (*player[:place], draw.randint(0, HIGHEST), *player[place + 1 :])


def crossed(one: Weights, other: Weights, draw: Random) -> tuple[Weights, Weights]:
    """Two players who have exchanged one weight."""
    place = draw.randrange(len(one))
    return (
        (*one[:place], other[place], *one[place + 1 :]),
        (*other[:place], one[place], *other[place + 1 :]),
    )


def selected(players: Sequence[Weights], scores: Sequence[int], elite: int) -> list[Weights]:
    """The ``elite`` players with the highest scores, best first."""
    order = sorted(range(len(players)), key=lambda place: -scores[place])
    return [players[place] for place in order[:elite]]


def bred(winners: Sequence[Weights], size: int, draw: Random) -> list[Weights]:
    """The next population of ``size`` players: the winners, in their order, and their children."""
    population = list(winners)
    while len(population) < size:
        if len(winners) > 1 and draw.random() < 0.5:
            one, other = draw.sample(winners, 2)
            population += crossed(one, other, draw)
        else:
            population.append(mutated(draw.choice(winners), draw))
    return population[:size]


def spread(players: Sequence[Weights]) -> Weights:
    """Of each weight, the highest less the lowest."""
    return tuple(max(values) - min(values) for values in zip(*players, strict=True))
