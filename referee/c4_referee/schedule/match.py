"""Two players who meet once in each round."""

from c4_protocol.errors import UsageError

from c4_referee.schedule import Plan, Schedule, round_robin


def schedule(plan: Plan) -> Schedule:
    """Play ``rounds`` meetings of the two players, 1 by default, in one round.

    Raises ``UsageError`` for any other number of players.
    """
    if len(plan.roster.now) != 2:
        raise UsageError(
            f"a match is played by 2 bots, not {len(plan.roster.now)}: "
            "ask for another system, such as round-robin"
        )
    return round_robin.schedule(plan)
