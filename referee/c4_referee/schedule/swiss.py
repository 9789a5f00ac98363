"""The Swiss system: those with as many points meet, and as long as possible nobody meets twice."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, groupby
from typing import NamedTuple

from c4_protocol.errors import UsageError

from c4_referee.schedule import Plan, Round, Schedule, half_points
from c4_referee.schedule._matching import Cost, Pair, cheapest


def schedule(plan: Plan) -> Schedule:
    """So many ``rounds``: by default the binary logarithm of the number of players, rounded up.

    In each round everybody meets somebody, or has the bye if their number is odd, so that in this
    order of importance

    1. the bye goes to one of those who had it least often;
    2. as few as possible meet who have met before;
    3. who has the bye has as few points as possible;
    4. players with nearly as many points meet: the sum of the squares of the differences is least;
    5. in each group of as many points the upper half meets the lower half, first against first:
       squares of the distances from that are added up here (players who leave their group go to
       the next place in another);
    6. where that is equal, rather the upper half against the lower one than among itself.

    This is the cheapest perfect matching of a graph, as in Ólafsson 1990, "Weighted matching in
    chess tournaments", Journal of the Operational Research Society 41. In the first round all are
    one group: the upper half meets the lower half.

    With 2r players, or 2r - 1 and the bye, nobody meets the same one again in the first r rounds,
    and in one more if r is even ("Maximal sets of one-factors", Lecture Notes in Mathematics 452,
    1975): so never by default. In later rounds those who have not met may not be enough to pair
    everybody, with six players from the fourth round on; so may those who are left when others
    have gone. Then the fewest meet again. Each round has openings of its own.

    A bye gives what it gives to win all games of a meeting. Who joins has no points yet; who leaves
    is not paired any more. ``to_come`` are the games that follow if nobody does either. Raises
    ``UsageError`` for as many rounds as players, or more, and ``OutOfOpenings``.
    """
    met = Counter[Pair]()
    points, byes = Counter[int](), Counter[int]()
    played = 0
    rounds = _rounds(plan)
    plan.check_openings(rounds)
    for nth in range(rounds):
        there = plan.roster.after(played)
        if len(there) < 2:
            break
        pairs, bye = _paired(_standings(there, points), met, byes)
        games = tuple(key for pair in pairs for key in plan.meeting(*pair, nth))
        results = yield Round(games, bye, (rounds - nth - 1) * len(games))
        points += half_points(games, results)
        points.update(dict.fromkeys(bye, 4 * plan.pairs))
        byes.update(bye)
        met.update(_either_way(*pair) for pair in pairs)
        played += len(games)
    return None


def _rounds(plan: Plan) -> int:
    most = max(len(players) for _, players in plan.roster.changes)
    if plan.rounds is None:
        return (most - 1).bit_length()
    if plan.rounds >= max(most, 2):
        raise UsageError(
            f"a swiss tournament has fewer rounds than bots, not {plan.rounds} for {most}: "
            "ask for fewer, or for a round-robin"
        )
    return plan.rounds


class _Standing(NamedTuple):
    """Where a player stands before a round: places count from 0, the best first."""

    player: int
    points: int
    place: int
    place_in_group: int
    """Among those with as many points."""
    half: int
    """How many are in the upper half of that group."""

    @property
    def is_upper(self) -> bool:
        return self.place_in_group < self.half


def _standings(there: Sequence[int], points: Counter[int]) -> list[_Standing]:
    """Players by their points, and by seed."""
    table: list[_Standing] = []
    ordered = sorted(there, key=lambda player: -points[player])
    for points_each, group in groupby(ordered, key=lambda player: points[player]):
        players = list(group)
        for place, player in enumerate(players):
            standing = _Standing(player, points_each, len(table), place, len(players) // 2)
            table.append(standing)
    return table


def _paired(
    table: Sequence[_Standing], met: Counter[Pair], byes: Counter[int]
) -> tuple[list[Pair], tuple[int, ...]]:
    """Who meets whom, the better one first, and who meets nobody."""
    nobody = len(table)
    costs = {
        (one.place, other.place): _cost(one, other, met[_either_way(one.player, other.player)])
        for one, other in combinations(table, 2)
    }
    if nobody % 2:
        costs |= {(one.place, nobody): _bye_cost(one, table[-1], byes[one.player]) for one in table}
    found = cheapest(costs)
    return (
        [(table[one].player, table[other].player) for one, other in found if other != nobody],
        tuple(table[one].player for one, other in found if other == nobody),
    )


def _either_way(one: int, other: int) -> Pair:
    return min(one, other), max(one, other)


def _bye_cost(one: _Standing, last: _Standing, byes: int) -> Cost:
    """Of a bye, likewise: it is best given to the last one."""
    return byes, 0, one.points, 0, (last.place - one.place) ** 2, 0


def _cost(better: _Standing, worse: _Standing, met: int) -> Cost:
    """Of a meeting, in the order of importance that ``schedule`` tells."""
    apart = worse.place - better.place
    if better.points == worse.points:
        off, exchanged = apart - better.half, better.is_upper == worse.is_upper
    else:
        off, exchanged = apart, False
    return 0, met, 0, (better.points - worse.points) ** 2, off**2, int(exchanged)
