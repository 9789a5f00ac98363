"""The Swiss system: players with equal points meet, and as few players as possible meet twice."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, groupby
from operator import attrgetter
from typing import NamedTuple
from zlib import crc32

from c4_protocol.program.errors import UsageError

from c4_referee.contest.schedule import Plan, Schedule, System, sum_half_points
from c4_referee.records.rounds import GameKey, Player, Round

MAX_MATCHED_AT_ONCE = 200
"""Maximum number of players who are paired by one matching. Beyond it, windows are matched.

Stored tournaments depend on it: with another number, their rounds would get other pairs."""
FIRST_WINDOW_SIZE = 32
"""Number of players in the smallest window. It is even."""
VertexPair = tuple[int, int]
"""Two vertices that can be paired, the smaller number first."""
CostByKind = tuple[int, ...]
"""Costs of a pair, one of each kind, each 0 or more; the first kind matters most."""

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

    The time of a matching grows with more than the third power of the number of players. So more
    than ``MAX_MATCHED_AT_ONCE`` players are paired in windows, from the top of the standings (see
    ``_pair_in_windows``). The first three rules then still hold in the whole field. The others hold
    in each window, and nearly hold in the whole field. If windows cannot avoid a rematch, one
    matching pairs all players. Smaller fields are always paired by one matching.

    With 2r players, or 2r - 1 and the bye, no two players meet twice in the first r rounds, and if
    r is even, in the first r + 1 rounds ("Maximal sets of one-factors", Lecture Notes in
    Mathematics 452, 1975). So with the default number of rounds nobody meets twice. In later rounds
    (with six players, from the fourth), it may be impossible to pair everybody with a new opponent.
    It may also be impossible when players have left. Then as few players as possible meet again.
    Each round has its own openings.

    A bye gives the points of a meeting in which all games are won. A player who joins begins with 0
    points. A player who leaves is not paired any more. ``to_come`` is the number of later games if
    nobody joins or leaves. Raises ``UsageError`` if there are not fewer rounds than players, or if
    players joined or left after the last round, and ``OutOfOpenings`` for too few openings.
    """
    met, byes = Counter[_Opponents](), Counter[Player]()
    results: dict[GameKey, int | None] = {}
    rounds = _number_of_rounds(plan)
    plan.check_openings(rounds)
    for nth in range(rounds):
        if plan.rounds is None and nth == _default_number_of_rounds(plan.roster.changes[:-1]):
            plan.roster.check_roster_unchanged(
                len(results)
            )  # new players do not add a round after the end
        present = plan.roster.present(len(results))
        if len(present) < 2:
            break
        # Games of players who gave up do not count.
        counted = [key for key in results if plan.roster.gone.isdisjoint((key.first, key.second))]
        points = sum_half_points(counted, [results[key] for key in counted])
        points.update({player: 4 * plan.pairs * number for player, number in byes.items()})
        pairs, bye = _pairs_and_bye(_table_of_players(present, points), met, byes)
        games = tuple(key for pair in pairs for key in plan.meeting(*pair, nth))
        played = yield Round(games, bye, (rounds - nth - 1) * len(games))
        results |= zip(games, played, strict=True)
        byes.update(bye)
        met.update(frozenset(pair) for pair in pairs)
    else:
        plan.roster.check_roster_unchanged(len(results))
    return None


def _number_of_rounds(plan: Plan) -> int:
    most = max(len(players) for _, players in plan.roster.changes)
    if plan.rounds is None:
        return _default_number_of_rounds(plan.roster.changes)
    if plan.rounds >= max(most, 2):
        raise UsageError(
            f"a swiss tournament has fewer rounds than bots, not {plan.rounds} for {most}: "
            "ask for fewer, or for a round-robin"
        )
    return plan.rounds


def _default_number_of_rounds(changes: Sequence[tuple[int, tuple[Player, ...]]]) -> int:
    return (max((len(players) for _, players in changes), default=1) - 1).bit_length()


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


