"""Everybody meets everybody; once in each round."""

from collections.abc import Iterator, Sequence

from c4_referee.schedule import GameKey, Plan, Round, Schedule


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
    """Each round has every two players meet, in an order in which nobody is far ahead."""
    for nth in range(rounds):
        for one, other in _circle(plan.roster.now):
            yield from plan.meeting(one, other, nth)


def _circle(players: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Everybody meets somebody, then everybody somebody else, until all have met.

    The circle method (Schurig 1886, *Zur Paarung der Teilnehmer eines Turniers*): the first stays
    where he is, the others go round, and those who face each other meet.
    """
    ring: list[int | None] = [*players, *[None] * (len(players) % 2)]
    half = len(ring) // 2
    for _ in ring[1:]:
        for one, other in zip(ring[:half], reversed(ring[half:]), strict=True):
            if one is not None and other is not None:
                yield one, other
        ring.insert(1, ring.pop())
