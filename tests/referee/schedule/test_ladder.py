"""Ladders: winners from below climb. The default is as many rounds as players."""

from dataclasses import replace
from itertools import permutations

import pytest
from c4_protocol.program.errors import OutOfOpenings
from c4_referee.schedule import GameKey, Plan, Roster
from schedules import higher_wins, lower_wins, of, only, play


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


def test_explicit_rounds_do_not_depend_on_stored_games() -> None:
    """A ladder with explicit rounds has exactly these, even if more games are stored."""
    plan = of(3, rounds=4)
    plan = replace(plan, roster=replace(plan.roster, stored=100))
    assert len(play("ladder", plan, higher_wins).rounds) == 4
