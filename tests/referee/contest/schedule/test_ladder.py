"""Ladders: winners from below climb. The default is as many rounds as players."""

from itertools import permutations

import pytest
from c4_protocol.program.errors import OutOfOpenings
from c4_referee.contest.schedule import Plan
from c4_referee.records.rounds import GameKey, Roster
from schedules import lower_wins, of, only, play


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
