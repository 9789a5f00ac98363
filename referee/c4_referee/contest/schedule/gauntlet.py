"""A gauntlet: the first player meets each of the others once in each round."""

from c4_referee.contest.schedule import Plan, Schedule, System
from c4_referee.records.rounds import Round


def schedule(plan: Plan) -> Schedule:
    """Play ``rounds`` gauntlets, 1 by default, in one round, because no game depends on a result.

    Players may join and leave. When a player leaves, all of this player's games are removed. If
    another player is first, this player meets all others.
    """
    players = plan.roster.now
    games = [
        game
        for nth in range(plan.rounds or 1)
        for other in players[1:]
        for game in plan.meeting(players[0], other, nth)
    ]
    if games:
        yield Round(tuple(games))
    return None


SYSTEM = System(
    schedule,
    "The first bot of the file meets each other bot once in each round. Bots are ordered by their "
    "share of the points, and the first bot stands apart.",
    ranked_by="share of points",
    first_is_tested=True,
    bots_come="It plays the first bot. If it is the first bot, it plays all others.",
)
