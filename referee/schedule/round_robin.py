"""Everybody meets everybody; once in each round."""

from collections.abc import Iterator
from itertools import combinations

from referee.schedule import GameKey, Plan, Round, Schedule


def schedule(plan: Plan) -> Schedule:
    """One round of all games, which do not depend on each other; ``rounds`` is 1 by default.

    Who joins later meets all others, and who leaves takes his games with him. More rounds, or more
    players at the end of the list, leave the other games what they are.
    """
    every = tuple(games(plan, plan.rounds or 1))
    if every:
        yield Round(every)
    return None


def games(plan: Plan, rounds: int) -> Iterator[GameKey]:
    """Each round has every two players meet, in the order of the roster."""
    for nth in range(rounds):
        for one, other in combinations(plan.roster.now, 2):
            yield from plan.meeting(one, other, nth)
