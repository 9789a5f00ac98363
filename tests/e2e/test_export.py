"""``c4-bot export`` writes a player that needs nothing else."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from c4_bot.export.kaggle import submission_text

GAME = """\
import json, sys
names = {}
with open(sys.argv[1]) as file:
    exec(compile(file.read(), sys.argv[1], "exec"), names)
agent = [value for value in names.values() if callable(value)][-1]
configuration = {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": 0.1}
board, played = [0] * 42, []
while len(played) < 12:
    seen = {"board": board, "mark": len(played) % 2 + 1, "remainingOverageTime": 0}
    column = agent(seen, configuration)
    assert type(column) is int and board[column] == 0
    row = max(row for row in range(6) if board[7 * row + column] == 0)
    board[7 * row + column] = seen["mark"]
    played.append(column)
print(json.dumps([played, sorted(sys.modules)]))
"""


@pytest.fixture
def export(c4_bot):
    """Return a function that runs ``c4-bot export``."""
    return partial(c4_bot, "export")


@pytest.mark.parametrize("earlier", [None, "", submission_text()[:500]])
def test_player_is_written_to_a_file(export, tmp_path, earlier):
    """With ``--out``, the player is in the file. An earlier export or an empty file is replaced."""
    path = tmp_path / "submission.py"
    if earlier is not None:
        path.write_text(earlier, encoding="utf-8")
    for words, printed in (((), submission_text()), (("--out", "submission.py"), "")):
        done = export("kaggle", *words, cwd=tmp_path)
        assert (done.returncode, done.stdout.decode(), done.stderr) == (0, printed, b"")
    assert path.read_text(encoding="utf-8") == submission_text()


def test_other_file_is_not_replaced(export, tmp_path):
    """A file that is no export is not touched."""
    path = tmp_path / "mine.py"
    path.write_text("def agent(observation): return 3\n", encoding="utf-8")
    done = export("kaggle", "--out", path)
    reason = f"{path} exists and is no earlier export: choose another name"
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"c4-bot export: {reason}\n"
    assert path.read_text(encoding="utf-8") == "def agent(observation): return 3\n"


def test_player_alone_in_an_empty_environment(export, tmp_path):
    """The file plays with nothing else: no environment, no other packages, another folder."""
    path = tmp_path / "submission.py"
    assert export("kaggle", "--out", path).returncode == 0
    base = Path(sys.base_prefix) / "bin" / Path(sys.executable).name
    done = subprocess.run(
        [base if base.exists() else sys.executable, "-I", "-S", "-W", "error", "-c", GAME, path],
        env={}, cwd="/", capture_output=True, check=False,
    )  # fmt: skip
    assert done.stderr == b""
    played, modules = json.loads(done.stdout)
    assert len(played) == 12
    assert not [name for name in modules if name.startswith("c4_")]
