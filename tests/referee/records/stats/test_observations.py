"""Observations are distinct games. Return games form pairs."""

from dataclasses import replace

from c4_protocol.records.events import FaultRecord, GameEnded, VariantRecord
from c4_protocol.rules.variant import Variant
from c4_referee.records.stats.observations import (
    Observations,
    PairFinder,
    distinct_games,
    forfeits,
    games_that_count,
    pair_counts,
    pairs,
    results_by_seat,
)
from games import game_of
from hypothesis import given
from hypothesis import strategies as st


def game(number: int, first: str, second: str, winner: int, moves: str = "", opening: str = ""):
    """Return a game. By default its moves differ from those of all other games."""
    moves = moves or f"{opening}{number:o}"
    return game_of(moves, opening, game=number, first=first, second=second, winner=winner)


any_games = st.lists(
    st.builds(
        lambda first, other, winner, moves, opening, void: replace(
            game(0, first, "abc".replace(first, "")[other], winner, moves, opening),
            ending="void" if void else "line",
        ),
        st.sampled_from("abc"),
        st.integers(0, 1),
        st.integers(0, 2),
        st.sampled_from("1234"),
        st.sampled_from(["", "4"]),
        st.booleans(),
    ),
    max_size=40,
)


def numbered(games: list[GameEnded]) -> list[GameEnded]:
    """Return the games with numbers from 1."""
    return [replace(game, game=number) for number, game in enumerate(games, 1)]


def test_pairs_have_one_opening():
    """A pair has one opening, whenever the return game is played."""
    games = [
        game(1, "a", "b", 1, opening="1"),
        game(2, "b", "a", 1, opening="2"),
        game(3, "a", "b", 1, opening="2"),
        game(4, "b", "a", 1, opening="1"),
    ]
    assert [(one.game, other.game) for one, other in pairs(games)] == [(2, 3), (1, 4)]
    games = [replace(game, winner=winner) for game, winner in zip(games, (1, 2, 0, 1), strict=True)]
    assert [pair_counts(bot, games) for bot in "abc"] == [[0, 0, 1, 1, 0], [0, 1, 1, 0, 0], [0] * 5]
    unknown = [replace(game, moves=None, opening="") for game in games]
    assert len([*pairs(unknown)]) == 2


def test_void_game_costs_one_pair():
    """A void game leaves its partner without a pair if openings differ.

    Without openings, a later game replaces the void game.
    """
    for openings, expected in ((("1", "2"), [(3, 4)]), (("", ""), [(2, 3)])):
        games = [
            game(2 * pair + seat + 1, "ab"[seat], "ba"[seat], 1, opening=opening)
            for pair, opening in enumerate(openings)
            for seat in (0, 1)
        ]
        games[0] = replace(games[0], ending="void")
        assert [(one.game, other.game) for one, other in pairs(games)] == expected


def test_repeated_games_are_one_observation():
    """Repeated games are one observation, so two deterministic bots have only one pair."""
    games = [
        game(2 * pair + seat + 1, "ab"[seat], "ba"[seat], 1, moves="44")
        for pair in range(50)
        for seat in (0, 1)
    ]
    assert len([*distinct_games(games)]) == 2
    assert [(one.game, other.game) for one, other in pairs(games)] == [(1, 2)]


def test_forfeits_are_results():
    """A forfeit counts as a loss, and differs from a won game with the same moves."""
    fault = FaultRecord("a", "late", "forfeit", 0, 0.0, 0.0, "")
    lost = replace(game(1, "a", "b", 2, moves="4"), ending="forfeit", fault=fault)
    games = [lost, game(2, "a", "b", 1, moves="4"), game(3, "b", "a", 2)]
    assert len([*distinct_games(games)]) == 3
    assert pair_counts("a", games) == [0, 0, 1, 0, 0]


