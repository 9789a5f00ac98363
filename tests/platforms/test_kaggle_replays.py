"""Replays that kaggle-environments writes are read as the games that it has played."""

import json

import pytest
from c4_protocol.rules.notation import grid_of, position_from_moves
from c4_protocol.rules.variant import Variant
from c4_referee.records.storage.imported import imported_game
from platforms import platform
from result_files import read

kaggle = platform("kaggle_environments")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the library are not ours


def wrong(_observation, _configuration):
    """Play in a column that does not exist."""
    return 99


def broken(_observation, _configuration):
    """Fail."""
    raise ValueError


def played(first, second, board=(7, 6, 4)):
    """Return the replay of a game of two agents."""
    columns, rows, inarow = board
    settings = {"columns": columns, "rows": rows, "inarow": inarow}
    environment = kaggle.make("connectx", configuration=settings)
    environment.run([first, second])
    return environment.toJSON()


@pytest.mark.parametrize(
    ("agents", "board", "indent"),
    [
        (("negamax", "random"), (7, 6, 4), 2),
        (("random", "random"), (8, 7, 4), None),
        (("random", "negamax"), (5, 5, 3), None),
    ],
    ids=str,
)
def test_replay_of_a_game_is_read(tmp_path, agents, board, indent):
    """The moves lead to the last board of the replay, and its rewards are the result."""
    replay = played(*agents, board)
    (found,) = read(tmp_path, json.dumps(replay, indent=indent))
    game = imported_game(1, found)
    variant = Variant(*board)
    assert game.variant.variant() == variant
    grid = grid_of(position_from_moves(game.moves, variant))
    last = replay["steps"][-1][0]["observation"]["board"]
    assert [cell for row in zip(*grid, strict=True) for cell in row] == last
    first, second = replay["rewards"]
    assert game.winner == (1 if first > second else 2 if second > first else 0)
    assert game.ending in {"line", "full board"}


@pytest.mark.parametrize(("agent", "fault"), [(wrong, "illegal move"), (broken, "error")])
def test_stopped_agent_has_lost(tmp_path, agent, fault):
    """An agent that kaggle-environments has stopped forfeits the game."""
    (game,) = read(tmp_path, json.dumps(played("random", agent)))
    assert (game.winner, game.fault.fault, len(game.moves)) == (1, fault, 1)
