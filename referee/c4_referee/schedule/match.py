"""Two bots, who meet as often as is asked for."""

from c4_protocol.errors import UsageError

from c4_referee.schedule import Plan, Schedule, round_robin


def schedule(plan: Plan) -> Schedule:
    """So many ``rounds``, 1 by default, of a meeting of the two.

    Raises ``UsageError`` for any other number of players.
    """
    if len(plan.roster.now) != 2:
        raise UsageError(
            f"a match is played by 2 bots, not {len(plan.roster.now)}: "
            "ask for another system, such as round-robin"
        )
    return round_robin.schedule(plan)
