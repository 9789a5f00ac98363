"""Our players in the real ``connectx`` of kaggle-environments."""

import pytest
from c4_bot.adapters.kaggle import Agent
from platforms import columns_by_lines, platform

kaggle = platform("kaggle_environments")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the library are not ours

BOARDS = {
    "7x6": {"columns": 7, "rows": 6, "inarow": 4},
    "8x7": {"columns": 8, "rows": 7, "inarow": 4},
    "5x5x3": {"columns": 5, "rows": 5, "inarow": 3},
}


def played(board, *agents):
    """Return the environment after a game of two agents, which have a minute for each move."""
    configuration = {**BOARDS[board], "actTimeout": 60}
    environment = kaggle.make("connectx", configuration=configuration)
    environment.run([*agents])
    assert [player.status for player in environment.state] == ["DONE", "DONE"]
    return environment


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("board", "opponent"), [("7x6", "negamax"), ("8x7", "random")])
def test_player_beats_the_agents_of_kaggle(board, opponent, seat):
    """The player answers with an int, and wins in both seats."""
    ours = Agent("needed", depth=6)
    agents = [ours, opponent] if seat == 0 else [opponent, ours]
    environment = played(board, *agents)
    assert all(type(step[seat].action) is int for step in environment.steps)
    assert environment.state[seat].reward == 1


def test_moves_are_those_of_the_command():
    """Two deterministic players play the game that they play as programs."""
    steps = played("7x6", Agent("needed"), Agent("sequences")).steps
    columns = [step[ply % 2].action for ply, step in enumerate(steps[1:])]
    assert columns == columns_by_lines("standard", "needed", "sequences")


def test_one_agent_plays_both_seats():
    """An agent remembers no game, so it plays both sides of many games, on any board."""
    agent = Agent("windows", depth=3)
    first, second = (played("5x5x3", agent, agent).steps for _ in range(2))
    assert [step[0].observation.board for step in first] == [
        step[0].observation.board for step in second
    ]


def test_overage_time_is_left():
    """At the end of a game of a player that thinks as long as it may, overage time is left."""
    environment = kaggle.make("connectx", configuration={"actTimeout": 1})
    environment.run([Agent("strong"), "random"])
    assert environment.state[0].observation.remainingOverageTime > 5
