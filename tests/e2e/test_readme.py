"""Every command of the README works, in its order, and then the guide for instructors."""

import html
import json
import os
import re
import shutil
import subprocess
import venv
from io import StringIO
from pathlib import Path

import pytest
from effort import THOROUGH
from followed import follow
from rich.console import Console
from rich.text import Text
from views import needs_sandbox

pytestmark = pytest.mark.documented

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEST_COMMAND = re.search(r"<!-- the test command -->\n```sh\n(.*?)```", README, re.DOTALL)[1]
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
WEEKLY = (ROOT / ".ci" / "weekly").read_text(encoding="utf-8")
CLONE, INSTALL = "git clone ", "python3 -m venv .venv && .venv/bin/pip install . "
BY_NAME = "pipx install c4-arena"
SKIPPED = (BY_NAME, CLONE) if THOROUGH else (BY_NAME, CLONE, INSTALL, "c4-referee check --bots ")
LINES = [line for block in BLOCKS if block != TEST_COMMAND for line in block.splitlines()]
# The installation from a clone stands last, but the other commands need it.
COMMANDS = sorted(
    (line for line in LINES if not line.startswith(SKIPPED)),
    key=lambda line: not line.startswith(INSTALL),
)
MATCH = next(command for command in COMMANDS if command.startswith("c4-referee match"))
PICTURE = ROOT / "docs" / "images" / "match.svg"
LEFT_BEHIND = shutil.ignore_patterns(".venv", "build", "dist", "*.so", "__pycache__", ".*_cache")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return a fresh copy of the project. In thorough tests it is a clone."""
    place = tmp_path_factory.mktemp("fresh") / "c4-arena"
    if THOROUGH and (ROOT / ".git").exists():
        subprocess.run(["git", "clone", "--quiet", ROOT, place], check=True)
    else:
        shutil.copytree(ROOT, place, ignore=LEFT_BEHIND)
    return place


@pytest.fixture(scope="module")
def newcomer(request, home):
    """Run the commands in the fresh copy of the project. Return what each printed.

    Each command has its own shell, in which the new environment is active. The installation and the
    check of a whole class, which takes longest, run in thorough tests only. Other tests use the
    environment that all tests share.
    """
    scripts = home / ".venv" / "bin" if THOROUGH else request.getfixturevalue("environment")
    path = os.pathsep.join((str(scripts), os.environ["PATH"]))
    environment = {**os.environ, "PATH": path, "COLUMNS": "80", "FORCE_COLOR": "1"}
    printed = {}
    for command in COMMANDS:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=home,
            env=environment,
            capture_output=True,
            check=False,
            text=True,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        printed[command] = done.stdout
    return printed


@pytest.mark.timeout(900)
def test_every_command_works(newcomer):
    """All commands of the README end with exit code 0."""
    assert len(newcomer) == len(COMMANDS) >= 6


@pytest.mark.timeout(900)
def test_first_command_shows_a_result(newcomer):
    """The first match ends with a table of twelve games. The player `random` won none of them."""
    shown = Text.from_ansi(newcomer[MATCH]).plain
    row = re.search(r"^ ?c4-bot +(\d+) +(\d+) +(\d+) ", shown, re.MULTILINE)
    won, drawn, lost = map(int, row.groups())
    assert (won + drawn, lost) == (12, 0)
    assert re.search(rf"^ ?c4-bot --plays random +{lost} +{drawn} +{won} ", shown, re.MULTILINE)


@pytest.mark.timeout(900)
def test_readme_shows_what_one_sees(newcomer, request):
    """The picture has the same headings and sentences as the real report."""
    if request.config.getoption("refresh_golden"):
        PICTURE.write_text(picture(newcomer[MATCH]), encoding="utf-8")
    assert f"]({PICTURE.relative_to(ROOT)})" in README
    shown = html.unescape(re.sub("<[^>]*>", "\n", PICTURE.read_text(encoding="utf-8")))
    lines = Text.from_ansi(newcomer[MATCH]).plain.splitlines()
    fixed = [line for line in lines if re.match("bot  |c4-bot |Elo|Next|  c4-ref|12 games", line)]
    assert len(fixed) > 8
    for line in fixed:
        for word in re.findall("[A-Za-z]{2,}", line):
            assert re.search(rf"\b{word}\b", shown), line


def picture(output: str) -> str:
    """Return a command's output in a terminal as an SVG."""
    console = Console(record=True, width=80, file=StringIO(), force_terminal=True)
    console.print(Text(f"$ {MATCH}", "bold"), Text.from_ansi(output.rstrip()), sep="\n\n")
    return console.export_svg(title="c4-referee match", unique_id="match")


@pytest.mark.timeout(900)
def test_precept_gets_the_answer_that_the_readme_shows(newcomer):
    """The answer that the README shows below the precept is the bot's answer."""
    shown = re.search(r"```json\n(.*?)```", README, re.DOTALL)[1]
    command = next(command for command in COMMANDS if command.startswith("echo '{"))
    assert newcomer[command] == shown
    assert set(json.loads(shown)) == {"move"}


@pytest.mark.weekly
@pytest.mark.timeout(900)
def test_package_is_installed_by_its_name(wheel, tmp_path):
    """Both pipx and uvx install the package by its name, if an index or a folder has it."""
    venv.create(tmp_path, with_pip=True)
    places = ("PIP_FIND_LINKS", "UV_FIND_LINKS"), ("PIPX_HOME", "PIPX_BIN_DIR", "PIPX_MAN_DIR")
    environment = os.environ | dict.fromkeys(places[0], str(wheel.parent))
    environment |= {name: str(tmp_path / name) for name in places[1]}
    environment["PATH"] = f"{tmp_path / 'bin'}:{tmp_path / 'PIPX_BIN_DIR'}:{os.environ['PATH']}"
    by_uvx = re.search(r"`(uvx .* c4-bot) --web`", README)[1]
    assert BY_NAME in LINES
    for command in ("pip install -q pipx uv", BY_NAME, "c4-bot --version", f"{by_uvx} --version"):
        done = subprocess.run(
            ["sh", "-c", command], env=environment, check=True, capture_output=True
        )
    assert done.stdout.startswith(b"c4-bot 0.")
    assert list(tmp_path.glob("PIPX_MAN_DIR/man1/c4-bot.1"))


@pytest.mark.weekly
@needs_sandbox
@pytest.mark.timeout(900)
def test_guide_for_instructors_works_after_the_installation(newcomer, home):
    """In the clone in which the README's commands ran, the guide leads to a site and feedback."""
    follow(home / "docs" / "class.md", home, home / ".venv" / "bin")
    assert (home / "trial" / "site" / "index.html").is_file()
    assert (home / "trial" / "feedback" / "feedback.zip").is_file()


def test_test_command_is_what_ci_runs():
    """CI takes the test command from the README. The tests above leave only this block out."""
    assert TEST_COMMAND.rstrip().endswith("pytest")
    assert "<!-- the test command -->" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_set_up_is_what_ci_types():
    """The README installs the project in one line, and thorough tests run this line."""
    lines = [line for block in BLOCKS for line in block.splitlines() if line.startswith(INSTALL)]
    assert len(lines) == 1
    assert "ARENA_TESTS=thorough .ci/run" in WEEKLY
