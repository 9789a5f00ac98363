"""Schedules: refused plans, shared helpers, and the systems with one round."""

from collections import Counter
from itertools import combinations

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.contest.schedule import Plan, repetition_of_empty_board, sum_half_points
from c4_referee.records.rounds import GameKey, Roster
from hypothesis import given
from hypothesis import strategies as st
from schedules import drawn, of, play


@pytest.mark.parametrize(
    ("name", "plan", "reason"),
    [
        ("swiss", of(4, rounds=4), "fewer rounds than bots, not 4 for 4"),
        ("match", of(3), "2 bots, not 3"),
        ("match", of(1), "2 bots, not 1"),
        ("knockout", of(4, rounds=2), "remove 'rounds'"),
        ("knockout", of(4, (2, (0, 1, 2, 3, 4))), "name another folder"),
        ("roulette", of(4), "no system 'roulette': there are "),
    ],
)
def test_impossible_plans_are_refused(name: str, plan: Plan, reason: str) -> None:
    """An impossible plan is refused in one line that says what to do."""
    with pytest.raises(UsageError, match=reason) as refused:
        play(name, plan, drawn)
    assert "\n" not in str(refused.value)


def test_half_points_are_summed_for_both_players() -> None:
    """Half points are summed for both players. A void game gives none.

    Every game must have a result.
    """
    games = (GameKey(0, 1), GameKey(1, 0), GameKey(2, 3), GameKey(3, 2))
    assert sum_half_points(games, (2, 1, None, 0)) == Counter({0: 3, 1: 1, 2: 2, 3: 0})
    with pytest.raises(ValueError, match="zip"):
        sum_half_points(games, (2, 1, 0))


def test_without_openings_repetitions_identify_games() -> None:
    """Without openings, three meetings have the repetitions 0, 1 and 2."""
    games = play("match", Plan(Roster.of(2), repetition_of_empty_board, rounds=3), drawn).games
    assert [key.repetition for key in games] == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(("name", "times"), [("round-robin", 1), ("double-round-robin", 2)])
@given(players=st.integers(0, 7), rounds=st.integers(1, 3), pairs=st.integers(1, 3))
def test_all_players_meet_each_other(
    name: str, times: int, players: int, rounds: int, pairs: int
) -> None:
    """Every two players meet once or twice in each round, as the system says."""
    games = play(name, of(players, rounds=rounds, pairs=pairs), drawn).games
    met = Counter(frozenset((key.first, key.second)) for key in games)
    each = 2 * pairs * rounds * times
    assert met == {frozenset(both): each for both in combinations(range(players), 2)}


@given(players=st.integers(2, 7), rounds=st.integers(1, 3))
def test_gauntlet_is_one_against_all(players: int, rounds: int) -> None:
    """In a gauntlet, the first player meets the others in order in each round.

    A longer gauntlet begins with the same games.
    """
    outcome = play("gauntlet", of(players, rounds=rounds), drawn)
    assert [key.second for key in outcome.games[::2]] == [*range(1, players)] * rounds
    assert {key.first for key in outcome.games[::2]} == {0}
    longer = play("gauntlet", of(players, rounds=rounds + 1), drawn)
    assert longer.games[: len(outcome.games)] == outcome.games


@given(st.integers(2, 13))
def test_no_player_of_a_round_robin_is_far_ahead(players: int) -> None:
    """At any moment, players of a round robin have had nearly equal numbers of meetings.

    The numbers differ by at most 1 if the number of players is even, otherwise by at most 2.
    """
    games = play("round-robin", of(players), drawn).games
    met = Counter[int]()
    for one in games[::2]:
        met.update((one.first, one.second))
        counts = [met[player] for player in range(players)]
        assert max(counts) - min(counts) <= 2 - (players % 2 == 0)
