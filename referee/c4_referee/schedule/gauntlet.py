"""A gauntlet: the first player meets each of the others once in each round."""

from collections.abc import Iterator

from c4_protocol.errors import UsageError

from c4_referee.schedule import GameKey, Plan, Round, Schedule


def schedule(plan: Plan) -> Schedule:
    """Play ``rounds`` gauntlets, 1 by default, in one round, because no game depends on a result.

    The other players may join later. When a player leaves, all of this player's games are removed.
    Raises ``UsageError`` if the first player of the roster has changed since the contest began.
    With another first player, this would be a different gauntlet.
    """
    if plan.roster.now[:1] != plan.roster.after(0)[:1]:
        raise UsageError(
            "in a gauntlet the first bot meets all others, but now another bot is first than "
            "at the start: put the old one first again, or give the tournament another name"
        )
    games = tuple(_games(plan, plan.rounds or 1))
    if games:
        yield Round(games)
    return None


def _games(plan: Plan, rounds: int) -> Iterator[GameKey]:
    for nth in range(rounds):
        for other in plan.roster.now[1:]:
            yield from plan.meeting(plan.roster.now[0], other, nth)
