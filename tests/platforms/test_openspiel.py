"""Our players in the real ``connect_four`` of OpenSpiel."""

import sys
from importlib import import_module

import numpy as np
import pytest
from c4_protocol.program.errors import ImpossiblePosition, UsageError, VariantError
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant
from platforms import columns_by_lines, platform

pyspiel = platform("pyspiel")
uniform_random = platform("open_spiel.python.bots.uniform_random")
openspiel = import_module("c4_bot.adapters.openspiel")

SIZES = ("standard", "5x4x3", "8x7", "6x9x5", "4x5")


def game_of(variant):
    """Return the game of this variant."""
    size = Variant.parse(variant)
    given = f"rows={size.height},columns={size.width},x_in_row={size.connect}"
    return pyspiel.load_game(f"connect_four({given})")


def columns_of_bots(game, *bots):
    """Return the columns and the returns of a game."""
    state = game.new_initial_state()
    while not state.is_terminal():
        action = bots[state.current_player()].step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    return state.history(), state.returns()


@pytest.mark.parametrize("variant", SIZES)
def test_bots_play_to_the_end(variant):
    """OpenSpiel's own loop plays games of our bot and its random bot, in both seats."""
    game = game_of(variant)
    ours = openspiel.Bot("strong", seconds=0.05)
    for seat in (0, 1):
        bots = [uniform_random.UniformRandomBot(1 - seat, np.random.RandomState(3))]
        bots.insert(seat, ours)
        returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 7)
        assert sum(returns) == 0
        assert returns[seat] >= 0


@pytest.mark.parametrize("variant", SIZES)
def test_moves_are_those_of_the_command(variant):
    """Two deterministic players play the game that they play as programs, on every board."""
    bots = [openspiel.Bot(name) for name in ("needed", "sequences")]
    columns, _ = columns_of_bots(game_of(variant), *bots)
    assert columns == columns_by_lines(variant, "needed", "sequences")


def test_position_is_that_of_the_state():
    """Each state of a game gives the same position as its moves."""
    state, position = game_of("5x4x3").new_initial_state(), Position(Variant(5, 4, 3))
    for action in (2, 2, 2, 2, 0, 4):
        assert openspiel.position_of(state) == position
        state.apply_action(action)
        position = position.play(position.check(action))
    assert openspiel.position_of(state) == position


def test_policy_gives_all_legal_actions_a_probability():
    """The move of the player has probability 1, the other legal actions 0, full columns none."""
    game = game_of("5x4x3")
    policy = openspiel.Policy(game, "needed")
    state = game.new_initial_state()
    for action in (2, 2, 2, 2):
        state.apply_action(action)
    probabilities = policy.action_probabilities(state)
    assert list(probabilities) == state.legal_actions() == [0, 1, 3, 4]
    assert sorted(probabilities.values()) == [0, 0, 0, 1]
    assert policy(state) == probabilities
    assert probabilities[policy.sample_action(state)] == 1
    assert policy.player_ids == [0, 1]


def test_policy_plays_as_the_bot():
    """Policy and bot choose the same moves."""
    game = game_of("standard")
    policy, bot = openspiel.Policy(game, "windows"), openspiel.Bot("windows")
    state = game.new_initial_state()
    while not state.is_terminal():
        action = bot.step(state)
        assert policy.action_probabilities(state)[action] == 1
        state.apply_action(action)


def test_bot_can_begin_in_any_state():
    """OpenSpiel's calls between games change nothing."""
    state = game_of("standard").new_initial_state()
    state.apply_action(3)
    bot = openspiel.Bot("needed")
    first = bot.step(state)
    bot.inform_action(state, 1, first)
    bot.restart()
    bot.restart_at(state)
    assert bot.step(state) == first


def test_end_of_a_game_has_no_move():
    """A question about a game that is over is refused with the reason."""
    state = game_of("standard").new_initial_state()
    for action in (0, 1, 0, 1, 0, 1, 0):
        state.apply_action(action)
    with pytest.raises(ImpossiblePosition, match="the game is over"):
        openspiel.Bot("random").step(state)


def test_mistakes_are_refused():
    """An unknown player and a game that we do not know are errors."""
    with pytest.raises(UsageError, match="nobody"):
        openspiel.Bot("nobody")
    with pytest.raises(VariantError, match="blocker"):
        openspiel.Policy(pyspiel.load_game("connect_four"), "blocker")
    with pytest.raises(VariantError):
        openspiel.Policy(pyspiel.load_game("connect_four(x_in_row=1)"))
    with pytest.raises(VariantError, match="not tic_tac_toe"):
        openspiel.Policy(pyspiel.load_game("tic_tac_toe"))


def test_missing_library_is_named_with_its_extra(monkeypatch):
    """Without the library, the error says how to install it."""
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "c4_bot.adapters.openspiel")
    with pytest.raises(ImportError, match=r"pip install 'c4-arena\[openspiel\]'"):
        import_module("c4_bot.adapters.openspiel")
