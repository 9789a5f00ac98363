"""An adaptive tournament: the meetings of a round are those that tell most about its goal."""

from collections import Counter
from collections.abc import Sequence
from itertools import count, islice

from c4_protocol.program.errors import UsageError

from c4_referee.contest.schedule import NextRound, Plan, Schedule, System
from c4_referee.contest.schedule.round_robin import pairs_by_circle_method
from c4_referee.records.rounds import GameKey, Meeting, Player, Round


def schedule(plan: Plan) -> Schedule:
    """Play the meetings that ``plan.choose`` returns, until it returns none.

    Two players may meet several times in a round, each time with another opening. A meeting for
    which there is no opening left is not played. Without ``plan.choose``, it is a round robin in
    which each player has one meeting in each round. The number of games is not known before.
    Raises ``UsageError`` if ``rounds`` is set.
    """
    if plan.rounds is not None:
        raise UsageError("an adaptive tournament ends at its goal: remove 'rounds', say max_games")
    plan.check_openings(1)
    met, played = Counter[frozenset[Player]](), 0

    def may_meet(one: Player, other: Player) -> bool:
        return plan.has_openings(met[frozenset((one, other))] + 1)

    choose = plan.choose or _turn_of_round_robin
    for number in count():
        players = plan.roster.present(played)
        if len(players) < 2:
            break
        games: list[GameKey] = []
        for one, other in choose(NextRound(number, played, players, may_meet)):
            if may_meet(one, other):
                games += plan.meeting(one, other, met[frozenset((one, other))])
                met[frozenset((one, other))] += 1
        if not games:
            break
        yield Round(tuple(games), may_grow=True)
        played += len(games)
    return None


def _turn_of_round_robin(wanted: NextRound) -> Sequence[Meeting]:
    """Return the meetings of one turn of the circle method, or none after the last one."""
    size = len(wanted.players) // 2
    turns = pairs_by_circle_method(wanted.players)
    return [*islice(turns, wanted.number * size, (wanted.number + 1) * size)]


SYSTEM = System(
    schedule,
    "The meetings are those that tell most about the `goal`. Bots are ordered by their ratings.",
    default_rounds="until the goal is reached",
    ranked_by="rating",
    depends_on_results=True,
    bots_come="It meets others from the next round on.",
    bots_go="It loses the rest of its round. Its games count.",
    changed_after_the_end="More rounds are played until the goal is reached.",
)
