"""The pages of a server in a browser: a contest in progress, and the view for a room."""

from collections.abc import Iterator

import pytest
from browsing import PHONE, findings, scrolls_sideways
from kept import keep, match
from playwright.sync_api import expect
from served import Script, scripted_server

pytestmark = pytest.mark.linux
MOVES = "4152637"
expect.set_options(timeout=300_000)  # five seconds are too few on a busy machine
STONES = "#boards :is(.b1, .b2)"
ROOM = {"width": 1920, "height": 1080}


@pytest.fixture
def script(monkeypatch, tmp_path, reader) -> Iterator[Script]:
    """Serve a contest in progress of a and b, with a game that has two moves."""
    keep(tmp_path, next(match(1)))
    with scripted_server(monkeypatch, tmp_path, "a", "b") as script:
        reader.server = f"http://127.0.0.1:{script.port}/"
        script.start(1, opening="41")
        yield script
        reader.close()  # before the server ends


def live(script: Script, view: str = "") -> str:
    """Return the address of the page of the contest."""
    key = script.folder.name
    return f"http://127.0.0.1:{script.port}/c/{key}/1/live.html{view}"


def say_moves(script: Script, first: int, last: int) -> None:
    """Make the moves of the game from one ply to another."""
    for ply in range(first, last):
        script.move(1, ply, int(MOVES[ply]) - 1)


def wait_for_stones(page, number: int) -> None:
    """Wait until the boards have this number of stones."""
    expect(page.locator(STONES)).to_have_count(number)


def test_game_is_followed_to_its_end(reader, script):
    """Moves, results, standings and the end arrive without a reload, in an accessible page."""
    page = reader.open(live(script))
    page.evaluate("window.isSame = true")
    wait_for_stones(page, 2)
    say_moves(script, 2, 5)
    wait_for_stones(page, 5)
    assert findings(page) == []
    assert page.locator("figcaption .next").inner_text() == "b"
    script.end(1, MOVES)
    script.progress(1, 2)
    page.get_by_text("a wins", exact=True).wait_for()
    wait_for_stones(page, 7)
    assert "Game 1 a 1-0 b" in page.locator("#results").inner_text()
    script.progress(2, 2, complete=True)
    script.is_running = False
    page.get_by_text("The contest has ended.").wait_for()
    page.get_by_role("link", name="All results").click()
    page.wait_for_url("**/index.html")


def test_lost_connection_is_regained(reader, script):
    """The page says that the connection is lost. Later it gets each missed message once."""
    page = reader.open(live(script))
    wait_for_stones(page, 2)
    page.context.set_offline(True)
    script.cut()
    page.get_by_text("Connection lost, trying again.").wait_for()
    say_moves(script, 2, 5)
    page.context.set_offline(False)
    wait_for_stones(page, 5)
    say_moves(script, 5, 6)
    wait_for_stones(page, 6)
    assert page.locator("#status").inner_text() == ""
    assert all("net::ERR_" in each for each in reader.complaints)
    reader.complaints.clear()


def test_view_for_a_room_rotates(reader, script, monkeypatch):
    """One large board is shown, the leaders' games in turn, and nothing can be clicked."""
    script.start(2, "a", "c")
    page = reader.open(live(script, "?view=room"), ROOM, dark=True)
    page.clock.install()
    page.reload()
    page.locator("#boards .bf").wait_for()
    before = page.locator("figcaption").text_content()
    page.clock.run_for(10_100)
    expect(page.locator("figcaption")).not_to_have_text(before)
    assert page.locator("figure").count() == 1
    box = page.locator("#boards svg").bounding_box()
    assert box["height"] > 600
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert findings(page) == []


@pytest.mark.weekly
def test_live_page_fits_on_a_phone(reader, script):
    """No page of the server is wider than a phone, in light or dark colours."""
    script.start(2, "W" * 60, "\u4e2d" * 40)
    for address in (live(script), f"http://127.0.0.1:{script.port}/"):
        page = reader.open(address, PHONE, dark=True)
        assert not scrolls_sideways(page)
        assert findings(page) == []
