"""One browser per test file, and a reader per test who complains about broken pages."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsed import SITE, make_site
from browsing import BOARD, DESKTOP, Reader, started_browser
from wheels import make_once

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """Yield the browser of this system."""
    with started_browser() as browser:
        yield browser


@pytest.fixture
def reader(browser: "Browser") -> Iterator[Reader]:
    """Yield a reader, and fail if a page wrote to the console or used a network."""
    reader = Reader(browser)
    yield reader
    reader.close()
    assert not reader.complaints


@pytest.fixture
def open_board(request: pytest.FixtureRequest, reader: Reader) -> Callable[..., "Page"]:
    """Return a function that opens the board at a place such as #4453, in a window of the file."""
    usual = getattr(request.module, "WINDOW", DESKTOP)
    return lambda place="", window=usual, **more: reader.open(
        BOARD.as_uri() + place, window, **more
    )


@pytest.fixture(scope="session")
def site(of_this_run: Path) -> Path:
    """Return the folder of the site. Its name needs escapes in an address."""
    return make_once(of_this_run / "pages", make_site) / SITE
