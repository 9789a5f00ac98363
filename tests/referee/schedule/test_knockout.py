"""Knockouts: losers are out, players leave, and ties are decided."""

from collections import Counter

import pytest
from c4_referee.schedule import Plan, Roster
from c4_referee.schedule.knockout import MAX_EXTRA_PAIRS
from hypothesis import given
from hypothesis import strategies as st
from schedules import Rule, drawn, first_wins, higher_wins, lower_wins, of, only, play, rules, void


def test_ties_in_a_knockout_end_with_the_openings() -> None:
    """If the openings are used up, the better seed wins a tie.

    Openings for the meetings without ties are enough.
    """
    outcome = play("knockout", Plan(Roster.of(4), only(3)), drawn)
    assert [[key.opening for key in one.games[::2]] for one in outcome.rounds] == [
        ["1", "1"],
        ["3", "3"],
        ["2"],
    ]
    assert outcome.ranking == (0, 1, 2, 3)


@given(players=st.integers(2, 20), pairs=st.integers(1, 2))
def test_knockout_of_favourites(players: int, pairs: int) -> None:
    """If better seeds win, the two best meet in the final, and the ranking is that of the seeds."""
    outcome = play("knockout", of(players, pairs=pairs), lower_wins)
    assert len(outcome.rounds) == (players - 1).bit_length()
    assert {*outcome.rounds[-1].games[0][:2]} == {0, 1}
    assert len(outcome.games) == 2 * pairs * (players - 1)
    assert {*outcome.rounds[0].byes} == {*range(2 ** len(outcome.rounds) - players)}
    assert outcome.ranking is not None
    assert outcome.ranking[:4] == (0, 1, 2, 3)[:players]
    assert sorted(outcome.ranking) == [*range(players)]


@given(players=st.integers(1, 12), pairs=st.integers(1, 2), rule=rules)
def test_knockout_winner_lost_no_meeting(players: int, pairs: int, rule: Rule) -> None:
    """The winner of a knockout lost no meeting.

    In each of its meetings it has more points, or equal points after all extra pairs and the better
    seed.
    """
    outcome = play("knockout", of(players, pairs=pairs), rule)
    winner = outcome.ranking[0]
    balance = Counter[int]()
    games = Counter[int]()
    for one, results in zip(outcome.rounds, outcome.results, strict=True):
        for key, result in zip(one.games, results, strict=True):
            if winner in key[:2]:
                other = key.second if key.first == winner else key.first
                lead = 0 if result is None else 2 * result - 2
                balance[other] += lead if key.first == winner else -lead
                games[other] += 1
    for other, lead in balance.items():
        assert lead > 0 or (lead == 0 and winner < other)
        if lead == 0:
            assert games[other] == 2 * (pairs + MAX_EXTRA_PAIRS)
        assert outcome.ranking.index(other) > 0


@pytest.mark.parametrize("rule", [drawn, void, first_wins])
def test_tied_meetings_end(rule: Rule) -> None:
    """A tied meeting gets extra pairs, each with its own opening, and then the better seed wins."""
    outcome = play("knockout", of(3, pairs=2), rule)
    assert [len(one.games) for one in outcome.rounds] == [4, 2, 2, 2, 2, 4, 2, 2, 2, 2]
    openings = [[key.opening for key in one.games[::2]] for one in outcome.rounds]
    assert openings == [["1", "2"], *map(list, "5678"), ["3", "4"], ["9"], ["10"], ["11"], ["12"]]
    assert [one.byes for one in outcome.rounds] == [(0,), *[()] * 9]
    assert outcome.ranking == (0, 1, 2)


def test_only_tied_meetings_continue() -> None:
    """Only tied meetings continue. The winners of other meetings wait, and losers rank below."""
    outcome = play("knockout", of(4), lambda key: 1 if 0 in key[:2] else higher_wins(key))
    assert [len(one.games) for one in outcome.rounds] == [4, 2, 2, 2, 2, 2, 2, 2, 2, 2]
    assert outcome.rounds[0].ranking == (0, 1, 2, 3)
    assert outcome.rounds[1].ranking == (0, 2, 3, 1)
    assert outcome.rounds[5].ranking == (0, 2, 1, 3)
    assert outcome.ranking == (0, 2, 1, 3)


@pytest.mark.parametrize(
    ("rule", "change", "lengths", "ranking"),
    [
        (lower_wins, (1, (1, 2, 3)), [4], (1, 0, 2, 3)),  # before the final
        (lower_wins, (1, (2, 3)), [4], (0, 1, 2, 3)),  # both players of a meeting
        (drawn, (1, (1, 2, 3)), [4, *[2] * 9], (1, 3, 0, 2)),  # during a tie
        (drawn, (1, ()), [4], (0, 1, 2, 3)),
        (lower_wins, (5, (2, 3)), [4, 2], (0, 1, 2, 3)),  # after all games
        (lower_wins, (1, (0, 1)), [4, 2], (0, 1, 2, 3)),  # players who have lost
    ],
)
def test_player_who_leaves_a_knockout_loses(
    rule: Rule,
    change: tuple[int, tuple[int, ...]],
    lengths: list[int],
    ranking: tuple[int, ...],
) -> None:
    """A player who leaves loses the meeting without a game. If both leave, both are out."""
    outcome = play("knockout", of(4, change), rule)
    assert [len(one.games) for one in outcome.rounds] == lengths
    assert outcome.ranking == ranking


def test_place_of_two_who_left_stays_empty() -> None:
    """The opponent of a place whose players have both left has a bye."""
    plan = of(8, (1, (1, 2, 3, 4, 5, 6)))
    outcome = play("knockout", plan, lambda key: 1 if 0 in key[:2] else lower_wins(key))
    assert [one.byes for one in outcome.rounds] == [(), (3,), ()]
    assert [{*one.games[0][:2]} for one in outcome.rounds] == [{0, 7}, {1, 2}, {1, 3}]
    assert [one.to_come for one in outcome.rounds] == [6, 2, 0]
    assert outcome.ranking == (1, 3, 2, 0, 4, 5, 6, 7)
