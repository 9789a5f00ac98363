"""A round robin: all players meet each other once in each round."""

from collections.abc import Iterator, Sequence

from c4_referee.schedule import GameKey, Plan, Player, Round, Schedule


def schedule(plan: Plan) -> Schedule:
    """Play all games in one round, because no game depends on a result; ``rounds`` is 1 by default.

    A player who joins later meets all others. When a player leaves, all of this player's games are
    removed. The other games stay the same if there are more rounds, or more players at the end of
    the roster.
    """
    every = tuple(games(plan, plan.rounds or 1))
    if every:
        yield Round(every)
    return None


def games(plan: Plan, rounds: int) -> Iterator[GameKey]:
    """Generate the games of ``rounds`` round robins; no player gets many games ahead of others."""
    for nth in range(rounds):
        for one, other in _circle(plan.roster.now):
            yield from plan.meeting(one, other, nth)


def _circle(players: Sequence[Player]) -> Iterator[tuple[Player, Player]]:
    """Generate all pairs of players; each player meets one opponent, then the next, and so on.

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
