"""A ladder: who wins from below climbs, for as many rounds as there are bots."""

from dataclasses import replace
from itertools import permutations

import pytest
from c4_protocol.errors import OutOfOpenings
from c4_referee.schedule import GameKey, Plan, Roster
from schedules import Rule, drawn, first_wins, higher_wins, lower_wins, of, only, play, void


@pytest.mark.parametrize("players", range(2, 7))
def test_default_rounds_put_every_player_in_its_place(players: int) -> None:
    """From any order of the seeds, if the stronger one always wins; no round is superfluous."""
    rounds = []
    for strength in permutations(range(players)):

        def stronger_wins(key: GameKey, strength: tuple[int, ...] = strength) -> int:
            return 2 if strength[key.first] > strength[key.second] else 0

        outcome = play("ladder", of(players), stronger_wins)
        rounds.append(len(outcome.rounds))
        assert [strength[player] for player in outcome.ranking] == [*range(players)][::-1]
    assert set(rounds) == {players}


def test_default_ladder_knows_how_many_games_follow() -> None:
    """After each round, until none does."""
    outcome = play("ladder", of(5), drawn)
    games = [len(one.games) for one in outcome.rounds]
    assert [one.to_come for one in outcome.rounds] == [
        sum(games[nth:]) for nth in range(1, len(games) + 1)
    ]


def test_default_ladder_ends_with_the_openings() -> None:
    """Where there are fewer of them than rounds, with the ranking that was reached."""
    outcome = play("ladder", Plan(Roster.of(5), only(3)), lower_wins)
    assert [one.games[0].opening for one in outcome.rounds] == ["1", "2", "3"]
    assert outcome.rounds[-1].to_come == 0
    assert outcome.ranking == (0, 1, 2, 3, 4)


def test_ladder_without_any_opening_is_refused() -> None:
    """No round could be played."""
    with pytest.raises(OutOfOpenings):
        play("ladder", Plan(Roster.of(5), only(0)), lower_wins)


@pytest.mark.parametrize(
    ("stored", "rounds"), [(0, 3), (5, 3), (6, 3), (12, 6), (13, 7), (1000, 500)]
)
def test_stored_rounds_beyond_the_default_are_kept(stored: int, rounds: int) -> None:
    """Earlier versions played on for ever: what they stored counts, and its last round ends."""
    plan = of(3)
    plan = replace(plan, roster=replace(plan.roster, stored=stored))
    assert len(play("ladder", plan, higher_wins).rounds) == rounds


def test_new_player_can_climb_to_the_top() -> None:
    """Who joins when the default rounds are over begins at the bottom, and has rounds enough."""
    assert len(play("ladder", of(4), lower_wins).games) == 12

    def fourth_wins(key: GameKey) -> int:
        return {key.first: 2, key.second: 0}.get(4, lower_wins(key))

    outcome = play("ladder", of(4, (12, (0, 1, 2, 3, 4))), fourth_wins)
    assert len(outcome.rounds) == 4 + 5
    assert outcome.ranking == (4, 0, 1, 2, 3)


def test_rounds_that_are_asked_for_are_played_whatever_is_stored() -> None:
    """A longer ladder of before is cut there."""
    plan = of(3, rounds=4)
    plan = replace(plan, roster=replace(plan.roster, stored=100))
    assert len(play("ladder", plan, higher_wins).rounds) == 4


def test_best_player_climbs_the_ladder() -> None:
    """One rung a round, until nobody stands above him; neighbours take turns."""
    outcome = play("ladder", of(4, rounds=6), higher_wins)
    assert [one.ranking for one in outcome.rounds] == [
        (0, 1, 2, 3),
        (1, 0, 3, 2),
        (1, 3, 0, 2),
        (3, 1, 2, 0),
        (3, 2, 1, 0),
        (3, 2, 1, 0),
    ]
    assert [len(one.games) for one in outcome.rounds] == [4, 2, 4, 2, 4, 2]
    assert outcome.ranking == (3, 2, 1, 0)


@pytest.mark.parametrize("rule", [drawn, void, first_wins, lower_wins])
def test_who_does_not_win_stays_below(rule: Rule) -> None:
    """A tie changes nothing on the ladder."""
    assert play("ladder", of(5, rounds=4), rule).ranking == (0, 1, 2, 3, 4)


def test_two_meet_on_the_ladder_in_every_round() -> None:
    """There is no round without games, however long it goes on, and each has a new opening."""
    outcome = play("ladder", of(2, rounds=50), higher_wins)
    assert [len(one.games) for one in outcome.rounds] == [2] * 50
    assert [one.ranking for one in outcome.rounds] == [(0, 1), *[(1, 0)] * 49]
    assert [one.to_come for one in outcome.rounds] == [*range(98, -1, -2)]


def test_ladder_takes_and_loses_players() -> None:
    """New ones stand at the bottom, also who comes back; the last one is not left waiting."""
    changes = (4, (0, 1, 2, 3, 4)), (8, (4, 0, 1, 2)), (12, (3, 4, 2)), (16, (4,))
    outcome = play("ladder", of(4, *changes), lower_wins)
    rankings = [one.ranking for one in outcome.rounds]
    assert rankings == [
        (0, 1, 2, 3),
        (0, 1, 2, 3, 4),
        (0, 1, 2, 4),
        (2, 4, 3),
        (2, 3, 4),
    ]
    assert outcome.ranking == (4,)
