"""The README is followed literally, and then the guide for instructors."""

import html
import os
import re
import shutil
import subprocess
import venv
from io import StringIO
from pathlib import Path

import pytest
from effort import THOROUGH
from followed import check_no_forfeits, follow
from rich.console import Console
from rich.text import Text
from views import needs_sandbox

pytestmark = pytest.mark.documented

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
RELEASE = (ROOT / "docs" / "release.md").read_text(encoding="utf-8")
WEEKLY = (ROOT / ".ci" / "weekly").read_text(encoding="utf-8")
FIRST, TEST_COMMAND = re.findall(
    r"```sh\n(python3 -m venv \.venv && \.venv/bin/pip install [^`]*)\n```\n", README
)
MATCH = re.search(r"\.venv/bin/c4-referee match .*", FIRST)[0]
PICTURE = ROOT / "docs" / "images" / "match.svg"
ALWAYS = re.compile(r"\.venv|bot  |c4-bot( --plays random)? +\d|Elo|Next|  c4-ref|12 games")
"""Beginnings of lines of the command and its report that stand there whoever wins."""
LEFT_BEHIND = shutil.ignore_patterns(".venv", "build", "dist", "*.so", "__pycache__", ".*_cache")


@pytest.fixture(scope="module")
def home(request, tmp_path_factory):
    """Return a fresh copy of the project. In thorough tests it is a clone.

    There, the first command makes its environment. In other tests, this is the environment that all
    tests share.
    """
    place = tmp_path_factory.mktemp("fresh") / "c4-arena"
    if THOROUGH and (ROOT / ".git").exists():
        subprocess.run(["git", "clone", "--quiet", ROOT, place], check=True)
    else:
        shutil.copytree(ROOT, place, ignore=LEFT_BEHIND)
    if not THOROUGH:
        (place / ".venv").mkdir()
        (place / ".venv" / "bin").symlink_to(request.getfixturevalue("environment"))
    return place


@pytest.fixture(scope="module")
def report(home):
    """Type the first command, in thorough tests with the installation. Return what it prints."""
    done = subprocess.run(
        ["bash", "-c", FIRST if THOROUGH else MATCH],
        cwd=home,
        env={**os.environ, "COLUMNS": "80", "FORCE_COLOR": "1"},
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_first_command_shows_a_result(report):
    """The first match ends with a table of twelve games.

    The player `random` won none of them, unless the bot was late on a busy machine.
    """
    shown = Text.from_ansi(report).plain
    row = re.search(r"^ ?c4-bot +(\d+) +(\d+) +(\d+) +(\d+) ", shown, re.MULTILINE)
    won, drawn, lost, forfeits = map(int, row.groups())
    assert won + drawn + lost == 12
    assert lost <= forfeits
    check_no_forfeits(shown)  # but for being late
    assert re.search(rf"^ ?c4-bot --plays random +{lost} +{drawn} +{won} ", shown, re.MULTILINE)


def test_readme_shows_what_one_sees(report, request):
    """The picture has the command, and the parts of the real report that do not depend on games."""
    if request.config.getoption("refresh_golden"):
        PICTURE.write_text(picture(report), encoding="utf-8")
    assert f"]({PICTURE.relative_to(ROOT)})" in README
    shown = html.unescape(re.sub("<[^>]*>", "\n", PICTURE.read_text(encoding="utf-8")))
    lines = [MATCH, *Text.from_ansi(report).plain.splitlines()]
    fixed = [line for line in lines if ALWAYS.match(line)]
    assert len(fixed) > 8
    for line in fixed:
        for word in re.findall("[A-Za-z]{2,}", line):
            assert re.search(rf"\b{word}\b", shown), line


def picture(output: str) -> str:
    """Return a command's output in a terminal as an SVG."""
    console = Console(record=True, width=80, file=StringIO(), force_terminal=True)
    console.print(Text(f"$ {MATCH}", "bold"), Text.from_ansi(output.rstrip()), sep="\n\n")
    return console.export_svg(title="c4-referee match", unique_id="match")


def test_rest_is_followed(report, home, tmp_path):
    """After the first command, its bot is saved, and all commands but the tests work."""
    rest = README.partition(FIRST)[2].partition("```\n")[2]
    page = tmp_path / "rest.md"
    page.write_text(rest.replace(f"```sh\n{TEST_COMMAND}\n```\n", ""), encoding="utf-8")
    assert follow(page, home, home / ".venv" / "bin") == 2
    assert (home / "bot.py").is_file()
    assert (home / "evening" / "site" / "index.html").is_file()


@pytest.mark.weekly
def test_package_is_installed_by_its_name(wheel, tmp_path):
    """Both pipx and uvx install the package by its name, if an index or a folder has it."""
    venv.create(tmp_path, with_pip=True)
    places = ("PIP_FIND_LINKS", "UV_FIND_LINKS"), ("PIPX_HOME", "PIPX_BIN_DIR", "PIPX_MAN_DIR")
    environment = os.environ | dict.fromkeys(places[0], str(wheel.parent))
    environment |= {name: str(tmp_path / name) for name in places[1]}
    environment["PATH"] = f"{tmp_path / 'bin'}:{tmp_path / 'PIPX_BIN_DIR'}:{os.environ['PATH']}"
    by_pipx = re.search("^pipx install .*", RELEASE, re.MULTILINE)[0]
    by_uvx = re.search("`(uvx .* c4-bot) --web`", RELEASE)[1]
    for command in ("pip install -q pipx uv", by_pipx, "c4-bot --version", f"{by_uvx} --version"):
        done = subprocess.run(
            ["sh", "-c", command], env=environment, check=True, capture_output=True
        )
    assert done.stdout.startswith(b"c4-bot 0.")
    assert list(tmp_path.glob("PIPX_MAN_DIR/man1/c4-bot.1"))


@pytest.mark.weekly
@needs_sandbox
def test_guide_for_instructors_works_after_the_installation(report, home):
    """In the clone in which the README's commands ran, the guide leads to a site and feedback."""
    follow(home / "docs" / "class.md", home, home / ".venv" / "bin")
    assert (home / "trial" / "site" / "index.html").is_file()
    assert (home / "trial" / "feedback" / "feedback.zip").is_file()


def test_ci_types_what_the_readme_says():
    """CI takes the test command from the README, and its weekly run types the first command."""
    assert f"<!-- the test command -->\n```sh\n{TEST_COMMAND}\n```\n" in README
    assert TEST_COMMAND.endswith("pytest")
    assert "<!-- the test command -->" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "ARENA_TESTS=thorough .ci/run" in WEEKLY
