"""c4-arena together with other people's modules of the same names.

Someone who writes a bot for a course calls a file ``bot.py`` or a package ``referee``. With
c4-arena installed, their tests must import these modules and find our fixtures, and our commands
must work in their folder.
"""

import os
import subprocess

import pytest
from bots import PATIENT
from effort import one_in

NAMES = ("bot", "referee", "protocol", "match", "testing")
OTHERS = ("random", "select", "selectors", "api", "board", "worker")
"""Names of modules of Python's library and of ours. Files in the current folder get these names."""
PRECEPT = b'{"grid":[[0,0,0],[0,0,0],[0,0,1],[0,0,0]]}\n'
MATCH = ("match", "c4-bot --plays random", "c4-bot --plays needed", "--variant", "4x3", "--json",
         *PATIENT)  # fmt: skip
PYTEST_INI = """[pytest]
filterwarnings = error
    ignore:Module already imported:pytest.PytestAssertRewriteWarning
"""
THEIR_TESTS = """
import subprocess
import sys

import bot{inner}
import protocol{inner}
import referee{inner}

HEAVY = {{"numpy", "orjson", "pydantic", "rich", "c4_referee.bots.spec"}}


def test_start_of_pytest_is_light():
    assert "c4_referee.testing.plugin" in sys.modules
    assert not HEAVY & set(sys.modules)


def test_modules_are_ours():
    for module in (bot, protocol, referee):
        assert module{inner}.OWNER == "stranger"


def test_their_fixture(scripted_bot):
    command = scripted_bot([3]).command
    done = subprocess.run(command, input=b"one\\n", capture_output=True, timeout=300)
    assert done.stdout == b'{{"move": 3}}\\n'
"""


@pytest.fixture(params=one_in(3, ["files", "packages", "packages without __init__"]))
def folder(request, tmp_path):
    """Return a folder with modules of names that our packages once had, and with tests of them."""
    inner = ".inner" if request.param == "packages without __init__" else ""
    for name in NAMES:
        path = tmp_path / f"{name}.py"
        if request.param != "files":
            (tmp_path / name).mkdir()
            path = tmp_path / name / ("inner.py" if inner else "__init__.py")
        path.write_text("OWNER = 'stranger'\n")
    (tmp_path / "test_theirs.py").write_text(THEIR_TESTS.format(inner=inner))
    return tmp_path


def run(environment, folder, *command, stdin=b"", path=None):
    """Run a command of the environment in a folder. ``path`` is its ``PYTHONPATH``."""
    inherited = {name: os.environ[name] for name in os.environ if not name.startswith("PYTHON")}
    return subprocess.run(
        [environment / command[0], *command[1:]],
        input=stdin,
        capture_output=True,
        check=False,
        cwd=folder,
        env=inherited | ({} if path is None else {"PYTHONPATH": path}),
    )


@pytest.mark.parametrize(
    ("command", "path", "settings"),
    one_in(
        4,
        [
            (["python", "-m", "pytest"], None, ""),
            (["pytest"], None, ""),
            (["pytest"], ".", ""),
            (["pytest"], None, "pythonpath = ."),
        ],
    ),
    ids=["python -m pytest", "pytest", "PYTHONPATH=. pytest", "pythonpath = ."],
)
def test_their_tests_run_with_their_modules(environment, folder, command, path, settings):
    """Other people's modules are imported and our fixtures found, with each way to start pytest."""
    (folder / "pytest.ini").write_text(f"{PYTEST_INI}{settings}\n")
    done = run(environment, folder, *command, "-q", "-p", "no:cacheprovider", path=path)
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    assert b"3 passed" in done.stdout


@pytest.mark.parametrize(
    ("commands", "names"),
    [
        ((["c4-bot"], ["c4-solve"], ["c4-referee"]), ("types",)),
        # python -m itself imports types from the current folder before it runs anything.
        ((["python", "-m", "c4_bot"], ["c4-solve"], ["python", "-m", "c4_referee"]), ()),
    ],
    ids=["scripts", "python -m"],
)
def test_commands_import_nothing_from_the_folder(environment, tmp_path, commands, names):
    """Commands import no file of the current folder, even if it has the name of a module."""
    for name in (*NAMES, *OTHERS, *names):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(f'{__file__} was imported')\n")
    bot, solve, referee = commands
    answered = run(environment, tmp_path, *bot, stdin=PRECEPT)
    assert (answered.stdout[:8], answered.stderr) == (b'{"move":', b"")
    solved = run(environment, tmp_path, *solve, stdin=b"44444\n")
    assert (solved.stdout[:8], solved.stderr) == (b"44444 -1", b"")
    played = run(environment, tmp_path, *referee, *MATCH)
    assert played.returncode == 0, played.stderr.decode()
    assert b'"complete":true' in played.stdout
    assert b'"forfeits":{}' in played.stdout
