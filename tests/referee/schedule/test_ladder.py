"""Ladders: winners from below climb. The default is as many rounds as players."""

from dataclasses import replace
from itertools import permutations

import pytest
from c4_protocol.program.errors import OutOfOpenings
from c4_referee.schedule import GameKey, Plan, Roster
from schedules import Rule, drawn, first_wins, higher_wins, lower_wins, of, only, play, void


@pytest.mark.parametrize("players", range(2, 7))
def test_default_rounds_put_every_player_in_its_place(players: int) -> None:
    """If the stronger player always wins, the default rounds sort any order of seeds.

    The number of rounds is always the number of players.
    """
    rounds = []
    for strength in permutations(range(players)):

        def stronger_wins(key: GameKey, strength: tuple[int, ...] = strength) -> int:
            return 2 if strength[key.first] > strength[key.second] else 0

        outcome = play("ladder", of(players), stronger_wins)
        rounds.append(len(outcome.rounds))
        assert [strength[player] for player in outcome.ranking] == [*range(players)][::-1]
    assert set(rounds) == {players}


def test_default_ladder_ends_with_the_openings() -> None:
    """A default ladder with fewer openings than rounds ends after the last opening."""
    outcome = play("ladder", Plan(Roster.of(5), only(3)), lower_wins)
    assert [one.games[0].opening for one in outcome.rounds] == ["1", "2", "3"]
    assert outcome.rounds[-1].to_come == 0
    assert outcome.ranking == (0, 1, 2, 3, 4)


def test_ladder_without_any_opening_is_refused() -> None:
    """A ladder without any opening is refused."""
    with pytest.raises(OutOfOpenings):
        play("ladder", Plan(Roster.of(5), only(0)), lower_wins)


@pytest.mark.parametrize(
    ("stored", "rounds"), [(0, 3), (5, 3), (6, 3), (12, 6), (13, 7), (1000, 500)]
)
def test_stored_rounds_beyond_the_default_are_kept(stored: int, rounds: int) -> None:
    """Stored rounds beyond the default count, and the last of them is finished.

    Earlier versions had no default number of rounds, so they could store more rounds.
    """
    plan = of(3)
    plan = replace(plan, roster=replace(plan.roster, stored=stored))
    assert len(play("ladder", plan, higher_wins).rounds) == rounds


def test_new_player_can_climb_to_the_top() -> None:
    """A player who joins after the default rounds begins at the bottom and can reach the top."""
    assert len(play("ladder", of(4), lower_wins).games) == 12

    def fourth_wins(key: GameKey) -> int:
        return {key.first: 2, key.second: 0}.get(4, lower_wins(key))

    outcome = play("ladder", of(4, (12, (0, 1, 2, 3, 4))), fourth_wins)
    assert len(outcome.rounds) == 4 + 5
    assert outcome.ranking == (4, 0, 1, 2, 3)


def test_explicit_rounds_do_not_depend_on_stored_games() -> None:
    """A ladder with explicit rounds has exactly these, even if more games are stored."""
    plan = of(3, rounds=4)
    plan = replace(plan, roster=replace(plan.roster, stored=100))
    assert len(play("ladder", plan, higher_wins).rounds) == 4


def test_best_player_climbs_the_ladder() -> None:
    """The best player climbs one place in each round. Odd and even rounds have different pairs."""
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
def test_player_who_does_not_win_stays_below(rule: Rule) -> None:
    """A tie, like a loss, leaves the ladder unchanged."""
    assert play("ladder", of(5, rounds=4), rule).ranking == (0, 1, 2, 3, 4)


def test_two_meet_on_the_ladder_in_every_round() -> None:
    """On a ladder of two, the players meet in every round, each time with a new opening."""
    outcome = play("ladder", of(2, rounds=50), higher_wins)
    assert [len(one.games) for one in outcome.rounds] == [2] * 50
    assert [one.ranking for one in outcome.rounds] == [(0, 1), *[(1, 0)] * 49]
    assert [one.to_come for one in outcome.rounds] == [*range(98, -1, -2)]


def test_ladder_takes_and_loses_players() -> None:
    """New and returning players stand at the bottom. With one player left, the ladder ends."""
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
