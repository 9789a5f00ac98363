"""Links and names in documents exist, and the boxes that they show do what they say."""

import re
import shutil
from pathlib import Path

import languages
import pytest
from c4_protocol.program.errors import ArenaError
from effort import sampled
from followed import BLOCK, follow

pytestmark = pytest.mark.documented

ROOT = Path(__file__).parents[2]
RECORDS = ROOT / "tests" / "golden" / "records"
PARTS = ("", "bot", "bot/native", "referee", "protocol")
"""Folders to which a path in a document may be relative."""
PLACES = ("*", "docs/**/*", "bot/**/*", "referee/**/*", "protocol/**/*", "examples/*")
DOCUMENTS = sorted(
    path for place in (*PLACES, "tests/bench/*") for path in ROOT.glob(f"{place}.md")
)
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SOURCE = re.compile(r"`([\w.-]+(?:/[\w.-]+)+\.(?:py|md|toml|hpp|cpp|json|html|jinja))`")
MADE = ("class/", "trial/", "my-class/")
"""Folders that commands in documents make."""
SHOWN_BY_EXAMPLE = re.compile(r"^\W*(?:Run it with `)?(c4-referee match [^`\n]*)", re.MULTILINE)
EXAMPLES = {
    path: found
    for path in sorted((ROOT / "examples").rglob("*.*"))
    if path.suffix not in {".toml", ".md"} and path.is_file()
    for found in SHOWN_BY_EXAMPLE.findall(path.read_text(encoding="utf-8"))
}
"""The command at the beginning of each example."""
SAMPLE = [path for path in EXAMPLES if path.name in {"centre.sh", "uci.py"}]


def named(path: Path) -> str:
    """Return a document's path, relative to the root of the project."""
    return str(path.relative_to(ROOT))


PAGES = [
    named(path)
    for path in DOCUMENTS
    if BLOCK.search(path.read_text(encoding="utf-8")) and path != ROOT / "README.md"
]
"""Pages with boxes, except the README: ``test_readme.py`` runs its commands."""
LONG = {
    "class.md", "dialects.md", "migrate.md", "pipes.md", "players.md", "results.md", "student.md",
    "training.md", "tuning.md",
}  # fmt: skip
QUICK = [page for page in PAGES if Path(page).name not in LONG]
"""Pages that each run of the slow tests follows. The others play many games, so they are weekly."""


def links(path: Path) -> list[str]:
    """Return the targets of the links of a document, without those to other sites."""
    text = SPAN.sub("", FENCED.sub("", path.read_text(encoding="utf-8")))
    return [target for target in LINK.findall(text) if ":" not in target]


def anchors(path: Path) -> set[str]:
    """Return the anchors of a document's headings."""
    text = FENCED.sub("", path.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_links_and_files_exist(path):
    """Every link leads to a file, and to a heading if it names one; every source file exists."""
    for target in links(path):
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        assert found.exists(), f"{named(path)}: there is no {target}"
        if anchor:
            assert anchor in anchors(found), f"{named(path)}: no heading for {target}"
    for name in SOURCE.findall(path.read_text(encoding="utf-8")):
        places = [path.parent, *(ROOT / part for part in PARTS)]
        is_known = name.startswith(MADE) or path.name == "CHANGELOG.md"
        assert is_known or any((place / name).exists() for place in places), f"no {name}"


def test_pages_and_links_are_found():
    """The functions above find documents and links."""
    assert {"README.md", "docs/PROTOCOL.md", "bot/README.md"} <= set(map(named, DOCUMENTS))
    assert len(links(ROOT / "docs" / "PROTOCOL.md")) > 10


@pytest.fixture
def folder(tmp_path):
    """Return a folder with the examples, the tests, and games of other programs."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    (tmp_path / "replays").mkdir()
    for record, name in (
        ("cutechess.pgn", "games.pgn"), ("moves.csv", "games.csv"),
        ("kaggle.json", "replay.json"), ("kaggle.json", "replays/1.json"),
    ):  # fmt: skip
        shutil.copy(RECORDS / record, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("page", sampled(PAGES, QUICK))
def test_boxes_do_what_the_page_says(page, folder):
    """All boxes of a page run in order, and print exactly what the page shows."""
    follow(ROOT / page, folder)


@pytest.mark.parametrize(
    "page",
    [
        "```sh\nfalse\n```\n",
        "```sh\nfalse | true\n```\n",
        "```sh\necho 1\n```\n\n```text\n2\n```\n",
        "```python\nprint(1)\n```\n```text\n2\n```\n",
        "```python\n1 // 0\n```\n",
        "```toml\n[bots.a]\ncommand = 3\n```\n",
        '```json\n{"move":"3"}\n```\n',
        "```text\nreferee  go!\nbot      7\n```\n",
        "```cobol\nSTOP RUN.\n```\n",
    ],
)
def test_a_page_that_is_wrong_fails(tmp_path, page):
    """A box that fails, another output, a wrong message and an unexplained box are noticed."""
    path = tmp_path / "page.md"
    path.write_text(page, encoding="utf-8")
    with pytest.raises((AssertionError, ArithmeticError, ArenaError, pytest.fail.Exception)):
        follow(path, tmp_path)


@pytest.mark.parametrize("path", sampled(EXAMPLES, SAMPLE), ids=lambda path: path.name)
def test_command_of_an_example_works(path, folder):
    """The command in an example works. Two games are played instead of ten."""
    languages.command(path)
    page = folder / "page.md"
    page.write_text(f"```sh\n{EXAMPLES[path]} --games 2 --no-accuracy\n```\n", encoding="utf-8")
    assert follow(page, folder) == 1


def test_examples_show_commands():
    """Examples in all languages show a command."""
    assert {path.suffix for path in EXAMPLES} >= {".py", ".sh", ".js", ".pl", ".c", ".java", ".rkt"}
