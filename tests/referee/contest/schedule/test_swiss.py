"""Swiss pairings, compared with all possible pairings, and those of large fields."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, groupby
from unittest.mock import patch

import pytest
from c4_referee.contest.schedule import Plan, swiss
from c4_referee.contest.schedule.swiss import CostByKind, VertexPair, cheapest_matching
from c4_referee.records.rounds import GameKey, Player, Round
from effort import examples, sampled
from hypothesis import given
from hypothesis import strategies as st
from schedules import Rule, drawn, lower_wins, of, play

Both = frozenset[int]


def rounds_of(plan: Plan, rule: Rule) -> list[Round]:
    """Return the rounds of a Swiss tournament in which a rule gives the results."""
    return play("swiss", plan, rule).rounds


def met(one: Round) -> list[Both]:
    """Return the meetings of a round."""
    return sorted({frozenset(key[:2]) for key in one.games}, key=sorted)


def by_chance(seed: int) -> Rule:
    """Return a rule that draws results, including void ones, from a seed."""
    return lambda key: random.Random(f"{seed} {tuple(key)}").choice((0, 1, 2, 2, 0, None))


def matchings(vertices: Sequence[int]) -> Iterator[list[VertexPair]]:
    """Yield all perfect matchings of an even number of vertices."""
    if not vertices:
        yield []
        return
    one, *others = vertices
    for other in others:
        for rest in matchings([vertex for vertex in others if vertex != other]):
            yield [(one, other), *rest]


def total(costs: dict[VertexPair, CostByKind], pairs: Sequence[VertexPair]) -> CostByKind:
    """Return the sum of each kind of cost over some pairs."""
    return tuple(map(sum, zip(*(costs[pair] for pair in pairs), strict=True)))


@st.composite
def graphs(draw: st.DrawFn) -> dict[VertexPair, CostByKind]:
    """Draw a graph of up to eight vertices with three kinds of cost for each pair."""
    vertices = 2 * draw(st.integers(1, 4))
    cost = st.tuples(st.integers(0, 2), st.integers(0, 5), st.integers(0, 2))
    return {pair: draw(cost) for pair in combinations(range(vertices), 2)}


@given(graphs(), st.randoms(use_true_random=False))
def test_matching_is_the_cheapest(
    costs: dict[VertexPair, CostByKind], chance: random.Random
) -> None:
    """The matching has the smallest cost, with any order of its input.

    Kinds of cost are compared in order.
    """
    found = cheapest_matching(costs)
    everybody = range(1 + max(map(max, costs)))
    assert sorted(vertex for pair in found for vertex in pair) == [*everybody]
    assert total(costs, found) == min(total(costs, pairs) for pairs in matchings([*everybody]))
    shuffled = list(costs.items())
    chance.shuffle(shuffled)
    assert cheapest_matching(dict(shuffled)) == found


def test_small_costs_never_add_up_to_a_greater_one() -> None:
    """One unit of the first kind of cost weighs more than any amount of the second."""
    costs = dict.fromkeys(combinations(range(4), 2), (1, 0))
    costs |= {(0, 3): (0, 10**12), (1, 2): (1, 10**12)}
    assert cheapest_matching(costs) == [(0, 3), (1, 2)]


@given(players=st.integers(2, 7), pairs=st.integers(1, 2), seed=st.integers(0, 999))
def test_no_pairing_would_be_better(players: int, pairs: int, seed: int) -> None:
    """No other pairing of a round has a fairer bye, fewer rematches or smaller gaps in points."""
    rule = by_chance(seed)
    points, byes, before = Counter[int](), Counter[int](), Counter[Both]()
    nobody = players if players % 2 else -1

    def cost(all_pairs: Sequence[Both]) -> CostByKind:
        bye = [player for both in all_pairs if nobody in both for player in both - {nobody}]
        games = [both for both in all_pairs if nobody not in both]
        apart = [max(points[p] for p in both) - min(points[p] for p in both) for both in games]
        return (
            sum(byes[player] for player in bye),
            sum(before[both] for both in games),
            sum(points[player] for player in bye),
            sum(difference**2 for difference in apart),
        )

    everybody = [*range(players + players % 2)]
    for one in rounds_of(of(players, rounds=max(players - 1, 1), pairs=pairs), rule):
        pairing = [*met(one), *(frozenset((player, nobody)) for player in one.byes)]
        assert cost(pairing) == min(
            cost([*map(frozenset, pairs)]) for pairs in matchings(everybody)
        )
        before.update(met(one))
        byes.update(one.byes)
        for key in one.games:
            result = rule(key)
            if result is not None:
                points[key.first] += result
                points[key.second] += 2 - result
        for player in one.byes:
            points[player] += 4 * pairs


@given(players=st.integers(2, 13), seed=st.integers(0, 999))
def test_no_players_meet_again_in_the_first_half(players: int, seed: int) -> None:
    """No two players meet twice in the first half of the rounds.

    For n players, all meetings differ in n/2 rounds (rounded up), and in one more if that is even.
    """
    half = (players + 1) // 2
    sure = min(half + (half % 2 == 0), players - 1)
    all_met = [
        both for one in rounds_of(of(players, rounds=sure), by_chance(seed)) for both in met(one)
    ]
    assert len({*all_met}) == len(all_met) == sure * (players // 2)


def test_six_players_may_have_to_meet_again() -> None:
    """With six players, one pair may have to meet again in the fourth round.

    After three rounds, only players of the same three have not met. So the docstring of
    ``schedule`` cannot promise more rounds without rematches.
    """
    rounds = [met(one) for one in rounds_of(of(6, rounds=5), drawn)]
    first_three = {both for one in rounds[:3] for both in one}
    assert first_three == {frozenset((one, other)) for one in (0, 1, 2) for other in (3, 4, 5)}
    assert [len({*one} & first_three) for one in rounds] == [3, 3, 3, 1, 1]


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4)])
def test_default_is_as_many_rounds_as_a_knockout(players: int, rounds: int) -> None:
    """By default, there are as many rounds as in a knockout.

    Then only one player can have won all meetings.
    """
    assert len([*rounds_of(of(players), lower_wins)]) == rounds


@given(players=st.integers(2, 20))
def test_first_round_is_upper_half_against_lower_half(players: int) -> None:
    """In the first round, the upper half meets the lower half in order.

    With an odd number of players, the last player has the bye.
    """
    one = rounds_of(of(players), drawn)[0]
    half = players // 2
    assert met(one) == [frozenset((player, player + half)) for player in range(half)]
    assert one.byes == ((players - 1,) if players % 2 else ())


@given(players=st.sampled_from((3, 5, 7, 9)), seed=st.integers(0, 999))
def test_byes_go_round(players: int, seed: int) -> None:
    """No player has a second bye before every player has had one."""
    rounds = rounds_of(of(players, rounds=players - 1), by_chance(seed))
    byes = [player for one in rounds for player in one.byes]
    assert len({*byes}) == len(byes) == players - 1


def stronger_wins(players: int, seed: int) -> Rule:
    """Return a rule in which lower numbers win more often, the more the numbers differ."""

    def rule(key: GameKey) -> int:
        chance = random.Random(f"{seed} {tuple(key)}").random()
        return 2 * (chance < 1 / (1 + 10 ** (5 * (key.first - key.second) / players)))

    return rule


def check_quality(plan: Plan, rule: Rule) -> None:
    """Check every round of a large field.

    Nobody meets again or has two byes. All the others are paired, each going first as often as
    second. The bye goes to a player with the fewest points. The squared differences in points add
    up to at most three times those of neighbours in the standings, and 8 for each group of equal
    points: two of its players may have met, and float down by one win.
    """
    points, before, byes, played = Counter[int](), set[Both](), set[int](), 0
    for one in rounds_of(plan, rule):
        present = plan.roster.after(played)
        firsts, seconds = (Counter(key[seat] for key in one.games) for seat in (0, 1))
        assert firsts == seconds
        assert sorted([*firsts, *one.byes]) == sorted(present)
        assert all(len({*both}) == 2 for both in met(one))
        assert not before & {*met(one)}
        assert not byes & {*one.byes}
        lowest = min((points[player] for player in present if player not in byes), default=0)
        assert [points[player] for player in one.byes] == [lowest] * (len(present) % 2)
        ranked = sorted(points[player] for player in firsts)
        neighbours = sum((b - a) ** 2 for a, b in zip(ranked[::2], ranked[1::2], strict=True))
        apart = sum((points[max(both)] - points[min(both)]) ** 2 for both in met(one))
        assert apart <= 3 * neighbours + 8 * len({*ranked})
        before.update(met(one))
        byes.update(one.byes)
        played += len(one.games)
        for key in one.games:
            points[key.first] += rule(key) or 0
            points[key.second] += 2 - (rule(key) or 0)
        points.update(dict.fromkeys(one.byes, 4))


@pytest.mark.parametrize("players", sampled([301, 1000, 1001], [301]))
def test_large_field_is_paired_well(players: int) -> None:
    """Hundreds of players get good pairs."""
    check_quality(of(players, rounds=4), stronger_wins(players, players))


@pytest.mark.weekly
@examples(10)
@given(players=st.integers(201, 400), left=st.sets(st.integers(0, 200)), seed=st.integers(0, 999))
def test_field_that_changes_is_paired_well(players: int, left: set[int], seed: int) -> None:
    """Players get good pairs when some have left, and when some have joined."""
    stay = tuple(player for player in range(players + 20) if player not in left)
    plan = of(players, (1, stay), rounds=3)
    check_quality(plan, stronger_wins(players, seed))


@pytest.mark.weekly
def test_many_rounds_have_no_rematch() -> None:
    """Nobody meets again in many rounds, although all players always have equal points."""
    check_quality(of(203, rounds=20), drawn)


Case = tuple[list[swiss._Standing], Counter[Both], Counter[Player]]
"""Standings, meetings and byes before a round."""


def before_round(points: Sequence[int], pairs: Sequence[Both], byes: Sequence[int] = ()) -> Case:
    """Return what is known before a round; the n-th number of points is that of player n."""
    everybody = [*map(Player, range(len(points)))]
    table = swiss._table_of_players(everybody, Counter(dict(zip(everybody, points, strict=True))))
    return table, Counter(pairs), Counter(map(Player, byes))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw what is known before a round, in which many or few players have met."""
    players = draw(st.integers(7, 14))
    points = draw(st.lists(st.integers(0, 4), min_size=players, max_size=players))
    share, chance = draw(st.floats(0, 1)), draw(st.randoms(use_true_random=False))
    everybody = combinations(range(players), 2)
    pairs = [frozenset(pair) for pair in everybody if chance.random() < share]
    return before_round(points, pairs, draw(st.lists(st.integers(0, players - 1))))


