"""Our own bot is no submission: a class starts it for the instructor only."""

import json
import os

from classes import SIMPLE
from commands import SCRIPTS
from views import needs_sandbox

SETTINGS = """\
time_ms = 60000
analysis_seconds = 0
staff = { mark = "c4-bot --plays random" }
"""
IMPORTS = (
    "import runpy, sys\nimport c4_bot\n"
    "sys.argv = ['c4-bot', '--level', '1']\nrunpy.run_module('c4_bot', run_name='__main__')\n"
)
HANDED_IN = {
    "command": ("bot.toml", 'command = "c4-bot --plays random"'),
    "import": ("main.py", IMPORTS),
    "good": ("bot.py", f"{SIMPLE}\n# It beats c4-bot --level 1.\n"),
}
"""A file of each student, and its content."""


@needs_sandbox
def test_own_bot_is_no_submission(c4_referee, tmp_path):
    """Submissions that start it are not ready, and are named. That of the staff plays."""
    for name, (file, text) in HANDED_IN.items():
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / file).write_text(text)
    root = tmp_path / "class"
    root.mkdir()
    (root / "class.toml").write_text(SETTINGS)
    env = os.environ | {"PATH": f"{SCRIPTS}:{os.environ['PATH']}"}  # our environment is active
    done = c4_referee("class", tmp_path / "in", "--out", root, "--json", env=env)
    assert done.returncode == 0, done.stderr.decode()
    report = json.loads(done.stdout)
    found = {each["name"]: (each["status"], each["reason"]) for each in report["students"]}
    assert found["good"] == ("ready", "")
    assert report["games"] == 2
    for name, said in (("command", "c4-bot is ours"), ("import", "No module named 'c4_bot'")):
        status, reason = found[name]
        assert status == "not ready"
        assert said in reason
        assert f"{HANDED_IN[name][0]} names our own bot" in reason
