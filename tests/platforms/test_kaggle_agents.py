"""Our runner of Kaggle agents does what kaggle-environments does."""

import json
import subprocess
import sys
from itertools import pairwise

import pytest
from c4_protocol.dialects.jsonl import RefereeEnd
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant
from kaggle_agents import CASES, COMMAND, write_agent
from platforms import platform

kaggle = platform("kaggle_environments")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of the library are not ours

SHOWN = """\
import json, sys
def agent(obs, config):
    json.dump([obs, vars(obs), config, obs.board, config.inarow], sys.stderr)
    print("", file=sys.stderr)
    return obs.board[: config.columns].index(0)
"""


def fill_from_left(observation, configuration):
    """Play in the first column that has room."""
    return observation.board[: configuration.columns].index(0)


def answer_of_ours(path, position=None, time_ms=2000):
    """Return the column that our runner answers, or ``None``, and its lines on standard error."""
    line = RefereeEnd().write_precept(position or Position(), time_ms)
    done = subprocess.run([*COMMAND, str(path)], input=line, capture_output=True, check=False)
    column = json.loads(done.stdout)["move"] if done.returncode == 0 else None
    return column, done.stderr.decode().splitlines()


def columns_of_kaggle(path, **configuration):
    """Return the columns of a game, and what the agent wrote on standard error for each."""
    sys.modules.pop("beside", None)  # the agent of an earlier test may have imported it
    env = kaggle.make("connectx", configuration=configuration)
    env.run([str(path), fill_from_left])
    boards = [step[0]["observation"]["board"] for step in env.steps]
    changes = [
        next(cell for cell, (old, new) in enumerate(zip(before, after, strict=True)) if old != new)
        for before, after in pairwise(boards)
        if before != after
    ]
    columns = [cell % env.configuration.columns for cell in changes]
    logs = [log[0]["stderr"] for log in env.logs if log and "stderr" in log[0]]
    return columns, logs


@pytest.mark.parametrize("name", CASES)
def test_same_answers_are_valid(tmp_path, name):
    """An agent plays the same column on the empty board, or none at all."""
    path = write_agent(tmp_path, name)
    ours, _ = answer_of_ours(path)
    theirs, _ = columns_of_kaggle(path)
    legal = ours if ours in range(7) else None
    assert legal == (theirs or [None])[0] == CASES[name][1]


def test_fraction_of_zero_ends_both(tmp_path):
    """Kaggle's engine itself fails with 3.0; our runner calls it an invalid answer."""
    path = tmp_path / "agent.py"
    path.write_text("def agent(obs):\n    return 3.0\n")
    with pytest.raises(TypeError):
        columns_of_kaggle(path)
    assert answer_of_ours(path)[0] is None


def test_agents_see_the_same(tmp_path):
    """In each position of a game, observation and configuration are the same, except for times."""
    variant = Variant.parse("5x4x3")
    path = tmp_path / "agent.py"
    path.write_text(SHOWN)
    size = {"columns": variant.width, "rows": variant.height, "inarow": variant.connect}
    columns, logs = columns_of_kaggle(path, **size)
    position = Position(variant)
    assert len(logs) >= len(columns) // 2 > 1
    for ply, column in enumerate(columns):
        if ply % 2 == 0:
            answer, (shown,) = answer_of_ours(path, position)
            assert answer == column
            assert without_overage(shown) == without_overage(logs[ply // 2])
        position = position.play(position.check(column))
    assert position.is_over


def without_overage(text):
    """Return what an agent saw, without its overage time: a time for each move has none."""
    observation, attributes, configuration, *rest = json.loads(text)
    for values in (observation, attributes):
        del values["remainingOverageTime"]
    del configuration["agentTimeout"]
    return [observation, attributes, configuration, *rest]
