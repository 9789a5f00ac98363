"""Games between players: the core plays the same games as Python."""

import random

import pytest
from c4_bot import native
from c4_bot.player import registry
from c4_bot.training.games import play_games, self_play
from c4_protocol.program.errors import IllegalMove, NotationError, UsageError
from c4_protocol.rules.notation import cells_from_moves, moves_text
from c4_protocol.rules.variant import STANDARD, Variant
from effort import examples
from hypothesis import given
from hypothesis import strategies as st
from random_play import random_position

pytest.importorskip("c4_bot._core")

PLAYERS = ("sequences", "windows", "needed")
weights = st.tuples(*[st.integers(0, 9)] * 3)  # small weights, so that many moves have equal scores
variants = st.sampled_from(
    (STANDARD, Variant(5, 4), Variant(4, 5, 3), Variant(8, 7, 5), Variant(5, 4, steal=True))
)


@given(weights, weights, variants, st.integers(1, 3), st.booleans(), st.data())
@examples(60)
def test_core_plays_the_same_games(one, other, variant, depth, faithful, data) -> None:
    """Alpha-beta in the core finds the move of plain minimax in every position of a game."""
    plies, draw = data.draw(st.integers(0, 8)), random.Random(data.draw(st.integers(0, 999)))
    opening = moves_text(variant, random_position(variant, plies, draw)[1])
    parameters = {"depth": depth, "faithful": faithful}
    setups = [("sequences", {"weights": w, **parameters}) for w in (one, other)]
    (game,) = play_games(setups, [(0, 1, opening)], variant)
    players = [registry.build_player(*setup) for setup in setups]
    expected = self_play(*players, cells_from_moves(opening, variant), variant)
    assert (game.moves, game.winner) == (expected.moves, expected.winner)
    assert game.positions <= expected.positions


@pytest.mark.parametrize("one", PLAYERS)
@pytest.mark.parametrize("other", PLAYERS)
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_core_plays_as_every_player(one, other, depth) -> None:
    """The core agrees with Python for every two players, at several depths and openings."""
    setups = [(one, {"depth": depth}), (other, {"depth": depth})]
    games = [random_position(STANDARD, plies, random.Random(plies)) for plies in (0, 1, 6, 11)]
    openings = [moves_text(STANDARD, cells) for _, cells in games]
    games = play_games(setups, [(0, 1, opening) for opening in openings])
    players = [registry.build_player(*setup) for setup in setups]
    for opening, game in zip(openings, games, strict=True):
        assert game[:2] == self_play(*players, cells_from_moves(opening, STANDARD))[:2]


def test_threads_change_nothing() -> None:
    """For any number of threads, the games are the same and in the order of the fixtures."""
    setups = [("sequences", {"weights": (n, 9 - n, n * n)}) for n in range(8)]
    fixtures = [(one, other, "") for one in range(8) for other in range(8) if one != other]
    alone = play_games(setups, fixtures)
    assert play_games(setups, fixtures, threads=5) == alone
    assert play_games(setups, fixtures[:1]) == alone[:1]


def test_without_a_core_the_games_are_the_same(monkeypatch) -> None:
    """Without a core, Python plays the same games."""
    setups = [("sequences", {"depth": 2}), ("windows", {"depth": 2})]
    (fast,) = play_games(setups, [(0, 1, "44")])
    monkeypatch.setattr("c4_bot.training.games.is_core_available", lambda: False)
    monkeypatch.setattr(native, "is_core_available", lambda: False)
    (slow,) = play_games(setups, [(0, 1, "44")])
    assert (slow.moves, slow.winner) == (fast.moves, fast.winner)


def test_players_without_a_place_in_the_core_play() -> None:
    """Players that the core does not support play in Python.

    They are a player that chooses at random, and one that searches on after wins.
    """
    setups = [("random", {"seed": 1}), ("windows", {"depth": 1, "faithful": True})]
    (game,) = play_games(setups, [(0, 1, "")])
    assert game.winner in (0, 1, 2)
    assert len(game.moves) >= 7


@pytest.mark.parametrize(
    ("setup", "opening", "error"),
    [
        (("nobody", {}), "", UsageError),
        (("sequences", {"height": 3}), "", UsageError),
        (("sequences", {"depth": 0}), "", UsageError),
        (("sequences", {}), "8", IllegalMove),
        (("sequences", {}), "_", NotationError),
    ],
)
def test_impossible_game_is_refused(setup, opening, error) -> None:
    """Unknown players, unknown parameters and impossible openings raise errors."""
    with pytest.raises(error):
        play_games([setup], [(0, 0, opening)])
