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
from c4_referee.bots.find import find_bots
from c4_referee.bots.own import with_own_command
from c4_referee.bots.spec import BotSpec
from c4_referee.check.languages import KAGGLE, language_of
from c4_referee.contain.named import paths_hidden_from_others
from c4_referee.storage.fingerprint import fingerprint_of_bot

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
    assert with_own_command(command) == started
    assert command_for_people(command) == shown


def test_own_command_keeps_its_words():
    """A word of our own command names no agent."""
    assert "kaggle:agent.py" in with_own_command(("c4-bot", "kaggle:agent.py"))


def test_file_of_an_agent_is_a_file_of_the_bot(agent):
    """The agent's file is hidden from other bots, and belongs to the fingerprint."""
    spec = BotSpec("a", AGENT)
    assert not spec.is_own_command
    assert paths_hidden_from_others(command_without_prefix(spec.command), None) == [agent]
    assert named_files(spec) == [Path("agent.py")]
    before = fingerprint_of_bot(spec)
    agent.write_text("def agent(obs):\n    return 4\n")
    assert fingerprint_of_bot(spec) != before


@pytest.mark.usefixtures("agent")
def test_folder_named_like_the_prefix_is_not_the_bot_s(tmp_path):
    """The word before the colon is no path."""
    (tmp_path / "kaggle").mkdir()
    assert paths_hidden_from_others(command_without_prefix(AGENT), None) == [tmp_path / "agent.py"]


@pytest.mark.usefixtures("agent")
def test_agent_can_be_started():
    """A command line names an agent in the current folder, or after another interpreter."""
    find_bots(["kaggle:agent.py", f"{sys.executable} kaggle:agent.py"], {})


@pytest.mark.parametrize("text", ["kaggle:none.py", "kaggle:", "python3 kaggle:none.py"])
@pytest.mark.usefixtures("agent")
def test_missing_file_is_an_error(text):
    """A missing file of an agent is reported before a game begins."""
    with pytest.raises(UsageError, match=r"there is no file 'none\.py' in |no file after kaggle:"):
        find_bots([text], {})


@pytest.mark.parametrize(
    "variant",
    [
        Variant.parse("line8"),
        Variant.parse("codingame"),
        Variant(gravity=False),
        Variant(directions=("vertical", "diagonal")),
    ],
    ids=str,
)
def test_other_rules_are_refused(variant):
    """An agent cannot know of rules that ConnectX does not have."""
    with pytest.raises(VariantError, match="bot 'a': a Kaggle agent plays with gravity"):
        BotSpec("a", AGENT).check_plays(variant, TimeControl())


@pytest.mark.parametrize("name", ["standard", "5x4x3", "9x7x5"])
def test_other_sizes_are_played(name):
    """An agent is asked for boards and lines of any size."""
    BotSpec("a", AGENT).check_plays(Variant.parse(name), TimeControl())


def test_dialect_of_an_agent_is_refused():
    """The runner speaks the default dialect only."""
    with pytest.raises(UsageError, match="bot 'a': a Kaggle agent does not speak c4engine"):
        BotSpec("a", AGENT, dialect="c4engine").check_plays(Variant(), TimeControl())


def test_advice_is_for_functions():
    """An agent's author reads how to return a column, and not how to print JSON."""
    assert language_of(AGENT) == language_of(OTHER_PYTHON) == KAGGLE
