"""Games of people against real bots in a browser."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pytest
from browsing import DESKTOP, PHONE, findings, scrolls_sideways

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

ROOT = Path(__file__).parents[2]
PYTHON = f"{sys.executable} -S -E"
BOTS = f"""
[bots."minimal.py"]
command = "{PYTHON} {ROOT}/examples/minimal.py"
time_ms = 60000
[bots."one_ahead.js"]
command = "node {ROOT}/examples/one_ahead.js"
time_ms = 60000
[bots.crash]
command = "{PYTHON} {ROOT}/tests/bots/misbehaving.py writes_escapes"
time_ms = 60000
[bots.light]
command = "{PYTHON} {ROOT}/tests/bots/light.py"
time_ms = 60000
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory) -> Iterator[str]:
    """Serve some bots, and yield the address."""
    bots = tmp_path_factory.mktemp("bots") / "bots.toml"
    bots.write_text(BOTS)
    command = [sys.executable, "-m", "c4_referee", "serve", "--bots", bots, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        yield f"{server.stdout.readline().strip()}play/"
        server.terminate()


@pytest.fixture
def start(reader, address):
    """Return a function that opens the page on which a game begins."""
    reader.server = address.removesuffix("play/")
    return lambda window=DESKTOP, **settings: reader.open(address, window, **settings)


def begin(page: "Page", bot: str, variant: str = "standard", seat: int = 1) -> None:
    """Choose a bot, and begin."""
    page.select_option("[name=bot]", bot)
    page.select_option("[name=variant]", variant)
    page.check(f"[value='{seat}']")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/games/*/")


RESULT = r"(You (win|lose): 4 in a row|A draw: the board is full) after \d+ moves."
FREE = ".press button[aria-disabled=false]"
"""Selector of the free columns or cells."""


def play(page: "Page") -> str:
    """Click free columns or cells until the game has ended, and return its result."""
    for _ in range(70):
        page.wait_for_selector(f"{FREE}:visible, #again:visible")
        if page.is_visible("#again"):
            return page.text_content("#turn")
        before = page.locator("#moves li").count()
        page.locator(FREE).first.click()
        page.wait_for_selector(f"#moves li:nth-child({before + 1})")
    raise AssertionError("the game has no end")


@pytest.mark.parametrize(
    ("bot", "variant", "seat"),
    [
        ("minimal.py", "5x4", 1),
        pytest.param("one_ahead.js", "standard", 2, marks=pytest.mark.weekly),
        pytest.param("light", "line8", 1, marks=pytest.mark.weekly),
    ],
)
def test_whole_game(start, bot, variant, seat):
    """A person plays to the end in either colour. The replay shows the same result."""
    page = start()
    begin(page, bot, variant, seat)
    result = play(page)
    assert re.fullmatch(RESULT, result)
    with page.expect_download() as download:
        page.click("text=Save the record")
    record = orjson.loads(Path(download.value.path()).read_bytes())
    assert record[("first", "second")[seat - 1]] == "guest"
    page.click("text=Replay")
    assert page.text_content("#facts b").endswith(result.partition(":")[2])


@pytest.mark.weekly
def test_steal_and_keys(start):
    """The steal has a button. Digits play columns. A page that is opened again shows the game."""
    page = start()
    begin(page, "light", "codingame", 2)
    page.get_by_role("button", name="Take over the first stone").click()
    page.wait_for_selector("#moves li:nth-child(3)")
    page.keyboard.press("5")
    page.wait_for_selector("#moves li:nth-child(5)")
    moves = page.locator("#moves li > .p1, #moves li > .p2").all_text_contents()
    assert [moves[1], moves[3]] == ["s", "5"]
    page.reload()
    page.wait_for_selector("#moves li:nth-child(5)")
    assert page.locator("#moves li > .p1, #moves li > .p2").all_text_contents() == moves


def test_bot_that_crashes_in_the_middle(start):
    """The page says what went wrong, and shows its standard error, without control characters."""
    page = start()
    begin(page, "crash")
    result = play(page)
    assert result.startswith("You win: crash failed at move 2")
    assert "goodbye" in page.text_content("#stderr")
    page.click("#other")
    page.wait_for_selector("h1 .p1:text('crash')")


@pytest.mark.weekly
def test_values_come_from_the_engine_of_the_page(start):
    """The values of the columns are exact: in a lost game, each of them is a loss."""
    page = start()
    begin(page, "one_ahead.js", "5x4")
    page.click("#values")
    page.wait_for_selector(":nth-match(.chips :is(.win, .draw, .loss), 5)")


@pytest.mark.weekly
def test_lost_connection_is_regained(start):
    """After a lost connection, the page shows all moves once. The first two streams are cut."""
    started = 'retry: 100\ndata: {"event":"snapshot"}\n\ndata: {"event":"game_started"}\n\n'
    move = 'data: {"event":"move","ply":0,"bot":"guest","move":0,"ms":1}\n\n'
    page, cuts = start(), [started, started + move]

    def cut(route: "Route") -> None:
        if cuts:
            route.fulfill(body=cuts.pop(0), content_type="text/event-stream")
        else:
            route.continue_()

    page.route("**/events", cut)
    begin(page, "minimal.py")
    page.wait_for_selector("#turn:text('connection is lost')")
    page.wait_for_selector(f"body:not(:has(#moves li)) {FREE}")
    page.keyboard.press("1")
    page.wait_for_selector("#moves li:nth-child(2)")
    assert page.locator("#moves li").count() == 2


@pytest.mark.parametrize(
    "window", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.weekly)], ids=["phone", "desktop"]
)
def test_pages_fit_and_have_no_findings(start, window):
    """The pages fit the window, and axe finds nothing, before, during and after a game."""
    page = start(window, dark=window == PHONE)
    for step in (lambda: None, lambda: begin(page, "minimal.py", "5x4"), lambda: play(page)):
        step()
        assert not scrolls_sideways(page)
        assert findings(page) == []
