"""Our own commands are those of the referee's installation, and others are named by their path."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import orjson
import pytest
from bots import PATIENT
from c4_referee.bots.own import OUR_PACKAGES
from effort import one_in
from views import needs_sandbox

VERSION = version("c4-arena")
CACHES = shutil.ignore_patterns("__pycache__")
FOREIGN = """\
#!/bin/sh
touch '{marks}'/"$(basename "$0")"
[ "$1" = --version ] && echo "${{0##*/}} 7.7.7" && exit
while read -r line; do echo '{{"move":0}}'; done
"""
"""Another program of the name of one of our commands, which leaves a mark when it runs."""
STRANGER = "import pathlib; pathlib.Path({mark!r}).touch(); raise SystemExit('another c4_bot')\n"
EVIL = """\
import pathlib
pathlib.Path({mark!r}).touch()
class E:
    unit = 1
    def evaluate(self, position, player):
        return 0
"""
"""An evaluator of other people, which leaves a mark when it is imported."""
QUICK = (
    "c4-bot --plays random",
    "--games",
    "1",
    "--variant",
    "4x4",
    "--no-accuracy",
    "--json",
    *PATIENT,
)
MATCH = ("match", "c4-bot --plays random", "c4-bot --level 1", "--time-ms", "60000", "--json")
BOTS = ("c4-bot --plays random", "c4-bot --level 1")


@pytest.fixture
def marks(tmp_path):
    """Return a folder with a file for each foreign program that has run."""
    folder = tmp_path / "marks"
    folder.mkdir()
    return folder


@pytest.fixture
def foreign(tmp_path, marks):
    """Return a folder with other programs of the names of our commands."""
    folder = tmp_path / "foreign"
    folder.mkdir()
    for name in ("c4-bot", "c4-solve", "c4-referee", "c4-tune"):
        (folder / name).write_text(FOREIGN.format(marks=marks))
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """Return a function like ``run`` for packages as ``pip install --target`` leaves them.

    They are in a folder of PYTHONPATH. No script is beside the interpreter.
    """
    folder = tmp_path_factory.mktemp("elsewhere")
    for name in OUR_PACKAGES:
        spec = find_spec(name)
        shutil.copytree(Path(spec.origin).parent, folder / "target" / name, ignore=CACHES)
    core = find_spec("c4_bot._core")  # an editable installation has it in another folder
    if core is not None:
        shutil.copy(core.origin, folder / "target" / "c4_bot")
    venv.create(folder / "venv", with_pip=False)
    places = dict.fromkeys(("base", "platbase"), str(folder / "venv"))
    site = Path(sysconfig.get_path("purelib", vars=places))
    (site / "libraries.pth").write_text(f"{Path(orjson.__file__).parents[1]}\n")
    python = folder / "venv" / "bin" / "python"
    assert not [*python.parent.glob("c4-*")]
    return partial(run, python=python, env={"PYTHONPATH": str(folder / "target")})


def run(module, *arguments, python=sys.executable, first=None, **settings):
    """Run one of our modules. The folder ``first`` is the first one on the search path."""
    path = os.pathsep.join(filter(None, (first and str(first), os.defpath)))
    environment = {**os.environ, "PATH": path} | settings.pop("env", {})
    command = [python, "-P", "-m", module, *arguments]
    return subprocess.run(command, capture_output=True, check=False, env=environment, **settings)


def check_played(done):
    """Check that a match of our bots was played without faults. Return its report."""
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["complete"]
    assert report["forfeits"] == {}
    return report


def test_bots_and_judge_are_ours_if_others_are_on_the_path(foreign, marks):
    """A match and its judge use our programs, and the report has their version."""
    report = check_played(run("c4_referee", *MATCH, first=foreign))
    assert not [*marks.iterdir()]
    assert report["versions"] == dict.fromkeys(BOTS, VERSION)
    assert report["accuracy_report"]["judge_version"] == VERSION
    assert None not in report["accuracy"].values()


def test_other_program_is_run_by_its_path(foreign, marks):
    """A program of the same name that is named by its path is run. Its version is not known."""
    bots = (str(foreign / "c4-bot"), "c4-bot --level 1")
    more = ("--games", "1", "--json", "--no-accuracy", "--no-sandbox")
    done = run("c4_referee", "match", *bots, *more, first=foreign)
    assert [mark.name for mark in marks.iterdir()] == ["c4-bot"]
    assert json.loads(done.stdout)["versions"] == {bots[1]: VERSION}


def test_scripts_need_not_be_beside_the_interpreter(elsewhere):
    """Bots, the judge and ``c4-tune judge`` work where scripts were installed elsewhere."""
    check_played(elsewhere("c4_referee", *MATCH))
    judge = ("judge", "13,39,71", "--pairs", "1", "--positions", "8", "--json")
    judged = elsewhere("c4_referee.tuning", *judge)
    assert judged.returncode == 0, judged.stderr
    assert json.loads(judged.stdout)["champion_agrees"]["positions"] > 0


@needs_sandbox
def test_our_bots_run_in_the_sandbox_without_scripts(elsewhere):
    """The sandbox shows our packages to our bots, wherever they are installed."""
    report = check_played(elsewhere("c4_referee", *MATCH, "--sandbox", "require"))
    assert report["protection"]["sandboxed"] == [*BOTS]


@pytest.mark.parametrize("stranger", one_in(2, ["c4_bot/__init__.py", "c4_bot.py"]))
def test_bots_table_does_not_lead_to_another_package(tmp_path, stranger):
    """Neither the current folder, nor the folder and variables of a bot, replace our packages."""
    mark = tmp_path / "imported"
    for name in (stranger, "cli.py", "solve.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(STRANGER.format(mark=str(mark)))
    bots = tmp_path / "bots.toml"
    bots.write_text(
        f'[bots.one]\ncommand = "c4-bot --plays random"\nenv = {{ PYTHONPATH = "{tmp_path}" }}\n'
        f'[bots.two]\ncommand = "c4-bot --level 1"\nenv = {{ PYTHONPATH = "." }}\n'
        f'cwd = "{tmp_path}"\n'
    )
    match = ("match", "one", "two", "--bots", str(bots), *MATCH[3:])
    check_played(run("c4_referee", *match, "--no-sandbox", cwd=tmp_path))
    assert not mark.exists()


@pytest.fixture
def evil(tmp_path, marks):
    """Return a folder with modules of other people."""
    folder = tmp_path / "evil"
    folder.mkdir()
    for name in ("evil", "evil1", "evil2", "orjson", "shlex"):
        (folder / f"{name}.py").write_text(EVIL.format(mark=str(marks / "mark")))
    return folder


@needs_sandbox
@pytest.mark.parametrize(
    ("command", "has_folder"),
    one_in(2, [
        ("c4-bot --evaluator evil:E --depth 1", False),
        ("c4-bot --depth 1 --evaluator evil:E", True),
        ("c4-bot --evaluator=evil:E --depth 1", True),
        ("c4-bot '--depth 1 --evaluator evil:E'", True),
        ("c4-bot --depth 1 --evaluator evil{player}:E", True),
        ("c4-bot --web --no-open --out board", True),
        ("c4-solve --proof proof --variant line8 --serve", True),
    ]),
)  # fmt: skip
def test_command_with_other_options_runs_in_the_sandbox(evil, marks, command, has_folder):
    """Code and files of other people do not leave the sandbox, however the options name them."""
    folder = f"cwd = {json.dumps(str(evil))}\n" if has_folder else ""
    bots = evil.parent / "bots.toml"  # as that of a class, it does not say sandbox
    bots.write_text(f"[bots.a]\ncommand = {json.dumps(command)}\n{folder}")
    match = ("match", "a", *QUICK, "--bots", str(bots))
    done = run("c4_referee", *match, cwd=evil, env={"C4_ARENA_SANDBOX": ""})
    assert json.loads(done.stdout)["protection"]["sandboxed"] == ["a"]
    assert not [*marks.iterdir()]


LIBRARY = """\
#include <stdio.h>
__attribute__((constructor)) static void leave_mark(void) {{ fclose(fopen("{mark}", "w")); }}
"""


@needs_sandbox
@pytest.mark.parametrize(
    ("variable", "has_library"), [("PYTHONPATH", False), ("LD_LIBRARY_PATH", True)]
)
def test_folder_of_a_trusted_bot_is_not_on_the_search_path(evil, marks, variable, has_library):
    """An empty entry of a search path does not lead our own command to files of the bot."""
    if has_library:
        if not shutil.which("gcc"):
            pytest.skip("there is no gcc")
        compiler = ["gcc", "-shared", "-fPIC", "-o", evil / "libm.so.6", "-x", "c", "-"]
        subprocess.run(compiler, input=LIBRARY.format(mark=marks / "mark").encode(), check=True)
    bots = evil.parent / "bots.toml"
    bots.write_text(f'[bots.a]\ncommand = "c4-bot --level 1"\ncwd = "{evil}"\n')
    env = {"C4_ARENA_SANDBOX": "", variable: "/nowhere:"}
    done = run("c4_referee", "match", "a", *QUICK, "--bots", str(bots), env=env)
    assert check_played(done)["protection"] is None
    assert not [*marks.iterdir()]
