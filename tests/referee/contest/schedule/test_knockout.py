"""Knockouts: losers are out, players leave, and ties are decided."""

from collections import Counter

from c4_referee.contest.schedule.knockout import MAX_EXTRA_PAIRS
from hypothesis import given
from hypothesis import strategies as st
from schedules import Rule, lower_wins, of, play, rules


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
