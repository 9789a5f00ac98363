"""Each page of docs/migrate is followed literally, from an empty folder."""

from pathlib import Path

import pytest
from effort import one_in
from followed import follow

pytestmark = pytest.mark.documented

FOLDER = Path(__file__).parents[2] / "docs" / "migrate"
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
