"""A double round robin: all players meet each other twice in each round."""

from dataclasses import replace

from c4_referee.schedule import Plan, Schedule, round_robin


def schedule(plan: Plan) -> Schedule:
    """Play a round robin with twice as many rounds as ``rounds``, which is 1 by default."""
    return round_robin.schedule(replace(plan, rounds=2 * (plan.rounds or 1)))