def _table_of_players(present: Sequence[Player], points: Counter[Player]) -> list[_Standing]:
    """Return the players by their points, then by seed."""
    table: list[_Standing] = []
    ordered = sorted(present, key=lambda player: -points[player])
    for points_each, group in groupby(ordered, key=lambda player: points[player]):
        players = list(group)
        for position, player in enumerate(players):
            standing = _Standing(player, points_each, len(table), position, len(players) // 2)
            table.append(standing)
    return table


def _pairs_and_bye(
    table: Sequence[_Standing], met: Counter[_Opponents], byes: Counter[Player]
) -> tuple[list[tuple[Player, Player]], tuple[Player, ...]]:
    """Return the pairs of players, the better one first, and the player with the bye, if any."""
    pairs = _pair_large_field(table, met, byes) or _pair_at_once(table, met, byes)
    paired = {position for pair in pairs for position in pair}
    return (
        [(table[one].player, table[other].player) for one, other in pairs],
        tuple(standing.player for standing in table if standing.position not in paired),
    )


def _pair_at_once(
    table: Sequence[_Standing], met: Counter[_Opponents], byes: Counter[Player]
) -> list[VertexPair]:
    """Return the pairs of one matching of all players, without the player with the bye.

    The vertices of the matching are positions in the table. If their number is odd, one more vertex
    stands for the bye.
    """
    bye = len(table)
    costs = _costs_of_meetings(table, met)
    if bye % 2:
        costs |= {
            (one.position, bye): _cost_of_bye(one, table[-1], byes[one.player]) for one in table
        }
    return [pair for pair in cheapest_matching(costs) if bye not in pair]


def _pair_large_field(
    table: Sequence[_Standing], met: Counter[_Opponents], byes: Counter[Player]
) -> list[VertexPair] | None:
    """Pair the players of a large field in windows. Return the pairs, without the bye.

    If windows of some size cannot avoid a rematch, they are made twice as large. When nobody has
    met more than r of the others, a window of 2r + 2 players can be paired without a rematch
    (Dirac 1952, "Some theorems on abstract graphs", Proceedings of the London Mathematical Society
    2). Every window has more than half of the size, so a size of 4r + 4 is enough. Return ``None``
    if one matching of all players is needed, or if the field is small enough for it.
    """
    if len(table) <= MAX_MATCHED_AT_ONCE:
        return None
    paired = [*table]
    if len(table) % 2:
        paired.remove(min(table, key=lambda one: (byes[one.player], one.points, -one.position)))
    size = FIRST_WINDOW_SIZE
    while size < len(table):
        pairs = _pair_in_windows(paired, met, size)
        if pairs is not None:
            return pairs
        size *= 2
    return None


def _pair_in_windows(
    players: Sequence[_Standing], met: Counter[_Opponents], size: int
) -> list[VertexPair] | None:
    """Return pairs of an even number of players, sorted, or ``None`` if two would meet again.

    As in the Dutch system of FIDE (Handbook C.04.3), the groups of equal points are paired from the
    top, and players without an opponent float down to the next group. Here both follow from a
    window that moves down the field. It holds the next ``size`` players, such that each player of
    the upper half of a group is next to the ideal opponent. After a matching of the window, only
    the pairs with a player of its first half are kept. The other players see further down the field
    in the next window. The last window, of up to 3/2 ``size`` players, keeps all its pairs.
    """
    rest = sorted(players, key=_next_to_ideal_opponent)
    pairs: list[VertexPair] = []
    while rest:
        is_last = len(rest) <= size * 3 // 2
        window = rest if is_last else rest[:size]
        first = {standing.position for standing in window[: None if is_last else size // 2]}
        costs = _costs_of_meetings(sorted(window, key=attrgetter("position")), met)
        kept = [pair for pair in cheapest_matching(costs) if not first.isdisjoint(pair)]
        if any(_number_of_meetings(costs[pair]) for pair in kept):
            return None
        pairs += kept
        paired = {position for pair in kept for position in pair}
        rest = [standing for standing in rest if standing.position not in paired]
    return sorted(pairs)


def _next_to_ideal_opponent(standing: _Standing) -> tuple[int, int, int]:
    """Return a key that sorts by points and then puts the halves of each group side by side."""
    position_in_half = standing.position_in_group - (0 if standing.is_upper else standing.half)
    return -standing.points, position_in_half, standing.position


def _costs_of_meetings(
    players: Sequence[_Standing], met: Counter[_Opponents]
) -> dict[VertexPair, CostByKind]:
    """Return the cost of each meeting of two of the players, who are in their order."""
    return {
        (one.position, other.position): _cost_of_meeting(
            one, other, met[frozenset((one.player, other.player))]
        )
        for one, other in combinations(players, 2)
    }


def _cost_of_bye(standing: _Standing, last: _Standing, byes: int) -> CostByKind:
    """Return the cost of a bye, by the rules of ``schedule``. ``last`` is the ideal player."""
    return byes, 0, standing.points, 0, (last.position - standing.position) ** 2, 0


def _cost_of_meeting(better: _Standing, worse: _Standing, met: int) -> CostByKind:
    """Return the cost of a meeting, by the rules of ``schedule`` in their order."""
    distance = worse.position - better.position
    is_tied = better.points == worse.points
    error = distance - better.half if is_tied else distance
    is_same_half = is_tied and better.is_upper == worse.is_upper
    return 0, met, 0, (better.points - worse.points) ** 2, error**2, int(is_same_half)


def _number_of_meetings(cost: CostByKind) -> int:
    """Return how often two players have met, from the cost of their meeting."""
    return cost[1]


def cheapest_matching(costs: Mapping[VertexPair, CostByKind]) -> list[VertexPair]:
    """Return a minimum-cost perfect matching, sorted.

    The matching has the smallest possible sum of costs of the first kind. Among equal matchings,
    the sum of the second kind decides, and so on. Each pair also has a pseudorandom number, which
    decides between matchings that are still equal. Then there is almost certainly exactly one
    cheapest matching (the isolating lemma of Mulmuley, Vazirani and Vazirani 1987, "Matching is as
    easy as matrix inversion", Combinatorica 7), so the result does not depend on the algorithm.

    The pairs in ``costs`` must allow a perfect matching, and their costs must have the same number
    of kinds.
    """
    import networkx as nx  # noqa: PLC0415 - slow, and only pairings need it

    graph = nx.Graph()
    graph.add_weighted_edges_from(
        (one, other, weight) for (one, other), weight in _combined_costs(costs).items()
    )
    return sorted((min(found), max(found)) for found in nx.min_weight_matching(graph))


def _combined_costs(costs: Mapping[VertexPair, CostByKind]) -> dict[VertexPair, int]:
    """Return for each pair one number that combines its costs of all kinds.

    The kinds are in the order of their importance: one unit of a kind counts more than all costs of
    the later kinds together. A pseudorandom number is added as the last kind.
    """
    extended = {pair: (*cost, crc32(b"%d %d" % pair)) for pair, cost in costs.items()}
    most_pairs = max((max(pair) for pair in costs), default=0) // 2 + 1
    units = [1]
    for kind in reversed(list(zip(*extended.values(), strict=True))):
        units.append(units[-1] * (1 + most_pairs * max(kind)))
    scale = units[-2::-1]
    return {
        pair: sum(unit * part for unit, part in zip(scale, cost, strict=True))
        for pair, cost in extended.items()
    }


SYSTEM = System(
    schedule,
    "Bots with about the same number of points meet, and no two bots meet twice if this is "
    "possible.",
    default_rounds="binary logarithm of the number of bots, rounded up",
    depends_on_results=True,
    bots_come="It is paired from the next round on, with no points.",
    bots_go="It loses the rest of its round. Its games count.",
    changed_after_the_end="Refused: name another `--out`.",
)
