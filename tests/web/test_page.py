"""The built page belongs to its sources."""

import tempfile
from pathlib import Path

import pytest
from c4_bot.web import make

HOW = "the page is older than its sources: python -m c4_bot.web.make"


def test_the_page_was_built_from_these_sources():
    """The digests beside the page are those of the files in the repository."""
    built = (make.PAGE / make.DIGESTS).read_text(encoding="ascii").splitlines()
    assert built == make.digests().splitlines(), HOW


@pytest.mark.weekly
def test_the_page_can_be_built_again():
    """The same sources give the same files, byte by byte."""
    pytest.importorskip("ziglang")
    with tempfile.TemporaryDirectory() as folder:
        files = make.made_files(Path(folder))
    kept = {path.name: path.read_bytes() for path in make.PAGE.iterdir()}
    assert files.keys() == kept.keys()
    assert [name for name, content in files.items() if kept[name] != content] == []
