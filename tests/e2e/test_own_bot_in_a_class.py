"""Our own bot is no submission: a class starts it for the instructor only."""

import json
import os

import pytest
from classes import SIMPLE
from commands import SCRIPTS
from views import needs_sandbox

SETTINGS = """\
time_ms = 60000
minutes = 0.01
analysis_seconds = 0
staff = { mark = "c4-bot --plays random" }
"""
IMPORTS = (
    "import sys\nimport c4_bot\nimport runpy\n"
    "sys.argv = ['c4-bot', '--level', '1']\nrunpy.run_module('c4_bot', run_name='__main__')\n"
)
AGENT = "def agent(observation, configuration):\n    return observation.board.index(0)\n"
HANDED_IN = {
    "command": {"bot.toml": 'command = "c4-bot --level 10"'},
    "import": {"main.py": IMPORTS},
    "shell": {"run.sh": "exec nice c4-bot --level 10\n"},
    "agent": {"agent.py": AGENT},
    "good": {"bot.py": f"{SIMPLE}\n# It beats c4-bot --level 1.\n"},
}


@pytest.mark.parametrize("options", [pytest.param((), marks=needs_sandbox), ("--no-sandbox",)])
def test_own_bot_is_no_submission(c4_referee, tmp_path, options):
    """Submissions that start it do not play, and are named. Agents and the staff's bots play."""
    for name, files in HANDED_IN.items():
        (tmp_path / "in" / name).mkdir(parents=True)
        for path, text in files.items():
            (tmp_path / "in" / name / path).write_text(text)
    env = os.environ | {"PATH": f"{SCRIPTS}:{os.environ['PATH']}"}  # as in an activated environment
    root = tmp_path / "class"
    root.mkdir()
    (root / "class.toml").write_text(SETTINGS)
    done = c4_referee("class", tmp_path / "in", "--out", root, "--json", *options, env=env)
    assert done.returncode == 0, done.stderr.decode()
    report = json.loads(done.stdout)
    students = {each["name"]: each for each in report["students"]}
    states = {name: each["status"] for name, each in students.items()}
    cheats = dict.fromkeys(("command", "import", "shell"), "not ready")
    assert states == cheats | {"agent": "ready", "good": "ready"}
    assert report["games"] > 0
