"""The recipes of docs/pipes.md work, in an empty folder."""

import os
import shutil
from pathlib import Path

import pytest
from followed import follow

pytestmark = pytest.mark.documented

PAGE = Path(__file__).parents[2] / "docs" / "pipes.md"


@pytest.mark.weekly
def test_recipes_print_what_the_page_shows(tmp_path):
    """Every recipe succeeds, and prints exactly what the page shows."""
    if shutil.which("jq") is None and os.environ.get("ARENA_PLATFORMS") != "required":
        pytest.skip("no jq on this machine")
    assert follow(PAGE, tmp_path) >= 8
    assert (tmp_path / "games" / "games.jsonl").exists()


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
