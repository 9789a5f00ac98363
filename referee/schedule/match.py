"""Two bots, who meet as often as is asked for."""

from referee.schedule import Plan, Schedule, round_robin


def schedule(plan: Plan) -> Schedule:
    """So many ``rounds``, 1 by default, of a meeting of the first two."""
    return round_robin.schedule(plan)
