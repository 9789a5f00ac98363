"""Our players in the real ``connect_four_v3`` of PettingZoo."""

import pytest
from c4_bot.adapters.pettingzoo import Policy
from c4_protocol.program.errors import ImpossiblePosition, UsageError
from platforms import columns_by_lines, platform

connect_four = platform("pettingzoo.classic.connect_four.connect_four")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the library are not ours

AGENTS = ("player_0", "player_1")


def play(*policies):
    """Return the columns and the rewards of a game. Each action must be in the mask."""
    env = connect_four.env()
    env.reset(seed=1)
    choose = dict(zip(AGENTS, policies, strict=True))
    columns, rewards = [], dict.fromkeys(AGENTS, 0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        rewards[agent] += reward
        if termination or truncation:
            env.step(None)
            continue
        action = choose[agent](observation, info)
        assert observation["action_mask"][action] == 1
        assert env.action_space(agent).contains(action)
        columns.append(action)
        env.step(action)
    return columns, [rewards[agent] for agent in AGENTS]


@pytest.mark.parametrize("player", ["random", "needed", "perfect", "level-3"])
def test_players_play_to_the_end(player):
    """Every kind of player plays whole games in both seats, and the strong ones win."""
    ours, other = Policy(player, seconds=0.05, seed=1), Policy("random", seed=2)
    _, first = play(ours, other)
    _, second = play(other, ours)
    assert sum(first) == sum(second) == 0
    if player in {"needed", "perfect"}:
        assert (first, second) == ([1, -1], [-1, 1])


def test_moves_are_those_of_the_command():
    """Two deterministic players play the game that they play as programs."""
    columns, _ = play(Policy("needed"), Policy("sequences"))
    assert columns == columns_by_lines("standard", "needed", "sequences")


def test_one_policy_plays_both_agents():
    """A policy remembers no game, so it plays both sides of many games."""
    policy = Policy("windows")
    assert play(policy, policy) == play(policy, policy)


def test_array_alone_is_enough():
    """The array can be passed without the mapping in which the environment returns it."""
    env = connect_four.env()
    env.reset()
    observation = env.last()[0]
    policy = Policy("needed")
    assert policy(observation) == policy(observation["observation"]) == 3


def test_agent_that_is_not_to_move_is_refused():
    """The observation of the agent that is not to move is an error."""
    env = connect_four.env()
    env.reset()
    env.step(3)
    with pytest.raises(ImpossiblePosition):
        Policy("needed")(env.observe("player_0"))


def test_unknown_player_is_refused():
    """A policy for an unknown player is not made."""
    with pytest.raises(UsageError, match="nobody"):
        Policy("nobody")
