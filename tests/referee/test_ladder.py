"""A ladder: who wins from below climbs, and it goes on as long as anybody likes."""

import pytest
from c4_referee.schedule import Plan, Roster
from schedules import Rule, drawn, first_wins, higher_wins, lower_wins, of, only, play, void


def test_endless_ladder_ends_with_the_openings() -> None:
    """After so many rounds, with the ranking that was reached."""
    event = play("ladder", Plan(Roster.of(2), only(3)), higher_wins)
    assert [one.games[0].opening for one in event.rounds] == ["1", "2", "3"]
    assert event.ranking == (1, 0)


def test_best_player_climbs_the_ladder() -> None:
    """One rung a round, until nobody stands above him; neighbours take turns."""
    event = play("ladder", of(4, rounds=6), higher_wins)
    assert [one.ranking for one in event.rounds] == [
        (0, 1, 2, 3),
        (1, 0, 3, 2),
        (1, 3, 0, 2),
        (3, 1, 2, 0),
        (3, 2, 1, 0),
        (3, 2, 1, 0),
    ]
    assert [len(one.games) for one in event.rounds] == [4, 2, 4, 2, 4, 2]
    assert event.ranking == (3, 2, 1, 0)


@pytest.mark.parametrize("rule", [drawn, void, first_wins, lower_wins])
def test_who_does_not_win_stays_below(rule: Rule) -> None:
    """A tie changes nothing on the ladder."""
    assert play("ladder", of(5, rounds=4), rule).ranking == (0, 1, 2, 3, 4)


def test_two_meet_on_the_ladder_in_every_round() -> None:
    """There is no round without games, however long it goes on, and each has a new opening."""
    event = play("ladder", of(2), higher_wins, limit=50)
    assert [len(one.games) for one in event.rounds] == [2] * 50
    assert [one.ranking for one in event.rounds] == [(0, 1), *[(1, 0)] * 49]
    assert [one.to_come for one in event.rounds] == [0] * 50


def test_ladder_takes_and_loses_players() -> None:
    """New ones stand at the bottom, also who comes back; the last one is not left waiting."""
    changes = (4, (0, 1, 2, 3, 4)), (8, (4, 0, 1, 2)), (12, (3, 4, 2)), (16, (4,))
    event = play("ladder", of(4, *changes), lower_wins)
    rankings = [one.ranking for one in event.rounds]
    assert rankings == [
        (0, 1, 2, 3),
        (0, 1, 2, 3, 4),
        (0, 1, 2, 4),
        (2, 4, 3),
        (2, 3, 4),
    ]
    assert event.ranking == (4,)
