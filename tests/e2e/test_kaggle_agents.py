"""Agents for Kaggle's ConnectX as bots of the installed commands."""

import json
import sys

import pytest
from bots import PATIENT
from effort import one_in
from views import needs_sandbox

GAMES = ("--games", "2", "--no-accuracy", "--concurrency", "1")
LEFT = "def agent(obs, config):\n    return obs.board[: config.columns].index(0)\n"
RIGHT = """\
from beside import last_free
print("loaded")
class Agent:
    def __call__(self, obs, config):
        print(obs.step, config.inarow, obs.remainingOverageTime)
        return last_free(obs["board"][: config["columns"]])
agent = Agent()
"""
BESIDE = "def last_free(top):\n    return max(x for x, cell in enumerate(top) if not cell)\n"
LATER = "def agent(obs, config):\n    if obs.step > 3:\n        {}\n    return 3\n"
FAULTS = {
    "numpy": ("import numpy; return numpy.int64(3)", "exited", "INVALID on Kaggle"),
    "crash": ("return [][0]", "exited", "agent.py, line 3: IndexError: list index out of range"),
    "slow": ("import time; time.sleep(60)", "late", "no whole line within"),
    "negative": ("return -1", "illegal move", "-1 would be column 0"),
    "leaves": ("raise SystemExit", "exited", "with code 0"),
}
"""Statements of agents after some moves, with their faults and details."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the current folder, which holds agents."""
    monkeypatch.chdir(tmp_path)
    for name, source in {"left": LEFT, "right/main": RIGHT, "right/beside": BESIDE}.items():
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
    return tmp_path


def games_of(c4_referee, *arguments):
    """Return the records of the games of a match."""
    done = c4_referee("match", *arguments, *GAMES, "--events", "-")
    assert done.returncode == 0, done.stderr.decode()
    events = map(json.loads, done.stdout.splitlines())
    return [event for event in events if event["event"] == "game_ended"]


@pytest.mark.usefixtures("folder")
def test_agents_play_whole_games(c4_referee):
    """Agents play boards of other sizes, one of them with an interpreter that its command names."""
    agents = ("kaggle:left.py", f"{sys.executable} kaggle:right/main.py")
    games = games_of(c4_referee, *agents, "--variant", "5x5x3", *PATIENT)
    assert [(game["winner"], game["ending"]) for game in games] == [(1, "line")] * 2
    assert {game["stderr"]["main.py"].partition("\n")[0] for game in games} == {"loaded"}


@pytest.mark.usefixtures("folder")
def test_agent_plays_our_bot_with_a_clock(c4_referee):
    """A game clock reaches an agent as time for a move and overage time."""
    clock = ("--tc", "20+0.5", "--variant", "4x4x3")
    games = games_of(c4_referee, "kaggle:right/main.py", "c4-bot --depth 2", *clock)
    assert [game["fault"] for game in games] == [None, None]
    said = games[0]["stderr"]["main.py"].split("\n")
    assert said[1] == "0 3 17"  # 20 s for 8 moves, 0.5 s for each


@pytest.mark.parametrize(("statement", "fault", "detail"), one_in(2, FAULTS.values()), ids=FAULTS)
def test_faults_of_agents_are_named(c4_referee, folder, statement, fault, detail):
    """A report names the fault of an agent, with its last words."""
    (folder / "agent.py").write_text(LATER.format(statement))
    time = ("--time-ms", "5000" if fault == "late" else "60000")
    games = games_of(c4_referee, "kaggle:agent.py", "kaggle:left.py", *time)
    for found in (game["fault"] for game in games):
        assert (found["bot"], found["fault"]) == ("agent.py", fault)
        assert detail in found["detail"]


@needs_sandbox
def test_agents_play_in_the_sandbox(c4_referee, folder):
    """An agent with a folder sees the files in it, and not the agent of its opponent."""
    path = str(folder / "left.py")
    spy = f"import os\ndef agent(obs):\n    return int(os.path.exists({path!r})) + 2\n"
    (folder / "right" / "main.py").write_text(f"import beside\n{spy}")
    table = '[bots.right]\ncommand = "kaggle:main.py"\nfolder = "right"\n'
    (folder / "bots.toml").write_text(table)
    bots = ("kaggle:left.py", "right", "--bots", "bots.toml", *PATIENT)
    games = games_of(c4_referee, *bots, "--sandbox", "require")
    assert [game["moves"] for game in games] == ["1313131", "3131313"]
    games = games_of(c4_referee, "kaggle:left.py", "kaggle:right/main.py", "--sandbox", "require")
    assert all(
        "set folder in its table in a --bots file" in game["fault"]["detail"] for game in games
    )
