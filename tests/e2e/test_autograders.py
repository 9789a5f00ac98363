"""The example autograders run as their services run them: Gradescope, and workflows on GitHub.

Both install c4-arena with pip in a new environment. Nothing is downloaded: the wheel that they find
leads to the installation of the tests.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import jsonschema
import pytest
import yaml
from graded import CLASSROOM50, GRADESCOPE, RUNNER, check_junit

EXAMPLES = Path(__file__).parents[2] / "examples"
WHEEL = "c4_arena-9.9.9-py3-none-any.whl"
METADATA = "Metadata-Version: 2.1\nName: c4-arena\nVersion: 9.9.9\n"
WHEEL_FILE = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
SUBMITTED = {"users": [{"id": 1, "name": "Ada", "email": "ada@example.org"}], "id": 7}


def make_wheel(folder: Path) -> None:
    """Make a wheel of c4-arena that leads to the installation of this environment."""
    info = "c4_arena-9.9.9.dist-info"
    site = sysconfig.get_path("purelib")
    files = {
        "installation.pth": f"import site; site.addsitedir({site!r})\n",
        f"{info}/METADATA": METADATA,
        f"{info}/WHEEL": WHEEL_FILE,
        f"{info}/entry_points.txt": "[console_scripts]\nc4-referee = c4_referee.cli:main\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in (*files, f"{info}/RECORD"))
    folder.mkdir(parents=True, exist_ok=True)
    with ZipFile(folder / WHEEL, "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)


def small_rubric(folder: Path) -> None:
    """Write the example rubric with fewer games."""
    text = (EXAMPLES / "rubric.toml").read_text()
    folder.mkdir(parents=True, exist_ok=True)
    small = text.replace("games = 10\nwins = 9", "games = 2\nwins = 1").replace("= 10\ns", "= 2\ns")
    small = small.replace('"strength"', '"score"')  # the games of a random player take long
    (folder / "rubric.toml").write_text(small.replace("time_ms = 1000", "time_ms = 60000"))


def run(words: list[str], folder: Path, **variables: str) -> str:
    """Run a program in a folder without a network for pip. Return its output."""
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PYTHON": sys.executable, **variables}
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def gradescope(tmp_path_factory):
    """Return the folder of Gradescope's container after ``setup.sh``."""
    root = tmp_path_factory.mktemp("gradescope") / "autograder"
    shutil.copytree(EXAMPLES / "gradescope", root / "source")
    small_rubric(root / "source")
    make_wheel(root / "source")
    shutil.copy(root / "source" / "run_autograder", root)
    (root / "results").mkdir()
    (root / "submission_metadata.json").write_text(json.dumps(SUBMITTED))
    shown = run([str(root / "source" / "setup.sh")], root / "source", AUTOGRADER=str(root))
    assert shown == "c4-referee 9.9.9\n"
    return root


def graded_by_gradescope(root: Path, **files: str) -> dict:
    """Return ``results.json`` for a submission with these files."""
    submission = root / "submission"
    shutil.rmtree(submission, ignore_errors=True)
    submission.mkdir()
    for name, text in files.items():
        (submission / name.replace("__", ".")).write_text(text)
    run([str(root / "run_autograder")], root, AUTOGRADER=str(root))
    text = (root / "results" / "results.json").read_text()
    assert str(root.parent) not in text
    record = json.loads(text)
    jsonschema.validate(record, GRADESCOPE)
    assert record["score"] == pytest.approx(sum(test["score"] for test in record["tests"]))
    return record


def test_gradescope_grades_a_submission(gradescope):
    """A submission of one file gets points for each goal of the rubric."""
    record = graded_by_gradescope(gradescope, bot__py=(EXAMPLES / "minimal.py").read_text())
    assert [test["max_score"] for test in record["tests"]] == [30, 20, 10, 20, 10, 10]
    assert record["tests"][0]["status"] == "passed"
    assert record["tests"][5]["status"] == "passed"


@pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not installed")
def test_gradescope_shows_the_messages_of_the_compiler(gradescope):
    """A submission that does not compile gets no points, and the messages of the compiler."""
    record = graded_by_gradescope(gradescope, four__c="int main(void) { return x; }\n")
    assert record["score"] == 0
    assert record["tests"][0]["output"].startswith("It does not compile:\n")
    assert "four.c:1" in record["tests"][0]["output"]


@pytest.mark.weekly
def test_workflow_grades_a_repository(tmp_path):
    """The steps of the workflow install the package, and store and show the grade."""
    workflow = yaml.safe_load((EXAMPLES / "repositories" / "grade.yml").read_text())
    small_rubric(tmp_path / "course")
    make_wheel(tmp_path / "course")
    venv.create(tmp_path / "python", with_pip=True)
    (tmp_path / "submission").mkdir()
    shutil.copy(EXAMPLES / "minimal.py", tmp_path / "submission")
    variables = {
        "PATH": f"{tmp_path / 'python' / 'bin'}:{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        **RUNNER,
    }
    steps = workflow["jobs"]["grade"]["steps"]
    for step in steps:
        if "run" in step:
            run(["bash", "-e", "-c", step["run"]], tmp_path, **variables)
    results = tmp_path / next(step["with"]["path"] for step in steps if "artifact" in str(step))
    record = json.loads((results / "result.json").read_text())
    jsonschema.validate(record, CLASSROOM50)
    assert record["score"] == sum(test["score"] for test in record["tests"]) >= 40
    names = [test["test-name"] for test in record["tests"]]
    assert check_junit((results / "grade.xml").read_text()) == names
    summary = (tmp_path / "summary.md").read_text()
    assert summary == f"```\n{(results / 'grade.txt').read_text()}```\n"
    assert all(name in summary for name in names)
