"""``c4-referee grade`` with real bots and files."""

import json
import shutil
import signal
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import jsonschema
import pytest
from c4_referee.classroom import choice
from c4_referee.classroom.grading.rubric import read_rubric
from c4_referee.commands import grade as command
from commands import SCRIPTS
from graded import GRADESCOPE, check_junit

ROOT = Path(__file__).parents[2]
RUBRIC = """\
time_ms = 60000
[[goal]]
type = "check"
points = 10
[[goal]]
type = "wins"
points = 5
against = "random"
games = 2
wins = 1
[[goal]]
type = "no-fault"
points = 5
name = "Plays whole games"
"""
NAMES = ["Follows the rules", "Beats random in 1 of 2 games", "Plays whole games"]


@pytest.fixture
def rubric(tmp_path):
    """Return the path of a small rubric."""
    path = tmp_path / "rubric.toml"
    path.write_text(RUBRIC)
    return str(path)


def test_all_formats_hold_the_same_grade(c4_referee, misbehaving, rubric, tmp_path):
    """--json and the files of all formats have the same points. The exit code is 0."""
    paths = {name: tmp_path / name for name in ("gradescope", "junit", "classroom50")}
    files = [word for name, path in paths.items() for word in (f"--{name}", str(path))]
    bot = misbehaving("exits_later")
    done = c4_referee("grade", bot, "--rubric", rubric, *files, "--json", "--seed", "4")
    assert done.returncode == 0
    assert done.stdout.count(b"\n") == 1
    grade = json.loads(done.stdout)
    assert {*grade} == {"points", "max_points", "bot", "lines", "seed", "seconds", "margin"}
    assert (grade["max_points"], grade["seed"]) == (20, 4)
    assert 0 < grade["points"] == grade["lines"][0]["points"] < 10
    gradescope, classroom50 = (
        json.loads(paths[name].read_text()) for name in ("gradescope", "classroom50")
    )
    jsonschema.validate(gradescope, GRADESCOPE)
    assert gradescope["score"] == grade["points"]
    assert (classroom50["score"], classroom50["max-score"]) == (int(grade["points"]), 20)
    assert check_junit(paths["junit"].read_text()) == NAMES
    reasons = [line["reason"] for line in grade["lines"]]
    assert [test["output"] for test in gradescope["tests"]] == reasons
    texts = [*map(Path.read_text, paths.values()), done.stdout.decode()]
    assert not [text for text in texts if str(ROOT) in text]


def test_failure_of_a_submission_is_its_grade(rubric, tmp_path, monkeypatch):
    """An exception that nobody foresaw is the reason for which a submission has no points."""
    monkeypatch.setattr(choice, "find_starts", int)
    options = Namespace(bot=str(tmp_path), bots=None, seed=0, rubric=rubric)
    grade = command._graded(options, read_rubric(rubric), sandboxed=False, on_step=print)
    assert grade.points == 0
    assert "(TypeError in choice.py, line " in grade.lines[0].reason


@pytest.mark.weekly
def test_bot_that_never_answers_is_graded(run_cleanly, misbehaving, rubric):
    """The grading of a bot that hangs ends, and leaves no process."""
    Path(rubric).write_text(RUBRIC.replace("60000", "1000"))
    words = [str(SCRIPTS / "c4-referee"), "grade", misbehaving("silent"), "--rubric", rubric]
    done = run_cleanly(words)
    assert done.returncode == 0
    assert done.stdout.decode().endswith("Total: 0 of 20 points\n")


@pytest.mark.weekly
def test_grade_of_a_folder_with_blanks_is_written_to_a_pipe(rubric, tmp_path):
    """A submission may have any name, and a result goes to a pipe that is named as a file."""
    (tmp_path / "my bot").mkdir()
    shutil.copy(ROOT / "examples" / "minimal.py", tmp_path / "my bot" / "a b.py")
    words = [SCRIPTS / "c4-referee", "grade", "my bot", "--rubric", rubric]
    done = subprocess.run(
        [*words, "--junit", "/dev/stdout", "--json"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        check=True,
    )
    xml, _, line = done.stdout.decode().rstrip().rpartition("\n")
    assert check_junit(xml) == NAMES
    assert json.loads(line)["bot"] == "my bot"
    assert json.loads(line)["lines"][0]["passed"]


@pytest.mark.linux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_grading_leaves_nobody(mark, number, tmp_path, rubric, wait_until):
    """Ctrl-C ends the grading with exit code 1, no result, and no process."""
    bot, asked = tmp_path / "bot.py", tmp_path / "asked"
    bot.write_text(f"import time\ninput()\nopen({str(asked)!r}, 'w')\ntime.sleep(600)\n")
    words = [SCRIPTS / "c4-referee", "grade", f"{sys.executable} {bot}", "--rubric", rubric]
    with subprocess.Popen(words, env=mark.environment, stdout=subprocess.PIPE) as grading:
        assert wait_until(asked.exists)  # Python ignores signals in its callbacks of a fork
        grading.send_signal(number)
        assert grading.communicate()[0] == b""
    assert grading.returncode == 1
    assert wait_until(lambda: not mark.bearers())
