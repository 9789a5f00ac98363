"""Match: two bots who meet as often as asked for."""

from itertools import count, islice

from c4_protocol.errors import UsageError

from c4_referee.schedule import Plan, Round, Schedule, pair, round_robin

BOTS = 2


def schedule(plan: Plan) -> Schedule:
    """Generate ``plan.rounds`` meetings of the two bots, one by default.

    Raises ``UsageError`` for any other number of bots.
    """
    if len(plan.roster.now) != BOTS:
        raise UsageError(
            f"a match is played by 2 bots, not {len(plan.roster.now)}: "
            "ask for another system, such as round-robin"
        )
    return round_robin.schedule(plan)


def games_in_turn(games: int, plan: Plan) -> Schedule:
    """Generate one round of ``games`` games, in which the two bots take turns in moving first.

    Unlike ``schedule`` it may end after the first game of a pair.
    """
    pairs = (pair(0, 1, plan.start(n)) for n in count())
    keys = (key for games_of_pair in pairs for key in games_of_pair)
    yield Round(tuple(islice(keys, games)))
    return None
