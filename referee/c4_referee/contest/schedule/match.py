"""A match: two players who meet once or more."""

from itertools import count, islice

from c4_protocol.program.errors import UsageError

from c4_referee.contest.schedule import Plan, Schedule, System, pair_of_games, round_robin
from c4_referee.records.rounds import Round

NUMBER_OF_PLAYERS = 2


def schedule(plan: Plan) -> Schedule:
    """Play ``rounds`` meetings of the two players, 1 by default, in one round.

    Raises ``UsageError`` for any other number of players.
    """
    if len(plan.roster.now) != NUMBER_OF_PLAYERS:
        raise UsageError(
            f"a match is played by 2 bots, not {len(plan.roster.now)}: "
            "name another system, such as round-robin"
        )
    return round_robin.schedule(plan)


def games_in_turn(games: int, plan: Plan) -> Schedule:
    """Play ``games`` games in one round. The two players take turns in going first.

    If ``games`` is odd, the last pair has only its first game.
    """
    first, second = plan.roster.now
    pairs = (pair_of_games(first, second, plan.start(n)) for n in count())
    keys = (key for games_of_pair in pairs for key in games_of_pair)
    yield Round(tuple(islice(keys, games)))
    return None


SYSTEM = System(schedule, "Two bots meet.")
