"""Who meets whom: what holds for every system there is, and what each of them is for."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, count, islice

import pytest
from c4_protocol.errors import OutOfOpenings, UsageError
from c4_referee.schedule import (
    GameKey,
    Pairing,
    Plan,
    Roster,
    names,
    repeated,
    sum_half_points,
    system,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from schedules import (
    Rule,
    drawn,
    higher_wins,
    lower_wins,
    of,
    only,
    own_opening,
    play,
    rules,
    table,
)

AT_ONCE = {"match", "round-robin", "double-round-robin", "gauntlet"}
"""Systems of one round that holds all games."""
ENDLESS = 12
"""How many rounds are looked at of a schedule that may have no end."""

some = settings(max_examples=50)
"""Enough, as every property is tried with every system."""


@st.composite
def plans(draw: st.DrawFn, name: str, *, changing: bool = True) -> Plan:
    """Any plan that a system might be asked for; players may leave, and where they can, join."""
    changes = [(0, tuple(range(2 if name == "match" else draw(st.integers(0, 9)))))]
    pool = changes[0][1] if name == "knockout" else range(12)
    for _ in range(draw(st.integers(0, 3)) if changing and name != "match" else 0):
        since = changes[-1][0] + draw(st.integers(1, 20))
        there = draw(st.lists(st.sampled_from(pool), unique=True)) if pool else []
        changes.append((since, tuple(there)))
    if name == "gauntlet":
        changes = [(since, (0, *(n for n in there if n))) for since, there in changes]
    rounds = None if name == "knockout" else draw(st.none() | st.integers(1, 5))
    pairs = draw(st.integers(1, 3))
    most = max(len(there) for _, there in changes)
    assume(name != "swiss" or rounds is None or rounds < max(most, 2))
    return Plan(Roster(tuple(changes)), own_opening, rounds, pairs)


SCENARIOS = {
    "2 players, the first one wins": (of(2), lower_wins),
    "2 players, all games drawn, 2 rounds of 2 pairs": (of(2, rounds=2, pairs=2), drawn),
    "5 players, the last one wins": (of(5), higher_wins),
    "8 players, results by a table": (of(8), table((2, 1, 0, 2, 0))),
    "6 players, results by a table, 3 rounds": (of(6, rounds=3), table((0, 2, 1, None, 2))),
    "6 players, 1 leaves after 2 games": (of(6, (2, (0, 2, 3, 4, 5))), table((0, 2))),
    "6 players, 1 leaves and 6 joins after 2 games": (of(6, (2, (0, 2, 3, 4, 5, 6))), drawn),
}


def told(name: str, plan: Plan, rule: Rule) -> list[str]:
    """The games of a schedule, a line each, its first rounds if there is no end of them."""
    try:
        event = play(name, plan, rule, limit=6)
    except UsageError as error:
        return [f"# refused: {error}"]
    pairings = map(Pairing, count(1), event.games)
    lines = []
    for number, (one, results) in enumerate(zip(event.rounds, event.results, strict=True), 1):
        lines.append(f"# byes {one.byes}, ranking {one.ranking}, games to come {one.to_come}")
        for pairing, result in zip(islice(pairings, len(one.games)), results, strict=True):
            opening, repetition = pairing.key.opening, pairing.key.repetition
            shown = "void" if result is None else f"{result}:{2 - result}"
            lines.append(
                f"{number} {pairing.number} {pairing.first} {pairing.second} "
                f"{opening} {repetition}  {shown}"
            )
    return [*lines, f"# at the end: ranking {event.ranking}"]


@pytest.mark.parametrize("name", names())
def test_schedules_are_as_ever(name: str, golden: Callable[[str, str], None]) -> None:
    """The same plans and results give the same rounds in every version of the program."""
    lines = ["# round game first second opening repetition  half points"]
    for title, (plan, rule) in SCENARIOS.items():
        lines += ["", f"# {title}", *told(name, plan, rule)]
    golden(f"schedules/{name}.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize("name", names())
@some
@given(data=st.data())
def test_games_come_in_fair_pairs(name: str, data: st.DataObject) -> None:
    """Both go first once after the same opening, and no opening comes again for the same two."""
    event = play(name, data.draw(plans(name)), data.draw(rules), ENDLESS)
    assert all(one.games for one in event.rounds)
    games = event.games
    for game, other in zip(games[::2], games[1::2], strict=True):
        assert game.first != game.second
        assert other == GameKey(game.second, game.first, game.opening, game.repetition)
    assert len({*games}) == len(games)


@pytest.mark.parametrize("name", names())
@some
@given(data=st.data())
def test_those_who_are_there_play(name: str, data: st.DataObject) -> None:
    """Who has left is neither paired nor given a bye; in a round nobody meets two others."""
    plan = data.draw(plans(name))
    event = play(name, plan, data.draw(rules), ENDLESS)
    played = 0
    for one in event.rounds:
        there = plan.roster.now if name in AT_ONCE else plan.roster.after(played)
        opponents = {frozenset((key.first, key.second)) for key in one.games}
        busy = [*one.byes, *(player for both in opponents for player in both)]
        assert {*busy} <= {*there}
        assert name in AT_ONCE or len({*busy}) == len(busy)
        played += len(one.games)


@pytest.mark.parametrize("name", names())
@some
@given(data=st.data())
def test_same_results_give_the_same_rounds(name: str, data: st.DataObject) -> None:
    """A schedule depends on its plan and the results alone, and has an end, if it has rounds."""
    plan, rule = data.draw(plans(name)), data.draw(rules)
    endless = name == "ladder" and plan.rounds is None
    event = play(name, plan, rule, ENDLESS if endless else 1000)
    assert play(name, plan, rule, ENDLESS if endless else 1000) == event
    assert len(event.rounds) <= (ENDLESS if endless else 100)


@pytest.mark.parametrize("name", names())
@some
@given(data=st.data())
def test_what_is_to_come_comes(name: str, data: st.DataObject) -> None:
    """If everybody stays, so many games follow as were announced; a knockout may have ties."""
    plan, rule = data.draw(plans(name, changing=False)), data.draw(rules)
    assume(name != "ladder" or plan.rounds is not None)
    event = play(name, plan, lower_wins if name == "knockout" else rule)
    for number, one in enumerate(event.rounds, 1):
        assert one.to_come == sum(len(later.games) for later in event.rounds[number:])


@pytest.mark.parametrize("name", sorted({*names()} - AT_ONCE))
@some
@given(data=st.data())
def test_a_change_leaves_what_was_before(name: str, data: st.DataObject) -> None:
    """Rounds that had begun before a change of the roster are what they were without it."""
    plan, rule = data.draw(plans(name)), data.draw(rules)
    event = play(name, plan, rule, ENDLESS)
    *before, (since, _) = plan.roster.changes
    assume(before)
    earlier = Plan(Roster(tuple(before)), own_opening, plan.rounds, plan.pairs)
    assume(name != "swiss" or plan.rounds is None)
    begun = 0
    for one, was in zip(event.rounds, play(name, earlier, rule, ENDLESS).rounds, strict=False):
        if begun >= since:
            break
        assert (one.games, one.byes, one.ranking) == (was.games, was.byes, was.ranking)
        begun += len(one.games)


@pytest.mark.parametrize("name", sorted({*names()} - {"match"}))
@pytest.mark.parametrize("players", [0, 1])
def test_nobody_to_meet_ends_it(name: str, players: int) -> None:
    """No rounds without games, and no waiting for players."""
    event = play(name, of(players), drawn)
    assert event.rounds == []
    assert event.ranking in {None, tuple(range(players))}


@pytest.mark.parametrize(
    ("name", "plan", "reason"),
    [
        ("swiss", of(4, rounds=4), "fewer rounds than bots, not 4 for 4"),
        ("match", of(3), "2 bots, not 3"),
        ("match", of(1), "2 bots, not 1"),
        ("knockout", of(4, rounds=2), "do not ask for rounds"),
        ("knockout", of(4, (2, (0, 1, 2, 3, 4))), "give the tournament another name"),
        ("gauntlet", of(4, (2, (1, 2, 3))), "put that one first again"),
        ("roulette", of(4), "no system 'roulette': there are double-round-robin, gauntlet"),
    ],
)
def test_what_cannot_be_is_refused(name: str, plan: Plan, reason: str) -> None:
    """In one line that says what to do."""
    with pytest.raises(UsageError, match=reason) as refused:
        play(name, plan, drawn)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", names())
def test_too_few_openings_are_found_out_at_once(name: str) -> None:
    """Not in the midst of an event, where the games that were played would come to nothing."""
    players = 2 if name in {"match", "knockout"} else 4
    rounds = None if name == "knockout" else 2
    with pytest.raises(OutOfOpenings):
        next(system(name)(Plan(Roster.of(players), only(1), rounds, pairs=2)))


def test_systems_have_the_names_of_their_files() -> None:
    """With a hyphen where the file has an underscore; what they share is no system."""
    assert "double-round-robin" in names()
    assert not [name for name in names() if name.startswith(("-", "_"))]


def test_sum_half_points_are_those_of_both() -> None:
    """A void game gives nothing; a result for each game is needed."""
    games = (GameKey(0, 1), GameKey(1, 0), GameKey(2, 3), GameKey(3, 2))
    assert sum_half_points(games, (2, 1, None, 0)) == Counter({0: 3, 1: 1, 2: 2, 3: 0})
    with pytest.raises(ValueError, match="zip"):
        sum_half_points(games, (2, 1, 0))


def test_without_openings_repetitions_tell_games_apart() -> None:
    """Three meetings from the empty board."""
    games = play("match", Plan(Roster.of(2), repeated, rounds=3), drawn).games
    assert [key.repetition for key in games] == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(("name", "times"), [("round-robin", 1), ("double-round-robin", 2)])
@given(players=st.integers(0, 7), rounds=st.integers(1, 3), pairs=st.integers(1, 3))
def test_everybody_meets_everybody(
    name: str, times: int, players: int, rounds: int, pairs: int
) -> None:
    """As often as there are rounds, or twice that."""
    games = play(name, of(players, rounds=rounds, pairs=pairs), drawn).games
    met = Counter(frozenset((key.first, key.second)) for key in games)
    each = 2 * pairs * rounds * times
    assert met == {frozenset(both): each for both in combinations(range(players), 2)}


@given(players=st.integers(2, 7), rounds=st.integers(1, 3))
def test_gauntlet_is_one_against_all(players: int, rounds: int) -> None:
    """In order, once in each round; a longer one begins with the shorter one."""
    event = play("gauntlet", of(players, rounds=rounds), drawn)
    assert [key.second for key in event.games[::2]] == [*range(1, players)] * rounds
    assert {key.first for key in event.games[::2]} == {0}
    longer = play("gauntlet", of(players, rounds=rounds + 1), drawn)
    assert longer.games[: len(event.games)] == event.games


@given(st.integers(2, 13))
def test_in_a_round_robin_nobody_is_far_ahead(players: int) -> None:
    """Whenever it is stopped, nobody has met two others more than somebody else has."""
    games = play("round-robin", of(players), drawn).games
    met = Counter[int]()
    for one in games[::2]:
        met.update((one.first, one.second))
        counts = [met[player] for player in range(players)]
        assert max(counts) - min(counts) <= 2 - (players % 2 == 0)
