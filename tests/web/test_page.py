"""The built page belongs to its sources."""

import tempfile
from pathlib import Path

import make_page
import pytest

HOW = "the page is older than its sources: python bot/web/make_page.py"


def test_the_page_was_built_from_these_sources():
    """The digests beside the page are those of the files in the repository."""
    built = (make_page.PAGE / make_page.DIGESTS).read_text(encoding="ascii").splitlines()
    assert built == make_page.digests().splitlines(), HOW


@pytest.mark.weekly
def test_the_page_can_be_built_again():
    """The same sources give the same files, byte by byte."""
    pytest.importorskip("ziglang")
    with tempfile.TemporaryDirectory() as folder:
        files = make_page.made_files(Path(folder))
    kept = {path.name: path.read_bytes() for path in make_page.PAGE.iterdir()}
    assert files.keys() == kept.keys()
    assert [name for name, content in files.items() if kept[name] != content] == []