@examples(200)
@given(cases())
def test_windows_follow_the_first_rules(case: Case) -> None:
    """Pairs by windows have as fair byes and as few rematches as those of one matching."""
    table, before, byes = case

    def paired() -> CostByKind:
        pairs, bye = swiss._pairs_and_bye(*case)
        assert sorted([*bye, *(p for pair in pairs for p in pair)]) == [*range(len(table))]
        points = {one.player: one.points for one in table}
        again = sum(before[frozenset(pair)] for pair in pairs)
        return sum(byes[p] for p in bye), again, sum(points[p] for p in bye)

    at_once = paired()
    with patch.object(swiss, "MAX_MATCHED_AT_ONCE", 0), patch.object(swiss, "FIRST_WINDOW_SIZE", 4):
        assert paired() == at_once


@pytest.mark.parametrize(
    ("players", "groups"), sampled([(204, 12), (204, 34), (330, 20)], [(204, 12)])
)
def test_players_who_have_met_in_their_group_float(players: int, groups: int) -> None:
    """If all players of each group have met, they meet players of the groups next to theirs."""
    points = [-(player // groups) for player in range(players)]
    pairs = [
        frozenset(pair)
        for _, group in groupby(range(players), key=lambda player: points[player])
        for pair in combinations(group, 2)
    ]
    found, _ = swiss._pairs_and_bye(*before_round(points, pairs))
    assert len(found) == players // 2
    assert not {frozenset(pair) for pair in found} & {*pairs}
    assert max(points[one] - points[other] for one, other in found) <= 2


def test_one_matching_pairs_what_windows_cannot() -> None:
    """If all of the better half have met, each of them meets one of the other half."""
    case = before_round([1] * 31 + [0] * 31, [*map(frozenset, combinations(range(31), 2))])
    with patch.object(swiss, "MAX_MATCHED_AT_ONCE", 0):
        assert swiss._pair_large_field(*case) is None
        found, _ = swiss._pairs_and_bye(*case)
    assert all(one < 31 <= other for one, other in found)


def test_field_of_200_is_paired_by_one_matching() -> None:
    """Windows are for more than 200 players: stored tournaments of fewer keep their pairs."""
    assert swiss._pair_large_field(*before_round([0] * 200, [])) is None
    assert swiss._pair_large_field(*before_round([0] * 201, [])) is not None
