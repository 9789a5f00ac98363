"""A player that forfeits all of its first games by the same fault gives up."""

import pytest
from c4_protocol.records.events import FaultRecord
from c4_referee.contest.play.first_games import FirstGames
from c4_referee.contest.play.tournament import Tournament
from c4_referee.contest.schedule import Plan, repetition_of_empty_board, system
from c4_referee.records.rounds import GameKey, Pairing, Roster
from kept import record

GAMES = [Pairing(number, GameKey(0, opponent)) for number, opponent in enumerate((1, 2, 3, 1), 1)]


def lost(pairing: Pairing, loser: int, fault: str = "late", policy: str = "forfeit"):
    """Return the result of a game that a player forfeits."""
    seat = pairing.players.index(loser)
    bots = ("a", "b")
    what = FaultRecord(bots[seat], fault, policy, 0, 1.0, 0.0, "")
    return record(pairing.number, winner=2 - seat, ending="forfeit", fault=what)


def ends(*results) -> list[int | None]:
    """Return who gives up after each of the results, which are in the order of their arrival."""
    first = FirstGames(3)
    first.add(GAMES)
    return [first.note_end(GAMES[result.game - 1], result) for result in results]


def test_player_gives_up_after_the_same_fault_in_its_first_games():
    """The last of the first three games decides, in whatever order they end."""
    games = [lost(game, 0) for game in GAMES]
    assert ends(*games[:3]) == [None, None, 0]
    assert ends(games[2], games[3], games[0], games[1]) == [None, None, None, 0]


@pytest.mark.parametrize(
    "other",
    [
        lost(GAMES[1], 0, fault="exited"),
        lost(GAMES[1], 2),
        lost(GAMES[1], 0, policy="bar"),
        record(2, winner=1, ending="line"),
        record(2, ending="void"),
    ],
    ids=["other fault", "opponent", "barred", "won", "void"],
)
def test_player_stays_if_one_of_its_first_games_ended_otherwise(other):
    """Another fault, a fault of the opponent or a game without a fault is enough to stay."""
    assert ends(lost(GAMES[0], 0), other, lost(GAMES[2], 0), lost(GAMES[3], 0)) == [None] * 4


def test_later_games_wait_for_the_first_ones():
    """After a fault in a first game, games after the first three wait until these have ended."""
    first = FirstGames(3)
    first.add(GAMES)
    assert not first.must_wait(GAMES[3])
    first.note_end(GAMES[0], lost(GAMES[0], 0))
    assert [first.must_wait(game) for game in GAMES] == [False, False, False, True]
    first.note_end(GAMES[1], None)
    assert not first.must_wait(GAMES[3])


def test_without_a_limit_nobody_gives_up():
    """With a limit of 0, no game is held, and nobody gives up."""
    first = FirstGames(0)
    first.add(GAMES)
    assert [first.note_end(game, lost(game, 0)) for game in GAMES] == [None] * 4
    assert not any(map(first.must_wait, GAMES))


@pytest.mark.parametrize("name", ["round-robin", "swiss", "knockout", "ladder"])
@pytest.mark.parametrize("slots", [1, 2, 5])
def test_games_of_a_player_who_gives_up_count_for_nobody(name, slots):
    """Player 2 forfeits all its games. Three are played, whatever the number of slots, up to it."""

    def run(results):
        roster = Roster.of(4)
        schedule = system(name).schedule(
            Plan(roster, repetition_of_empty_board, None if name == "knockout" else 2, 2)
        )
        return Tournament(schedule, results, give_up=3, gone=roster.gone)

    tournament, stored, issued = run({}), {}, []
    while True:
        while len(issued) < slots and (pairing := tournament.issue()):
            issued.append(pairing)
        if not issued:
            break
        pairing = issued.pop(0)
        won = record(pairing.number, winner=1 + (pairing.first > pairing.second), ending="line")
        stored[pairing.key] = lost(pairing, 2) if 2 in pairing.players else won
        tournament.store_result(stored[pairing.key])
    assert tournament.is_complete
    assert [*tournament.gave_up] == [2]
    assert 3 <= len(tournament.dropped) <= max(3, slots)
    assert not any("late" in str(game.fault) for game in tournament.results)
    assert tournament.scheduled == tournament.done == len(stored) - len(tournament.dropped)
    again = run(stored)
    assert again.is_complete
    assert (again.results, again.ranking) == (tournament.results, tournament.ranking)
