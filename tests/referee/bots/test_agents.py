"""Words of a command that name an agent for Kaggle's ConnectX."""

import sys
from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError, VariantError
from c4_protocol.rules.variant import Variant
from c4_referee.bots.agents import (
    RUNNER_MODULE,
    RUNNER_PATH,
    command_for_people,
    command_without_prefix,
)
from c4_referee.bots.bot_files import named_files
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contain.named import paths_hidden_from_others
from c4_referee.bots.find import find_bots
from c4_referee.bots.languages import KAGGLE, lines_for
from c4_referee.bots.own import with_own_command
from c4_referee.bots.spec import BotSpec
from c4_referee.records.storage.fingerprint import fingerprint_of_bot

AGENT = ("kaggle:agent.py",)
OTHER_PYTHON = ("venv/bin/python", "-O", "kaggle:agent.py", "1")


@pytest.fixture
def agent(tmp_path, monkeypatch):
    """Return the path of an agent in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "agent.py"
    path.write_text("def agent(obs):\n    return 3\n")
    return path


@pytest.mark.parametrize(
    ("command", "started", "shown"),
    [
        (
            AGENT,
            (sys.executable, str(RUNNER_PATH), "agent.py"),
            ("python3", "-m", RUNNER_MODULE, "agent.py"),
        ),
        (("c4-bot", "kaggle:agent.py"), None, ("c4-bot", "kaggle:agent.py")),
        (
            OTHER_PYTHON,
            ("venv/bin/python", "-O", str(RUNNER_PATH), "agent.py", "1"),
            ("venv/bin/python", "-O", "-m", RUNNER_MODULE, "agent.py", "1"),
        ),
        (("python3", "agent.py"), ("python3", "agent.py"), ("python3", "agent.py")),
    ],
)
def test_agent_gets_its_runner(command, started, shown):
    """The referee's Python starts the runner, or the program before the word does."""
    if started is None:  # a word of our own command names no agent
        assert "kaggle:agent.py" in with_own_command(command)
        return
    assert with_own_command(command) == started
    assert command_for_people(command) == shown


def test_file_of_an_agent_is_a_file_of_the_bot(agent):
    """The agent's file is hidden from other bots, and belongs to the fingerprint."""
    agent.with_name("kaggle").mkdir()
    spec = BotSpec("a", AGENT)
    assert not spec.is_own_command
    assert paths_hidden_from_others(command_without_prefix(spec.command), None) == [agent]
    assert named_files(spec) == [Path("agent.py")]
    before = fingerprint_of_bot(spec)
    agent.write_text("def agent(obs):\n    return 4\n")
    assert fingerprint_of_bot(spec) != before


@pytest.mark.parametrize("text", ["kaggle:none.py", "kaggle:", "python3 kaggle:none.py"])
@pytest.mark.usefixtures("agent")
def test_missing_file_is_an_error(text):
    """A missing file of an agent is reported before a game begins."""
    find_bots(["kaggle:agent.py", f"{sys.executable} kaggle:agent.py"], {})
    with pytest.raises(UsageError, match=r"there is no file 'none\.py' in |no file after kaggle:"):
        find_bots([text], {})


@pytest.mark.parametrize(
    ("variant", "dialect", "reason"),
    [
        ("line8", "jsonl", "plays with gravity"),
        ("codingame", "jsonl", "plays with gravity"),
        ("vertical", "jsonl", "plays with gravity"),
        ("standard", "c4engine", "does not speak c4engine"),
    ],
)
def test_other_rules_and_dialects_are_refused(variant, dialect, reason):
    """An agent knows ConnectX on boards of any size, and its runner the default dialect."""
    BotSpec("a", AGENT).check_plays(Variant(5, 4, 3), TimeControl())
    few = Variant(directions=("vertical", "diagonal"))
    game = few if variant == "vertical" else Variant.parse(variant)
    with pytest.raises((UsageError, VariantError), match=f"a': a Kaggle agent {reason}"):
        BotSpec("a", AGENT, dialect=dialect).check_plays(game, TimeControl())


def test_advice_is_for_functions():
    """An agent's author reads how to return a column, and not how to print JSON."""
    assert lines_for(AGENT) == lines_for(OTHER_PYTHON) == KAGGLE
