"""The built pages belong to their sources."""

import re
import tempfile
from pathlib import Path

import bundle
import make_page
import make_scripts
import pytest
from browsing import go_without
from c4_protocol.rules.picture import ATTRIBUTES_BY_CLASS


@pytest.mark.parametrize(
    ("folder", "made_from", "program"),
    [
        (make_page.PAGE, make_page.digests(), "bot/web/make_page.py"),
        (make_scripts.STATIC, make_scripts.made_from(), "referee/web/make_scripts.py"),
    ],
    ids=["page", "reports"],
)
def test_built_files_were_made_from_these_sources(folder, made_from, program):
    """The digests beside built files are those of the files in the repository."""
    built = (folder / bundle.DIGESTS).read_text(encoding="ascii").splitlines()
    assert built == made_from.splitlines(), f"older than the sources: python {program}"


def test_pictures_have_the_colours_of_the_pages():
    """What stands alone, such as a picture in a notebook, has no other colours than the tokens."""
    tokens = (bundle.SHARED / "tokens.css").read_text(encoding="utf-8")
    shared = [(bundle.SHARED / name).read_text("utf-8") for name in ("picture.js", "sent.js")]
    curve = (make_scripts.SOURCE / "replay" / "curve.js").read_text(encoding="utf-8")
    for text in (*shared, curve, *ATTRIBUTES_BY_CLASS.values()):
        assert {*re.findall("#[0-9a-f]{3,6}", text)} <= {*re.findall("#[0-9a-f]{3,6}", tokens)}


def test_scripts_of_reports_can_be_built_again():
    """The same sources give the same files, byte by byte."""
    if not bundle.ESBUILD.exists():
        go_without("run npm ci --ignore-scripts --prefix tests/browser")
    for name, content in make_scripts.made_files().items():
        assert (make_scripts.STATIC / name).read_bytes() == content, name


@pytest.mark.weekly
def test_the_page_can_be_built_again():
    """The same sources give the same files, byte by byte."""
    pytest.importorskip("ziglang")
    with tempfile.TemporaryDirectory() as folder:
        files = make_page.made_files(Path(folder))
    kept = {path.name: path.read_bytes() for path in make_page.PAGE.iterdir()}
    assert files.keys() == kept.keys()
    assert [name for name, content in files.items() if kept[name] != content] == []
