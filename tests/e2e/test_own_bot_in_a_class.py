"""Our own bot is no submission: a class starts it for the instructor only."""

import json
import os

from classes import SIMPLE
from commands import SCRIPTS
from views import needs_sandbox

STAFF = 'staff = { one = "c4-bot --plays random", two = "c4-bot --plays random" }\n'
HANDED_IN = {
    "command": ("bot.toml", 'command = "c4-bot --plays random"', "c4-bot is ours"),
    "import": ("main.py", f"import c4_bot\n{SIMPLE}", "No module named 'c4_bot'"),
}
"""Submissions by student: a file, its content, and what the instructor reads."""


@needs_sandbox
def test_own_bot_is_no_submission(c4_referee, tmp_path):
    """Submissions that start it are not ready, and are named. Those of the staff play."""
    for name, (file, text, _) in HANDED_IN.items():
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / file).write_text(text)
    (tmp_path / "class.toml").write_text(f"time_ms = 60000\nanalysis_seconds = 0\n{STAFF}")
    env = os.environ | {"PATH": f"{SCRIPTS}:{os.environ['PATH']}"}  # our environment is active
    done = c4_referee("class", tmp_path / "in", "--out", tmp_path, "--json", env=env)
    report = json.loads(done.stdout)
    for student in report["students"]:
        file, _, said = HANDED_IN[student["name"]]
        assert student["status"] == "not ready"
        assert said in student["reason"]
        assert f"names our own bot: have a look: {file}" in student["reason"]
    assert report["games"] == 2
