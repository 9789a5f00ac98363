"""Pages are followed literally: docs/migrate, docs/pipes.md, and the guides for a class."""

import os
import re
import shutil
from pathlib import Path

import pytest
from effort import one_in
from followed import follow
from views import needs_sandbox

pytestmark = pytest.mark.documented

FOLDER = Path(__file__).parents[2] / "docs" / "migrate"
PIPES = Path(__file__).parents[2] / "docs" / "pipes.md"
CLASS, STUDENT = PIPES.with_name("class.md"), PIPES.with_name("student.md")
EXAMPLES = Path(__file__).parents[2] / "examples"
PAGES = sorted(page for page in FOLDER.glob("*.md") if page.name != "README.md")


@pytest.mark.parametrize("page", one_in(4, PAGES), ids=lambda page: page.stem)
def test_page_is_followed(page, tmp_path):
    """Every command of the page succeeds, and prints exactly what the page shows."""
    assert follow(page, tmp_path) >= 1


def test_every_page_is_listed():
    """The list of pages has every page, and there is one for each platform."""
    listed = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert len(PAGES) == 7
    assert all(f"({page.name})" in listed for page in PAGES)


@pytest.mark.weekly
def test_recipes_print_what_the_page_shows(tmp_path):
    """Every recipe succeeds, and prints exactly what the page shows."""
    if shutil.which("jq") is None and os.environ.get("ARENA_PLATFORMS") != "required":
        pytest.skip("jq is not installed")
    assert follow(PIPES, tmp_path) >= 8
    assert (tmp_path / "games" / "games.jsonl").exists()


@needs_sandbox
@pytest.mark.weekly
def test_guide_for_instructors_is_followed(tmp_path):
    """In a folder with the examples, the guide leads to a site, feedback and a replay."""
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    assert follow(CLASS, tmp_path) == 4
    trial = tmp_path / "trial"
    assert (trial / "site" / "index.html").is_file()
    assert len([*trial.glob("runs/*/replays/1-1")]) == 1
    for name, text in (("ada", "is ready and plays"), ("linus", "ended with exit code 1")):
        assert text in (trial / "feedback" / name / "feedback.md").read_text(encoding="utf-8")
    students = (trial / "submissions" / "students.json").read_text(encoding="utf-8")
    assert re.search(r"it does not compile: bot\.c:1:\d+: error: ", students)


@needs_sandbox
@pytest.mark.weekly
def test_guide_for_students_is_followed(tmp_path):
    """In an empty folder, the guide leads to the page that a student would get."""
    assert follow(STUDENT, tmp_path) == 2
    feedback = tmp_path / "my-class" / "feedback" / "me"
    assert (feedback / "index.html").is_file()
    assert "found by bot.toml" in (feedback / "feedback.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "page",
    [
        "```sh\nfalse\n```\n",
        "```sh\nfalse | true\n```\n",
        "```sh\necho 1\n```\n\n```text\n2\n```\n",
        "```python\nprint()\n```\n",
    ],
)
def test_a_page_that_is_wrong_fails(tmp_path, page):
    """A command that fails, another output and an unexplained block are noticed."""
    path = tmp_path / "page.md"
    path.write_text(page, encoding="utf-8")
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        follow(path, tmp_path)
