"""Every scheduled game counts exactly once, whatever becomes of those who play it."""

from hypothesis import given
from hypothesis import strategies as st

from protocol.records import GameEnded, VariantRecord
from protocol.variant import STANDARD
from referee.schedule import match
from referee.tournament import ATTEMPTS, Tournament


def ended(number: int) -> GameEnded:
    """A result for a game."""
    return GameEnded(number, "a", "b", "", [], 0, "full board", None, VariantRecord.of(STANDARD))


@given(st.integers(0, 12), st.data())
def test_every_game_is_fixed_once_in_any_order(games, data):
    """Games are issued, fixed and rolled back in any order; in the end each has one result."""
    tournament = Tournament(match(games))
    failures = dict.fromkeys(range(1, games + 1), 0)
    out = []
    while not tournament.is_complete:
        if not out or data.draw(st.booleans(), "issue"):
            pairing = tournament.issue()
            if pairing is not None:
                out.append(pairing.number)
                continue
        number = out.pop(data.draw(st.integers(0, len(out) - 1), "which"))
        if failures[number] < ATTEMPTS - 1 and data.draw(st.booleans(), "fails"):
            failures[number] += 1
            tournament.roll_back(number)
        else:
            tournament.fix(ended(number))
    assert [result.game for result in tournament.results] == list(range(1, games + 1))
    assert tournament.issue() is None


def test_hopeless_game_is_given_up():
    """A game that comes to nothing again and again leaves the tournament incomplete."""
    tournament = Tournament(match(2))
    for _ in range(ATTEMPTS):
        assert tournament.issue().number == 1
        tournament.roll_back(1)
    assert tournament.issue().number == 2
    tournament.fix(ended(2))
    assert tournament.issue() is None
    assert not tournament.is_complete


@given(st.integers(0, 50))
def test_bots_take_turns_in_going_first(games):
    """Each bot goes first in every other game, the first bot in the first."""
    pairings = list(match(games))
    assert [pairing.number for pairing in pairings] == list(range(1, games + 1))
    assert [pairing.first for pairing in pairings] == [number % 2 for number in range(games)]
    assert all(pairing.first + pairing.second == 1 for pairing in pairings)
