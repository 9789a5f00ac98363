"""The reader of pages notices what it should complain about."""

from pathlib import Path

import pytest
from browsing import PHONE, Reader, findings, scrolls_sideways

GOOD = '<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1></main></html>'


@pytest.fixture
def page_of(tmp_path: Path, reader: Reader):
    """Return a function that opens the text of a page, in a narrow window."""

    def page_of(text: str, **settings: object):
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        return reader.open(file, PHONE, **settings)

    return page_of


def complaints_of(reader: Reader) -> str:
    """Return the complaints as text, and forget them."""
    text = "\n".join(reader.complaints)
    reader.complaints.clear()
    return text


def test_page_without_faults(page_of, reader):
    """A good page gives no complaint."""
    page = page_of(GOOD)
    assert not scrolls_sideways(page)
    assert findings(page) == []
    assert reader.complaints == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("<script>console.warn('beware')</script>", "console: beware"),
        ("<script>throw new Error('a bug')</script>", "a bug"),
        ("<script src=missing.js></script>", "missing.js"),
        ("<img src='http://localhost:9/x.png' alt=''>", "request: http://localhost:9/x.png"),
    ],
)
def test_faults_are_noticed(page_of, reader, text, complaint):
    """Messages on the console, errors of scripts and requests to other computers are complaints."""
    page_of(GOOD.replace("</main>", f"{text}</main>"))
    assert complaint in complaints_of(reader)


def test_wide_page_is_noticed(page_of):
    """A page that is wider than its window scrolls sideways."""
    assert scrolls_sideways(page_of(GOOD.replace("<h1>", "<h1 style='width:400px'>")))


def test_low_contrast_is_noticed(page_of):
    """The accessibility check finds text without contrast, in the colours of the reader."""
    style = "<style>@media (prefers-color-scheme: dark) {h1 {color: #eee}}</style>"
    page = page_of(style + GOOD, dark=True)
    assert findings(page)
    page.emulate_media(color_scheme="light")
    assert not findings(page)


def test_missing_names_are_noticed(page_of):
    """The accessibility check finds a button without a name."""
    assert "button" in findings(page_of(GOOD.replace("</main>", "<button></button></main>")))[0]
