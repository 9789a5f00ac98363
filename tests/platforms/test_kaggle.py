"""The exported player in kaggle-environments, against its own agents."""

import pytest
from c4_bot.export.kaggle import submission_text
from platforms import platform

kaggle = platform("kaggle_environments")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the library are not ours

BOARDS = {
    "7x6": {"columns": 7, "rows": 6, "inarow": 4},
    "8x7": {"columns": 8, "rows": 7, "inarow": 4},
    "5x5x3": {"columns": 5, "rows": 5, "inarow": 3},
}


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Return the path of an exported player."""
    path = tmp_path_factory.mktemp("kaggle") / "submission.py"
    path.write_text(submission_text(), encoding="utf-8")
    return str(path)


def played(board, agents, seconds=0.05):
    """Return the environment after a game of two agents."""
    configuration = {**BOARDS[board], "actTimeout": seconds}
    environment = kaggle.make("connectx", configuration=configuration)
    environment.run(agents)
    assert [player.status for player in environment.state] == ["DONE", "DONE"]
    return environment


@pytest.mark.parametrize(
    ("board", "opponent", "seat"),
    [("7x6", "random", 0), ("8x7", "random", 1), ("5x5x3", "negamax", 0), ("5x5x3", "negamax", 1)],
)
def test_player_meets_the_agents_of_kaggle(exported, board, opponent, seat):
    """The player ends each game without a fault, answers with an int, and beats ``random``."""
    agents = [exported, opponent] if seat == 0 else [opponent, exported]
    environment = played(board, agents)
    assert all(type(step[seat].action) is int for step in environment.steps)
    assert opponent != "random" or environment.state[seat].reward == 1


def test_first_player_wins_with_the_book(exported):
    """On 7x6 with enough time, the player that moves first beats the agent that searches."""
    environment = played("7x6", [exported, "negamax"], seconds=2)
    assert environment.state[0].reward == 1


def test_player_against_itself(exported):
    """Two copies in one process play a game to its end."""
    environment = played("7x6", [exported, exported])
    assert len(environment.steps) > 7


def test_overage_time_is_left(exported):
    """At the end of a game, overage time is left."""
    environment = played("7x6", ["negamax", exported])
    assert environment.state[1].observation.remainingOverageTime > 5