def test_variants_are_kept_apart():
    """Games of different variants are neither repetitions nor pairs."""
    games = [game(1, "a", "b", 1, moves="44"), game(2, "b", "a", 1, moves="44")]
    large = [replace(one, variant=VariantRecord.of(Variant(8, 7))) for one in games]
    assert len([*distinct_games([*games, *large] * 2)]) == 4
    assert [*pairs([games[0], large[1], large[0], games[1]])] == [tuple(large[::-1]), tuple(games)]


@given(any_games)
def test_pairs_are_fair(games):
    """No game of a pair is void, repeated or in another pair, and each bot goes first once."""
    games = numbered(games)
    found = [*pairs(games)]
    used = [game.game for pair in found for game in pair]
    assert len(used) == len(set(used))
    for one, other in found:
        assert (one.first, one.second, one.opening) == (other.second, other.first, other.opening)
        assert "void" not in {one.ending, other.ending}
    distinct = [*distinct_games(games_that_count(games))]
    assert {game.game for game in distinct} >= set(used)
    assert len({(game.first, game.second, game.moves, game.winner) for game in distinct}) == len(
        distinct
    )
    alone = [game for game in distinct if game.game not in used]
    waiting = {(game.first, game.second, game.opening) for game in alone}
    assert not any((second, first, opening) in waiting for first, second, opening in waiting)


@given(any_games, st.integers(0, 40))
def test_more_games_change_no_pair(games, played):
    """More games do not change the pairs of earlier games."""
    games = numbered(games)
    early = [*pairs(games[:played])]
    assert [*pairs(games)][: len(early)] == early
    finder = PairFinder()
    assert [pair for game in games if (pair := finder.take(game))] == [*pairs(games)]


def test_results_are_counted_by_seat():
    """Results are counted by the indices of first and second bot. Other bots are left out."""
    games = [game(1, "a", "b", 1), game(2, "b", "a", 0), game(3, "b", "a", 2), game(4, "a", "x", 1)]
    table = results_by_seat(("a", "b"), games)
    assert table.tolist() == [[[0, 0, 0], [1, 0, 0]], [[0, 1, 1], [0, 0, 0]]]


def test_results_of_pairs_have_one_row_each():
    """A row has the bots in the order of the earlier game, and both outcomes from seat 1."""
    games = [game(1, "a", "b", 1), game(2, "b", "a", 0), game(3, "b", "a", 2), game(4, "b", "c", 1),
             game(5, "a", "b", 1), game(6, "c", "b", 2), game(7, "a", "b", 2)]  # fmt: skip
    assert Observations(games).results_of_pairs("ab").tolist() == [[0, 1, 0, 1], [1, 0, 2, 0]]
    assert Observations(games).results_of_pairs("cb").tolist() == [[1, 0, 0, 2]]
    assert Observations().results_of_pairs("ab").shape == (0, 4)


@given(any_games)
def test_games_of_pairs_are_among_the_results(games):
    """No game of a pair is missing in the results of distinct games, which are the observations."""
    distinct, asked = [*distinct_games(games_that_count(games))], Observations()
    assert [game for game in games if asked.take_next(game)] == distinct
    counts = results_by_seat("abc", distinct)
    assert (asked.results_by_seat("abc") == counts).all()
    for one, other, there, back in Observations(games).results_of_pairs("abc"):
        counts[one, other, there] -= 1
        counts[other, one, back] -= 1
    assert (counts >= 0).all()


def test_forfeits_are_counted_by_bot_and_fault():
    """Forfeits are counted by bot and fault."""

    def forfeited(bot: str, fault: str) -> GameEnded:
        record = FaultRecord(bot, fault, "forfeit", 1, 0.0, 0.0, "")
        return replace(game(1, "a", "b", 1), fault=record)

    games = [forfeited("b", "late"), forfeited("a", "late"), forfeited("b", "exited")]
    games += [forfeited("b", "late"), game(5, "a", "b", 1)]
    assert forfeits(games) == {"a": {"late": 1}, "b": {"exited": 1, "late": 2}}
    assert forfeits([]) == {}
