"""Pages of a contest in a browser: links, tables, hostile texts, accessibility, phone and paper."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsed import FREE, HOSTILE, LONG, MARKUP, RANDOM, TOURNAMENT, TUNED
from browsing import PHONE, Reader, findings, scrolls_sideways
from effort import one_in
from playwright.sync_api import expect
from sites import broken_links

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGES = {
    "contests": "index.html",
    "standings": f"{TOURNAMENT}/index.html",
    "bot with a fault": f"{TOURNAMENT}/bots/3.html",
    "bot with mistakes": f"{RANDOM}/bots/1.html",
    "match": f"{RANDOM}/index.html",
    "hostile standings": f"{HOSTILE}/index.html",
    "hostile bot": f"{HOSTILE}/bots/1.html",
    "bot with a long name": f"{HOSTILE}/bots/2.html",
    "hostile game": f"{HOSTILE}/games/1.html",
    "hostile forfeit": f"{HOSTILE}/games/2.html",
    "void game": f"{HOSTILE}/games/4.html",
    "free placement": f"{FREE}/games/1.html",
    "experiment": f"../{TUNED}/report.html",
    "tuning run": f"../{TUNED}/04-300-rounds/report.html",
}
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
FOCUS = """(() => {
    const node = document.activeElement, style = getComputedStyle(node);
    return node === document.body ? null : [node.tagName, style.outlineStyle, style.outlineWidth];
})()"""
"""Script that returns the element that has the focus and how it is marked, or null."""
SMALLEST_TEXT = """(() => {
    const sizes = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const node = texts.currentNode.parentElement, box = node.getBoundingClientRect();
        if (!texts.currentNode.data.trim() || node.closest(".unseen") || !box.width) continue;
        const svg = node.ownerSVGElement;
        const scale = svg && svg.viewBox.baseVal.width ? svg.getScreenCTM().a : 1;
        sizes.push(parseFloat(getComputedStyle(node).fontSize) * scale);
    }
    return Math.min(...sizes);
})()"""
"""Script that returns the size of the smallest text on a page, in pixels."""
CUT = """[...document.querySelectorAll(".frame")]
    .filter((frame) => frame.scrollWidth > frame.clientWidth).map((frame) => frame.ariaLabel)"""
"""Script that returns the tables that do not fit."""
COLLISIONS = """(() => {
    const labels = [...document.querySelectorAll(".axis text, .standings th")].flatMap((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = (node.tagName === "TH" ? range : node).getBoundingClientRect();
        const isLabel = box.width && !node.querySelector(".axis");
        return isLabel ? [[box.left, box.right, node.textContent]] : [];
    }).sort((one, two) => one[0] - two[0]);
    return labels.slice(1).filter(([left], i) => left < labels[i][1] + 4).map((label) => label[2]);
})()"""
"""Script that returns headings of the standings that are less than 4 pixels after another one."""
HARMLESS = "\\x1b[2J\\x00\\u202eevil\\u2066"
"""Text that a page shows in place of control characters."""

pages = pytest.mark.parametrize("name", one_in(3, PAGES))


def texts(page: "Page", selector: str) -> list[str]:
    """Return the texts of elements."""
    return [text.strip() for text in page.locator(selector).all_inner_texts()]


def test_from_the_standings_to_a_move(site: Path, reader: Reader):
    """A cell of the crosstable leads to its games, and a game to its moves."""
    page = reader.open(site / PAGES["standings"])
    cell = page.locator("table.cross tbody tr").first.locator("td").nth(1)
    cell.get_by_role("link").click()
    meeting = page.locator(":target")
    assert texts(page, "h1")[0] == "needed"
    assert "windows" in meeting.inner_text()
    meeting.locator("a[href*=games]").first.click()
    assert "windows" in page.inner_text("h1")
    assert "needed" in page.inner_text("h1")
    page.keyboard.press("Home")
    assert page.inner_text(".counter").startswith("move 0 ")
    page.go_back()
    page.go_back()
    assert page.title() == "Evening cup: standings"
    assert "#" not in page.url


def test_table_that_goes_on_fades_at_its_edge(site: Path, reader: Reader):
    """A crosstable that does not fit fades at the right, until keys have scrolled it to its end."""
    page = reader.open(site / PAGES["standings"], {"width": 150, "height": 740})
    frame = page.locator(".frame.cross")
    expect(frame).to_have_class("frame cross more")
    for _ in range(9):
        frame.press("ArrowRight")
    expect(frame).to_have_class("frame cross")
    assert findings(page) == []


def test_every_link_leads_somewhere(site: Path):
    """No link of the site is broken, even if the site is in a folder with an odd name."""
    assert broken_links(site) == []


def test_tables_are_sorted(site: Path, reader: Reader):
    """A button above a column sorts by it, says so, and turns the order at the second click."""
    page = reader.open(site / PAGES["standings"])
    names = "table.sortable tbody .name"
    assert texts(page, names) == ["needed", "windows", "sloppy"]
    button = page.get_by_role("button", name="Bot")
    heading = page.locator("th[aria-sort]")
    button.click()
    assert texts(page, names) == ["needed", "sloppy", "windows"]
    assert heading.get_attribute("aria-sort") == "ascending"
    button.focus()
    page.keyboard.press("Enter")
    assert texts(page, names) == ["windows", "sloppy", "needed"]
    assert heading.get_attribute("aria-sort") == "descending"
    page.get_by_role("button", name="Forfeits").click()
    assert texts(page, names)[0] == "sloppy"
    assert heading.count() == 1


@pages
def test_page_can_be_read(site: Path, reader: Reader, name: str):
    """A page fits every window, has no small text, and no serious fault of accessibility."""
    page = reader.open(site / PAGES[name])
    assert not scrolls_sideways(page)
    page.set_viewport_size(PHONE)
    assert not scrolls_sideways(page)
    assert page.evaluate(SMALLEST_TEXT) >= 12
    assert findings(page) == []
    light = page.evaluate(BACKGROUND)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(BACKGROUND) != light
    assert findings(page, "color-contrast") == []


@pytest.mark.parametrize("name", ["standings", "match", "bot with mistakes"])
def test_tables_are_neither_cut_nor_crowded(site: Path, reader: Reader, name: str):
    """At usual widths no table scrolls sideways, and no label stands on another one."""
    page = reader.open(site / PAGES[name])
    for width in (360, 900, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(CUT) == []
        assert page.evaluate(COLLISIONS) == []


def test_hostile_texts_are_shown_as_text(site: Path, reader: Reader):
    """Markup in names, faults, standard error and remarks is text. Control characters are shown."""
    for name in ("contests", "hostile standings", "hostile game", "hostile forfeit", "hostile bot"):
        page = reader.open(site / PAGES[name])
        text = page.locator("body").text_content()
        assert MARKUP in text
        assert HARMLESS in text
        assert not {*"\x1b\x00\u202e\u2066"} & set(page.content())
        assert not page.locator("img").count()
    for details in page.locator("details").all():
        details.evaluate("(node) => { node.open = true; }")
    assert LONG in "".join(texts(page, "pre"))


def test_hostile_texts_name_no_file(site: Path):
    """Names of files are numbers, whatever the bots are called."""
    names = {path.stem for path in site.glob("*/*/*.html")}
    assert all(name.isdecimal() for name in names)


def test_damaged_result_is_mentioned(site: Path, reader: Reader):
    """A page says that a result could not be read."""
    page = reader.open(site / PAGES["hostile standings"])
    assert "damaged" in page.inner_text("main") or "could not be read" in page.inner_text("main")


def test_without_a_script(site: Path, reader: Reader):
    """All tables are there without scripts."""
    page = reader.open(site / PAGES["standings"], java_script_enabled=False)
    assert texts(page, "tbody .name")[:3] == ["needed", "windows", "sloppy"]
    assert page.locator("table.cross").is_visible()
    assert page.locator("#conditions").is_visible()


def test_on_paper(site: Path, reader: Reader):
    """On paper there are no buttons, and everything that is folded on the screen can be read."""
    page = reader.open(site / PAGES["standings"])
    page.emulate_media(media="print")
    assert page.locator("table.cross").is_visible()
    assert not page.get_by_role("navigation").first.is_visible()


def test_standings_by_keyboard(site: Path, reader: Reader):
    """Tab reaches every link and button, and each is marked visibly."""
    page = reader.open(site / PAGES["standings"])
    wanted = page.locator("a:visible, button:visible, summary:visible").count()
    reached = 0
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        marked = page.evaluate(FOCUS)
        if marked is None:
            break
        assert marked[1:] == ["solid", "2px"], marked
        reached += marked[0] in {"A", "BUTTON", "SUMMARY"}
    assert reached == wanted
