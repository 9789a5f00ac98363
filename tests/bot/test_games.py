"""Games in the core: those that the Python plays, whatever finds their moves."""

import random

import pytest
from c4_bot import native, registry
from c4_bot.games import play_game, play_games
from c4_protocol.errors import IllegalMove, NotationError, UsageError
from c4_protocol.notation import cells_from_moves, moves_text
from c4_protocol.position import Position
from c4_protocol.variant import STANDARD, Variant
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("c4_bot._core")

PLAYERS = ("sequences", "windows", "needed")
weights = st.tuples(*[st.integers(0, 9)] * 3)  # small ones: equal moves are what may go wrong
variants = st.sampled_from((STANDARD, Variant(5, 4), Variant(4, 5, 3), Variant(8, 7, 5)))


def some_moves(variant: Variant, plies: int, seed: int) -> str:
    """Random moves of a game that is not over after them."""
    draw, position, cells = random.Random(seed), Position(variant), []
    for _ in range(plies):
        cell = draw.choice(position.moves)
        if position.play(cell).is_over:
            break
        cells.append(cell)
        position = position.play(cell)
    return moves_text(variant, cells)


@given(weights, weights, variants, st.integers(1, 3), st.booleans(), st.data())
@settings(max_examples=60, deadline=None)
def test_core_plays_the_same_games(one, other, variant, depth, faithful, data) -> None:
    """Alpha-beta in the core picks plain minimax's move in every position of a game."""
    opening = some_moves(variant, data.draw(st.integers(0, 8)), data.draw(st.integers(0, 999)))
    terms = {"depth": depth, "faithful": faithful}
    entrants = [("sequences", {"weights": w, **terms}) for w in (one, other)]
    (game,) = play_games(entrants, [(0, 1, opening)], variant)
    players = [registry.build(*entrant) for entrant in entrants]
    told = play_game(*players, cells_from_moves(opening, variant), variant)
    assert (game.moves, game.winner) == (told.moves, told.winner)
    assert game.positions <= told.positions


@pytest.mark.parametrize("one", PLAYERS)
@pytest.mark.parametrize("other", PLAYERS)
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_core_plays_as_every_player(one, other, depth) -> None:
    """Players with other evaluations and tie rules, and who begin in the centre, play alike."""
    entrants = [(one, {"depth": depth}), (other, {"depth": depth})]
    openings = ["", *(some_moves(STANDARD, plies, plies) for plies in (1, 6, 11))]
    games = play_games(entrants, [(0, 1, opening) for opening in openings])
    players = [registry.build(*entrant) for entrant in entrants]
    for opening, game in zip(openings, games, strict=True):
        assert game[:2] == play_game(*players, cells_from_moves(opening, STANDARD))[:2]


def test_threads_change_nothing() -> None:
    """Games come in the order they were asked for, however many are played at once."""
    entrants = [("sequences", {"weights": (n, 9 - n, n * n)}) for n in range(8)]
    fixtures = [(one, other, "") for one in range(8) for other in range(8) if one != other]
    alone = play_games(entrants, fixtures)
    assert play_games(entrants, fixtures, threads=5) == alone
    assert play_games(entrants, fixtures[:1]) == alone[:1]


def test_without_a_core_the_games_are_the_same(monkeypatch) -> None:
    """The specification plays where there is no twin."""
    entrants = [("sequences", {"depth": 2}), ("windows", {"depth": 2})]
    (fast,) = play_games(entrants, [(0, 1, "44")])
    monkeypatch.setattr("c4_bot.games.available", lambda: False)
    monkeypatch.setattr(native, "available", lambda: False)
    (slow,) = play_games(entrants, [(0, 1, "44")])
    assert (slow.moves, slow.winner) == (fast.moves, fast.winner)


def test_those_whom_the_core_cannot_play_are_played() -> None:
    """A player that draws lots, and one that searches on after wins, play in Python."""
    entrants = [("random", {"seed": 1}), ("windows", {"depth": 1, "faithful": True})]
    (game,) = play_games(entrants, [(0, 1, "")])
    assert game.winner in (0, 1, 2)
    assert len(game.moves) >= 7


@pytest.mark.parametrize(
    ("entrant", "opening", "error"),
    [
        (("nobody", {}), "", UsageError),
        (("sequences", {"height": 3}), "", UsageError),
        (("sequences", {"depth": 0}), "", UsageError),
        (("sequences", {}), "8", IllegalMove),
        (("sequences", {}), "_", NotationError),
    ],
)
def test_what_cannot_be_played_is_refused(entrant, opening, error) -> None:
    """Unknown players, parameters and openings are told in one line."""
    with pytest.raises(error):
        play_games([entrant], [(0, 0, opening)])
