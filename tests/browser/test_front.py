"""The first page of the documents. Its site is built by ``mkdocs build``, as ``.ci/run`` does."""

from pathlib import Path

import pytest
from browsing import DESKTOP, PHONE, findings, go_without, scrolls_sideways

FRONT = Path(__file__).parents[2] / "site" / "index.html"


@pytest.fixture
def front(reader):
    """Return a function that opens the first page, and returns it with the frame of the board."""
    if not FRONT.exists():
        go_without("the site of the documents is not built: run mkdocs build")

    def open_it(window=DESKTOP, **settings):
        page = reader.open(FRONT, window, **settings)
        frame = page.frame_locator("iframe").locator("html").element_handle().owner_frame()
        return page, frame

    return open_it


def test_the_board_plays(front):
    """The engine is loaded when a person comes near. A click plays, and the level answers."""
    _, frame = front()
    assert frame.evaluate("typeof C4_ENGINE") == "undefined"
    frame.locator(".column").nth(3).click()
    frame.locator(".bo g g").nth(1).wait_for(state="attached")
    assert frame.evaluate("typeof C4_ENGINE") == "object"
    assert frame.evaluate("location.hash") == ""


def test_keys_play(front):
    """Tab leads to the board. Keys play on it, but do not lead to what is not shown there."""
    page, frame = front()
    while page.evaluate("document.activeElement.tagName") != "IFRAME":
        page.keyboard.press("Tab")
    for key in "lm4":
        page.keyboard.press(key)
    frame.locator(".bo g g").nth(1).wait_for(state="attached")
    page.keyboard.press("n")
    frame.locator(".bo g g").first.wait_for(state="detached")


@pytest.mark.parametrize(
    ("window", "dark"), [(DESKTOP, False), (PHONE, True)], ids=["desktop, light", "phone, dark"]
)
def test_the_page_fits_and_is_accessible(front, window, dark):
    """The page and its frame fit the window, and axe finds nothing. The board is in sight."""
    page, frame = front(window, dark=dark)
    assert not scrolls_sideways(page)
    assert frame.evaluate("[scrollX, scrollY] + '' == '0,0'")
    box = page.locator("iframe").bounding_box()
    assert box["y"] + box["height"] < window["height"]
    assert findings(page) + findings(frame) == []
