"""Links and names in documents exist, and the commands that they show work."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import languages
import pytest
from effort import sampled
from followed import check_no_forfeits

pytestmark = pytest.mark.documented

ROOT = Path(__file__).parent.parent.parent
DOCUMENTS = sorted(
    path
    for folder in (
        "",
        "docs/**/",
        "bot/**/",
        "referee/**/",
        "protocol/**/",
        "examples/",
        "tests/bench/",
    )
    for path in ROOT.glob(f"{folder}*.md")
)
BLOCK = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SOURCE = re.compile(r"`([\w.-]+(?:/[\w.-]+)+\.(?:py|md|toml|hpp|cpp|json|html|jinja))`")
MADE = ("class/", "trial/", "my-class/")
"""Folders that commands in documents make."""
PARTS = ("", "bot", "bot/native", "referee", "protocol")
"""Folders to which a path in a document may be relative."""
PAGES = ("PROTOCOL", "board", "c4-bot", "dialects", "players", "solver", "tournament")
SHOWN = [
    *(ROOT / "docs" / f"{page}.md" for page in PAGES),
    *(ROOT / part / "README.md" for part in (*PARTS, "examples") if part),
]
FENCE = re.compile(r"^```sh\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def shown(path: Path) -> list[str]:
    """Return the commands that a document shows, in order."""
    blocks = FENCE.findall(path.read_text(encoding="utf-8"))
    return [command for block in blocks for command in block.splitlines()]


TYPED = {command for command in shown(ROOT / "README.md") if "--out" not in command}
"""Commands that the tests of the README run. Commands with --out are not among them."""
COMMANDS = {command: path for path in SHOWN for command in shown(path) if command not in TYPED}
LONG = {"dialects.md", "players.md", "solver.md", "tournament.md"}
"""Pages with commands that take long."""
SHOWN_BY_EXAMPLE = re.compile(r"^\W*(?:Run it with `)?(c4-referee match [^`\n]*)", re.MULTILINE)
EXAMPLES = {
    path: found
    for path in sorted((ROOT / "examples").rglob("*.*"))
    if path.suffix not in {".toml", ".md"} and path.is_file()
    for found in SHOWN_BY_EXAMPLE.findall(path.read_text(encoding="utf-8"))
}
"""The command at the beginning of each example."""
SAMPLE = [path for path in EXAMPLES if path.name in {"centre.sh", "uci.py"}]


def links(path: Path) -> list[str]:
    """Return the targets of the links of a document, without those to other sites."""
    text = SPAN.sub("", BLOCK.sub("", path.read_text(encoding="utf-8")))
    return [target for target in LINK.findall(text) if ":" not in target]


def anchors(path: Path) -> set[str]:
    """Return the anchors of a document's headings."""
    text = BLOCK.sub("", path.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def named(path: Path) -> str:
    """Return a document's path, relative to the root of the project."""
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_links_lead_somewhere(path):
    """Every link leads to a file, and to a heading if it names one, that exists."""
    for target in links(path):
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        assert found.exists(), f"{named(path)}: there is no {target}"
        if anchor:
            assert anchor in anchors(found), f"{named(path)}: no heading for {target}"


@pytest.mark.parametrize(
    "path", [path for path in DOCUMENTS if path.name != "CHANGELOG.md"], ids=named
)
def test_source_files_that_are_named_exist(path):
    """Every path of a source file in a document is that of an existing file."""
    for name in SOURCE.findall(path.read_text(encoding="utf-8")):
        places = [path.parent, *(ROOT / part for part in PARTS)]
        is_made = name.startswith(MADE)
        assert is_made or any((place / name).exists() for place in places), f"{path}: no {name}"


def test_links_are_found():
    """The functions above find documents and links."""
    assert {"README.md", "docs/PROTOCOL.md", "bot/README.md"} <= set(map(named, DOCUMENTS))
    assert len(links(ROOT / "docs" / "PROTOCOL.md")) > 10


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the examples, in which one command may leave files for the next."""
    place = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "examples", place / "examples")
    return place


@pytest.mark.parametrize(
    "command", sampled(COMMANDS, [each for each in COMMANDS if COMMANDS[each].name not in LONG])
)
def test_shown_command_works(command, folder):
    """Each command, in the order of the page, ends with exit code 0 and prints something."""
    check_works(command, folder)


@pytest.mark.parametrize("path", sampled(EXAMPLES, SAMPLE), ids=lambda path: path.name)
def test_command_of_an_example_works(path, folder):
    """The command in an example works. Two games are played instead of ten."""
    languages.command(path)
    check_works(f"{EXAMPLES[path]} --games 2 --no-accuracy", folder)


def test_examples_show_commands():
    """Examples in all languages show a command."""
    assert {path.suffix for path in EXAMPLES} >= {".py", ".sh", ".js", ".pl", ".c", ".java", ".rkt"}


def check_works(command, folder):
    """Check that a command ends with exit code 0, and prints something but no forfeits."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    assert done.stdout
    check_no_forfeits(done.stdout.decode())
