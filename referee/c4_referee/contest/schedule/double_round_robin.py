"""A double round robin: all players meet each other twice in each round."""

from dataclasses import replace

from c4_referee.contest.schedule import Plan, Schedule, System, round_robin


def schedule(plan: Plan) -> Schedule:
    """Play two round robins for each of ``rounds`` rounds, 1 by default."""
    return round_robin.schedule(replace(plan, rounds=2 * (plan.rounds or 1)))


SYSTEM = System(schedule, "Every bot meets every other bot twice in each round.")
