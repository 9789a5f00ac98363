"""A round robin: all players meet each other once in each round."""

from collections.abc import Iterator, Sequence

from c4_referee.contest.schedule import Plan, Schedule, System
from c4_referee.records.rounds import GameKey, Player, Round


def schedule(plan: Plan) -> Schedule:
    """Play ``rounds`` round robins, 1 by default, as one round: no game depends on a result.

    A player who joins later meets all others. When a player leaves, all of this player's games are
    removed. More rounds, or more players at the end of the roster, only add games.
    """
    every = tuple(games_of_rounds(plan, plan.rounds or 1))
    if every:
        yield Round(every)
    return None


def games_of_rounds(plan: Plan, rounds: int) -> Iterator[GameKey]:
    """Generate the games of ``rounds`` round robins, in an order that mixes the players."""
    for nth in range(rounds):
        for one, other in pairs_by_circle_method(plan.roster.now):
            yield from plan.meeting(one, other, nth)


def pairs_by_circle_method(players: Sequence[Player]) -> Iterator[tuple[Player, Player]]:
    """Generate all pairs of players, so that players have similar numbers of meetings at any time.

    This is the circle method (Schurig 1886, *Zur Paarung der Teilnehmer eines Turniers*). The first
    player stays in place and the others move around a circle. Players who face each other meet.
    """
    ring: list[Player | None] = [*players, *[None] * (len(players) % 2)]
    half = len(ring) // 2
    for _ in ring[1:]:
        for one, other in zip(ring[:half], reversed(ring[half:]), strict=True):
            if one is not None and other is not None:
                yield one, other
        ring.insert(1, ring.pop())


SYSTEM = System(schedule, "Every bot meets every other bot once in each round.")
