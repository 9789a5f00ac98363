"""Contract of every registered schedule, for any results.

A new system needs no change here. Plans that a system refuses are skipped. ``refuses`` keeps
hypothesis from drawing many of them.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import count, islice

import pytest
from c4_protocol.program.errors import OutOfOpenings, UsageError
from c4_referee.classroom.plan import Pace, plan_run
from c4_referee.classroom.settings import ClassSettings
from c4_referee.contest.schedule import Plan, names, system
from c4_referee.records.rounds import GameKey, Pairing, Roster
from effort import examples
from hypothesis import given, reject
from hypothesis import strategies as st
from schedules import (
    Outcome,
    Rule,
    drawn,
    first_wins,
    higher_wins,
    lower_wins,
    of,
    only,
    own_opening,
    play,
    rules,
    table,
    void,
)

MAX_ROUNDS = 100
"""A number of rounds that no plan here reaches."""

some = examples(50)
"""Fewer examples than usual, because every property is tested with every system."""


@cache
def refuses(name: str, plan: Plan) -> bool:
    """Return whether a system refuses a plan."""
    try:
        play(name, plan, lower_wins)
    except UsageError:
        return True
    return False


@st.composite
def plans(draw: st.DrawFn, name: str, *, changing: bool = True) -> Plan:
    """Draw a plan for a system, in which players may leave and join."""
    is_for_two = refuses(name, of(4))
    players = 2 if is_for_two else draw(st.integers(0, 9))
    changes = [(0, tuple(range(players)))]
    pool = range(players if refuses(name, of(4, (1, (*range(5),)))) else 12)
    for _ in range(draw(st.integers(0, 3)) if changing and not is_for_two else 0):
        since = changes[-1][0] + draw(st.integers(1, 20))
        present = draw(st.lists(st.sampled_from(pool), unique=True)) if pool else []
        changes.append((since, tuple(present)))
    if system(name).first_is_tested:
        changes = [(since, (0, *(n for n in present if n))) for since, present in changes]
    rounds = draw(st.none() | st.integers(1, 5)) if plan_of_two_rounds(name).rounds else None
    return Plan(Roster(tuple(changes)), own_opening, rounds, draw(st.integers(1, 3)))


def play_accepted(name: str, plan: Plan, rule: Rule) -> Outcome:
    """Play a schedule to its end. Skip the example if the system refuses the plan."""
    try:
        return play(name, plan, rule)
    except UsageError:
        return reject()


@cache
def plan_of_two_rounds(name: str) -> Plan:
    """Return a plan with two rounds of meetings, or a smaller one if the system refuses it."""
    accepted = (of(4, rounds=2, pairs=2), of(4, pairs=2), of(2, rounds=2, pairs=2))
    return next(plan for plan in accepted if not refuses(name, plan))


def has_one_round(name: str) -> bool:
    """Return whether a system puts all games into one round."""
    return len(play(name, plan_of_two_rounds(name), lower_wins).rounds) == 1


def zero_draws(key: GameKey) -> int:
    """Return a draw if player 0 plays, otherwise a win of the player with the higher number."""
    return 1 if 0 in key[:2] else higher_wins(key)


SCENARIOS = {
    "2 players, the first one wins": (of(2), lower_wins),
    "2 players, all games drawn, 2 rounds of 2 pairs": (of(2, rounds=2, pairs=2), drawn),
    "5 players, the last one wins": (of(5), higher_wins),
    "8 players, results by a table": (of(8), table((2, 1, 0, 2, 0))),
    "6 players, results by a table, 3 rounds": (of(6, rounds=3), table((0, 2, 1, None, 2))),
    "6 players, 1 leaves after 2 games": (of(6, (2, (0, 2, 3, 4, 5))), table((0, 2))),
    "6 players, 1 leaves and 6 joins after 2 games": (of(6, (2, (0, 2, 3, 4, 5, 6))), drawn),
    "3 players, all games drawn, 2 pairs": (of(3, pairs=2), drawn),
    "3 players, all games void": (of(3), void),
    "4 players, the first of each game wins": (of(4), first_wins),
    "4 players, 0 draws, otherwise the last one wins": (of(4), zero_draws),
    "4 players, the first one wins, 6 rounds": (of(4, rounds=6), lower_wins),
    "4 players, the last one wins, 6 rounds": (of(4, rounds=6), higher_wins),
    "4 players, three openings, all games drawn": (Plan(Roster.of(4), only(3)), drawn),
    "5 players, three openings, the first one wins": (Plan(Roster.of(5), only(3)), lower_wins),
    "5 players, 2 pairs, 0 draws": (of(5, pairs=2), zero_draws),
    "4 players, 0 leaves after 1 game": (of(4, (1, (1, 2, 3))), lower_wins),
    "4 players, 0 leaves after 1 game, all games drawn": (of(4, (1, (1, 2, 3))), drawn),
    "4 players, 0 and 1 leave after 1 game": (of(4, (1, (2, 3))), lower_wins),
    "4 players, 2 and 3 leave after 1 game": (of(4, (1, (0, 1))), lower_wins),
    "4 players, all leave after 1 game": (of(4, (1, ())), drawn),
    "4 players, 0 and 1 leave after 5 games": (of(4, (5, (2, 3))), lower_wins),
    "8 players, only 0 and 7 stay": (of(8, (1, (0, 7))), zero_draws),
    "4 players, 4 and 5 join after 2 games": (of(4, (2, (*range(6),)), rounds=3), lower_wins),
    "4 players, 4 joins after 12 games": (of(4, (12, (*range(5),))), higher_wins),
    "4 players who join, leave and return": (
        of(4, (4, (*range(5),)), (8, (4, 0, 1, 2)), (12, (3, 4, 2)), (16, (4,))),
        lower_wins,
    ),
    "4 players, of whom two and then one stay": (of(4, (1, (0, 2)), (6, (0,)), rounds=3), drawn),
}


def printed(name: str, plan: Plan, rule: Rule) -> list[str]:
    """Return the games of a schedule as lines, for at most twelve rounds."""
    try:
        outcome = play(name, plan, rule, limit=12)
    except (OutOfOpenings, UsageError) as error:
        return [f"# refused: {error}"]
    pairings = map(Pairing, count(1), outcome.games)
    lines = []
    for number, (one, results) in enumerate(zip(outcome.rounds, outcome.results, strict=True), 1):
        lines.append(f"# byes {one.byes}, ranking {one.ranking}, games to come {one.to_come}")
        for pairing, result in zip(islice(pairings, len(one.games)), results, strict=True):
            opening, repetition = pairing.key.opening, pairing.key.repetition
            shown = "void" if result is None else f"{result}:{2 - result}"
            lines.append(
                f"{number} {pairing.number} {pairing.first} {pairing.second} "
                f"{opening} {repetition}  {shown}"
            )
    return [*lines, f"# at the end: ranking {outcome.ranking}"]


@pytest.mark.parametrize("name", names())
def test_schedules_stay_the_same(name: str, golden: Callable[[str, str], None]) -> None:
    """The same plans and results give the same rounds in every version of the program."""
    lines = ["# round game first second opening repetition  half points"]
    for title, (plan, rule) in SCENARIOS.items():
        lines += ["", f"# {title}", *printed(name, plan, rule)]
    golden(f"schedules/{name}.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize("name", names())
@some
@given(data=st.data())
def test_games_come_in_fair_pairs(name: str, data: st.DataObject) -> None:
    """Two players get an opening twice, each going first once, and never again."""
    outcome = play_accepted(name, data.draw(plans(name)), data.draw(rules))
    assert all(one.games for one in outcome.rounds)
    games = outcome.games
    for game, other in zip(games[::2], games[1::2], strict=True):
        assert game.first != game.second
        assert other == GameKey(game.second, game.first, game.opening, game.repetition)
    assert len({*games}) == len(games)


@pytest.mark.parametrize("name", names())
@some
@given(data=st.data())
def test_only_present_players_play(name: str, data: st.DataObject) -> None:
    """A player who has left gets no game and no bye.

    A round has at most one meeting for each player. A system with one round puts all meetings of
    the present players into it.
    """
    plan = data.draw(plans(name))
    outcome = play_accepted(name, plan, data.draw(rules))
    at_once = has_one_round(name)
    played = 0
    for one in outcome.rounds:
        present = plan.roster.now if at_once else plan.roster.after(played)
        meetings = {frozenset((key.first, key.second)) for key in one.games}
        busy = [*one.byes, *(player for meeting in meetings for player in meeting)]
        assert {*busy} <= {*present}
        assert at_once or len({*busy}) == len(busy)
        played += len(one.games)


@pytest.mark.parametrize("name", names())
@some
@given(data=st.data())
def test_same_results_give_the_same_rounds(name: str, data: st.DataObject) -> None:
    """A schedule ends, and depends only on its plan and the results."""
    plan, rule = data.draw(plans(name)), data.draw(rules)
    outcome = play_accepted(name, plan, rule)
    assert play(name, plan, rule) == outcome
    assert len(outcome.rounds) <= MAX_ROUNDS


@pytest.mark.parametrize("name", names())
@some
@given(data=st.data())
def test_announced_games_come(name: str, data: st.DataObject) -> None:
    """If the roster does not change, the number of games that a round announces is right.

    More games may follow if the round says that the number may grow.
    """
    outcome = play_accepted(name, data.draw(plans(name, changing=False)), data.draw(rules))
    for number, one in enumerate(outcome.rounds, 1):
        games = sum(len(later.games) for later in outcome.rounds[number:])
        assert one.to_come == games or (one.may_grow and one.to_come < games)


@pytest.mark.parametrize("name", names())
@some
@given(data=st.data())
def test_games_are_counted_before_the_first(name: str, data: st.DataObject) -> None:
    """A system says how many games a plan has, or at least has, and so does the plan of a class."""
    plan = data.draw(plans(name, changing=False))
    games = len(play_accepted(name, plan, data.draw(rules)).games)
    counted, may_grow = system(name).count_games(plan)
    assert counted == games or (may_grow and counted < games)
    if players := len(plan.roster.now):
        settings = ClassSettings(system=name, rounds=plan.rounds, pairs=plan.pairs)
        planned = plan_run(settings, [Pace(0.1, 0.1)] * players, 1, plan.start)
        assert (planned.games, planned.may_grow) == (counted, may_grow)


@pytest.mark.parametrize("name", names())
@some
@given(data=st.data())
def test_system_is_as_it_says(name: str, data: st.DataObject) -> None:
    """It has a ranking if it says so, and the first bot plays in all games if it is tested."""
    plan, described = data.draw(plans(name)), system(name)
    outcome = play_accepted(name, plan, data.draw(rules))
    rankings = [outcome.ranking, *(one.ranking for one in outcome.rounds)]
    assert {ranking is not None for ranking in rankings} == {described.ranked_by == "schedule"}
    if described.first_is_tested:
        assert all(plan.roster.now[0] in key[:2] for key in outcome.games)
    assert described.depends_on_results != has_one_round(name)
    assert described.meetings.endswith(".")


@pytest.mark.parametrize("name", [name for name in names() if not has_one_round(name)])
@some
@given(data=st.data())
def test_change_of_the_roster_keeps_earlier_rounds(name: str, data: st.DataObject) -> None:
    """A change of the roster does not change rounds that had begun before."""
    plan, rule = data.draw(plans(name)), data.draw(rules)
    outcome = play_accepted(name, plan, rule)
    *before, (since, _) = plan.roster.changes
    if not before:
        reject()
    earlier = Plan(Roster(tuple(before)), own_opening, plan.rounds, plan.pairs)
    begun = 0
    unchanged = play_accepted(name, earlier, rule).rounds
    for one, same in zip(outcome.rounds, unchanged, strict=False):
        if begun >= since:
            break
        assert (one.games, one.byes, one.ranking) == (same.games, same.byes, same.ranking)
        begun += len(one.games)


@pytest.mark.parametrize("name", names())
def test_rounds_are_played_or_refused(name: str) -> None:
    """A system that does not refuse rounds has fewer games in one round than in two."""
    plan = plan_of_two_rounds(name)
    if plan.rounds:
        games, _ = system(name).count_games(replace(plan, rounds=1))
        assert games < system(name).count_games(plan)[0]


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("players", [0, 1])
def test_fewer_than_two_players_have_no_rounds(name: str, players: int) -> None:
    """A schedule for fewer than two players ends at once or is refused."""
    try:
        outcome = play(name, of(players), drawn)
    except UsageError:
        return
    assert outcome.rounds == []
    assert outcome.ranking in {None, tuple(range(players))}


@pytest.mark.parametrize("name", names())
def test_too_few_openings_are_noticed_before_the_first_game(name: str) -> None:
    """One opening fewer than the rounds need is refused before the first game."""
    plan = plan_of_two_rounds(name)
    openings = len({key.opening for key in play(name, plan, lower_wins).games})
    with pytest.raises(OutOfOpenings):
        next(system(name).schedule(replace(plan, start=only(openings - 1))))
    assert next(system(name).schedule(replace(plan, start=only(openings)))).games
