"""Our environment for the real Gymnasium."""

import sys
import warnings
from importlib import import_module

import numpy as np
import pytest
from c4_bot.adapters.pettingzoo import Policy
from c4_protocol.program.errors import IllegalMove, UsageError, VariantError
from platforms import columns_by_lines, platform

gymnasium = platform("gymnasium")
check_env = platform("gymnasium.utils.env_checker").check_env
ours = import_module("c4_bot.adapters.gymnasium")

SEEDS = range(6)


def leftmost(board):
    """Play the leftmost column that has room."""
    return board.legal_moves[0]


def play(env, choose, seed=None):
    """Return the columns that the agent played, its last reward and the last ``info``."""
    observation, info = env.reset(seed=seed)
    columns, reward, is_over = [], 0.0, False
    while not is_over:
        assert reward == 0
        assert env.observation_space.contains(observation)
        columns.append(choose(observation))
        assert info["action_mask"][columns[-1]] == 1
        observation, reward, is_over, is_cut, info = env.step(columns[-1])
        assert not is_cut
    return columns, reward, info


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"seat": 1},
        {"seat": 2, "opponent": "needed"},
        {"opponent": "level-2", "seconds": 0.02},
        {"opponent": leftmost, "variant": "5x4x3"},
        {"opponent": "perfect", "depth": 2, "variant": "8x7"},
    ],
)
def test_gymnasium_accepts_the_environment(settings):
    """Gymnasium's checker finds no error and gives no warning."""
    env = gymnasium.make(ours.ENVIRONMENT_ID, render_mode="ansi", **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_name_of_the_module_is_enough():
    """Gymnasium imports the module that stands before the name of the environment."""
    env = gymnasium.make(f"{ours.__name__}:{ours.ENVIRONMENT_ID}", opponent="needed")
    assert isinstance(env.unwrapped, ours.ConnectFourEnv)


@pytest.mark.parametrize("variant", ["standard", "5x4x3", "8x7"])
def test_spaces_have_the_size_of_the_board(variant):
    """Observations have rows and columns, and an action is a column."""
    env = ours.ConnectFourEnv(variant=variant)
    observation, info = env.reset()
    rules = env.board.variant
    assert observation.shape == (rules.height, rules.width, 2)
    assert env.action_space.n == rules.width == len(info["action_mask"])


@pytest.mark.parametrize("seat", [1, 2])
def test_moves_are_those_of_the_commands(seat):
    """Two deterministic players play the game that they play as programs."""
    names = ["needed", "sequences"]
    agent, opponent = (names[seat - 1], names[2 - seat])
    env = ours.ConnectFourEnv(opponent, seat=seat)
    columns, reward, info = play(env, Policy(agent))
    expected = columns_by_lines("standard", *names)
    assert columns == expected[seat - 1 :: 2]
    assert [int(name) - 1 for name in env.board.move_string] == expected
    assert reward == {0: 0, seat: 1}.get(env.board.winner, -1)
    assert info["seat"] == seat


def test_rewards_are_those_of_the_agent():
    """A win is 1, a loss is -1, in both seats."""
    for seat in (1, 2):
        better = ours.ConnectFourEnv("perfect", seat=seat, seconds=0.05)
        assert play(better, Policy("random", seed=1))[1] == -1
        worse = ours.ConnectFourEnv(leftmost, seat=seat)
        assert play(worse, Policy("needed"))[1] == 1


def test_draw_has_no_reward():
    """A full board without a line ends the episode with reward 0."""
    env = ours.ConnectFourEnv(leftmost, variant="2x2x3", seat=1)
    assert play(env, Policy("random"))[1] == 0


@pytest.mark.parametrize("action", [3, np.int64(3), -1, 7, 2.0, np.float32(2), np.array([2]), "2"])
def test_illegal_move_loses(action):
    """A full column, a column off the board and no whole number end the episode, with no stone."""
    env = ours.ConnectFourEnv(lambda board: 3, seat=1)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(3)
    env.reset()
    for _ in range(3):
        env.step(3)
    before = env.board
    observation, reward, is_over, is_cut, info = env.step(action)
    assert (reward, is_over, is_cut, info["illegal_move"]) == (-1, True, False, True)
    assert env.board == before
    assert not info["action_mask"].any()
    assert not env.action_masks().any()
    assert env.observation_space.contains(observation)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset()
    assert env.step(0)[1:3] == (0, False)


def test_seat_is_drawn_by_the_seed():
    """Without a fixed seat each episode draws one, and the same seed draws the same."""
    env = ours.ConnectFourEnv()

    def seats(seed):
        return [env.reset(seed=seed)[1]["seat"], *(env.reset()[1]["seat"] for _ in range(20))]

    drawn = [seats(seed) for seed in (5, 5, 6)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert set(drawn[0]) == {1, 2}


def test_seed_repeats_a_random_opponent():
    """With the same seed, an opponent that plays at random plays the same games."""
    env = ours.ConnectFourEnv("random")

    def games(seed):
        first = play(env, Policy("needed"), seed)
        return [first[:2], *(play(env, Policy("needed"))[:2] for _ in range(3))]

    assert games(1) == games(1) != games(2)


def test_masks_are_those_of_the_board():
    """Both masks name the legal moves, and actions that they draw are legal."""
    env = ours.ConnectFourEnv("random", variant="4x3x3")
    for seed in SEEDS:
        _, info = env.reset(seed=seed)
        env.action_space.seed(seed)
        is_over = False
        while not is_over:
            mask = info["action_mask"]
            assert (env.action_masks() == mask).all()
            assert np.flatnonzero(mask).tolist() == env.board.legal_moves
            _, _, is_over, _, info = env.step(env.action_space.sample(mask))
        assert "illegal_move" not in info


def test_board_is_rendered_as_text():
    """The mode "ansi" is the text of the board; without a mode nothing is rendered."""
    env = ours.ConnectFourEnv(leftmost, seat=1, render_mode="ansi")
    env.reset()
    env.step(6)
    assert env.render().splitlines()[5:] == [
        "O . . . . . X",
        "0 1 2 3 4 5 6  (from 0)",
        "player 1 (X) to move",
    ]
    assert ours.ConnectFourEnv().render() is None


def test_several_environments_at_once():
    """Gymnasium's vectors of environments work, and each environment draws its own seats."""
    envs = gymnasium.make_vec(ours.ENVIRONMENT_ID, num_envs=8, opponent="random")
    observations, info = envs.reset(seed=1)
    assert observations.shape == (8, 6, 7, 2)
    assert set(info["seat"]) == {1, 2}
    for _ in range(30):
        envs.step(envs.action_space.sample())
    envs.close()


def test_illegal_move_of_a_function_is_an_error():
    """A mistake of an opponent that the user wrote is not a win."""
    env = ours.ConnectFourEnv(lambda board: 9, seat=2)
    with pytest.raises(IllegalMove):
        env.reset()
    env = ours.ConnectFourEnv(lambda board: 9, seat=1)
    env.reset()
    with pytest.raises(IllegalMove):
        env.step(3)
    with pytest.raises(gymnasium.error.ResetNeeded):  # the agent does not move for the opponent
        env.step(3)


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"opponent": "nobody"}, UsageError),
        ({"seat": 3}, UsageError),
        ({"depth": 0}, UsageError),
        ({"variant": "line8"}, VariantError),
        ({"variant": "codingame"}, VariantError),
        ({"opponent": "blocker"}, VariantError),
    ],
)
def test_mistakes_are_refused(settings, error):
    """Unknown players, seats and games are refused when the environment is made."""
    with pytest.raises(error):
        ours.ConnectFourEnv(**settings)


def test_missing_library_is_named_with_its_extra(monkeypatch):
    """Without the library, the error says how to install it."""
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "c4_bot.adapters.gymnasium")
    with pytest.raises(ImportError, match=r"pip install 'c4-arena\[gymnasium\]'"):
        import_module("c4_bot.adapters.gymnasium")
