"""The Swiss system: players with equal points meet, and as few players as possible meet twice."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, groupby
from typing import NamedTuple

from c4_protocol.errors import UsageError

from c4_referee.schedule import Plan, Player, Round, Schedule, sum_half_points
from c4_referee.schedule._matching import Cost, cheapest

_Opponents = frozenset[Player]


def schedule(plan: Plan) -> Schedule:
    """Play ``rounds`` rounds, by default the binary logarithm of the number of players, rounded up.

    In each round every player meets another one, except for one bye if their number is odd. The
    pairing follows these rules, the most important first:

    1. The bye goes to one of the players who have had the fewest byes.
    2. As few players as possible meet again.
    3. The player with the bye has as few points as possible.
    4. Players with nearly equal points meet: the sum of the squared differences is minimal.
    5. In each group of players with equal points the upper half meets the lower half: the best
       player of one half meets the best of the other, and so on. The sum of the squared distances
       from this ideal is minimal. Two players of different groups who meet are as close to each
       other in the standings as possible.
    6. Players of the upper half meet players of the lower half rather than each other.

    This is a minimum-cost perfect matching of a graph, as in Ólafsson 1990, "Weighted matching in
    chess tournaments", Journal of the Operational Research Society 41. In the first round all
    players are one group: the upper half meets the lower half.

    With 2r players, or 2r - 1 and the bye, no two players meet twice in the first r rounds, and if
    r is even, in the first r + 1 rounds ("Maximal sets of one-factors", Lecture Notes in
    Mathematics 452, 1975). So with the default number of rounds nobody meets twice. In later rounds
    (with six players, from the fourth), it may be impossible to pair everybody with a new opponent.
    It may also be impossible when players have left. Then as few players as possible meet again.
    Each round has its own openings.

    A bye gives the points of a meeting in which all games are won. A player who joins begins with 0
    points. A player who leaves is not paired any more. ``to_come`` is the number of later games if
    nobody joins or leaves. Raises ``UsageError`` if there are not fewer rounds than players, and
    ``OutOfOpenings`` if there are too few openings.
    """
    met = Counter[_Opponents]()
    points, byes = Counter[Player](), Counter[Player]()
    played = 0
    rounds = _rounds(plan)
    plan.check_openings(rounds)
    for nth in range(rounds):
        present = plan.roster.after(played)
        if len(present) < 2:
            break
        pairs, bye = _paired(_standings(present, points), met, byes)
        games = tuple(key for pair in pairs for key in plan.meeting(*pair, nth))
        results = yield Round(games, bye, (rounds - nth - 1) * len(games))
        points += sum_half_points(games, results)
        points.update(dict.fromkeys(bye, 4 * plan.pairs))
        byes.update(bye)
        met.update(frozenset(pair) for pair in pairs)
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
    """A player's position before a round; positions count from 0, the best first."""

    player: Player
    points: int
    position: int
    position_in_group: int
    """Position among the players with equal points."""
    half: int
    """Size of the upper half of the players with equal points."""

    @property
    def is_upper(self) -> bool:
        return self.position_in_group < self.half


def _standings(present: Sequence[Player], points: Counter[Player]) -> list[_Standing]:
    """Return the players by their points, then by seed."""
    table: list[_Standing] = []
    ordered = sorted(present, key=lambda player: -points[player])
    for points_each, group in groupby(ordered, key=lambda player: points[player]):
        players = list(group)
        for position, player in enumerate(players):
            standing = _Standing(player, points_each, len(table), position, len(players) // 2)
            table.append(standing)
    return table


def _paired(
    table: Sequence[_Standing], met: Counter[_Opponents], byes: Counter[Player]
) -> tuple[list[tuple[Player, Player]], tuple[Player, ...]]:
    """Return the pairs of players, the better one first, and the player with the bye, if any.

    The vertices of the matching are positions in the table. If their number is odd, one more vertex
    stands for the bye.
    """
    bye = len(table)
    costs = {
        (one.position, other.position): _cost(
            one, other, met[frozenset((one.player, other.player))]
        )
        for one, other in combinations(table, 2)
    }
    if bye % 2:
        costs |= {(one.position, bye): _bye_cost(one, table[-1], byes[one.player]) for one in table}
    found = cheapest(costs)
    return (
        [(table[one].player, table[other].player) for one, other in found if other != bye],
        tuple(table[one].player for one, other in found if other == bye),
    )


def _bye_cost(one: _Standing, last: _Standing, byes: int) -> Cost:
    """Return the cost of a bye for ``one``, by the rules of ``schedule``; ``last`` is the ideal."""
    return byes, 0, one.points, 0, (last.position - one.position) ** 2, 0


def _cost(better: _Standing, worse: _Standing, met: int) -> Cost:
    """Return the cost of a meeting, by the rules of ``schedule`` in their order."""
    distance = worse.position - better.position
    is_tied = better.points == worse.points
    error = distance - better.half if is_tied else distance
    is_same_half = is_tied and better.is_upper == worse.is_upper
    return 0, met, 0, (better.points - worse.points) ** 2, error**2, int(is_same_half)
