"""The board in German and in English."""

import pytest
from browsing import BOARD, PHONE, findings, scrolls_sideways

SAME = {"c4-arena", "Analyse", "Orange", "Link", "Precept", "SVG", "Enter", "Esc"}
WORDS = """() => [...document.querySelectorAll('body *:not(noscript)')].flatMap((node) => {
  const texts = [...node.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
  return [...texts.map(({ data }) => data.trim()), node.ariaLabel ?? '', node.title ?? ''];
}).filter((text) => /\\p{L}{2}/u.test(text))"""
REFUSE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused') } })"
FULL = "Storage.prototype.setItem = () => { throw new Error('full') }"
TOPS = "(nodes) => nodes.map((node) => node.getBoundingClientRect().top)"


def test_nothing_is_left_in_english(reader):
    """A German browser gets German texts, names and reasons."""
    words = {}
    for locale, reason in (("de-DE", "Besser ist Spalte 6"), ("en-US", "better is column 6")):
        page = reader.open(BOARD.as_uri() + "#445377&mode=analyse", PHONE, locale=locale)
        page.locator(".curve .decisive").wait_for(state="attached")
        page.keyboard.press("w")
        page.locator("#answer", has_text=reason).wait_for()
        page.locator("#bar [aria-expanded]").press("Enter")
        page.fill("textarea", "4458")
        page.locator("#edit > button").press("Enter")
        words[locale] = {page.title(), *page.evaluate(WORDS)}
        page.keyboard.press("Escape")
        for key in ("l", "6"):
            page.keyboard.press(key)
        page.locator(".verdict + p", has_text="6").wait_for()
        words[locale] |= {*page.evaluate(WORDS)}
        assert page.get_attribute("html", "lang") == locale[:2]
        assert not findings(page)
    assert words["de-DE"] & words["en-US"] <= SAME


@pytest.mark.parametrize(
    ("width", "script"), [(320, ""), (360, REFUSE), (360, FULL)], ids=["storage", "none", "full"]
)
def test_switch_keeps_the_game(reader, width, script):
    """Keys change the language for good, also if it cannot be stored. The header stays one line."""
    page = reader.open("about:blank", PHONE | {"width": width}, locale="de-DE")
    page.add_init_script(script)
    page.goto(BOARD.as_uri() + "#4453&side=both")
    page.keyboard.press("u")
    for status in ("Yellow to move", "Gelb ist am Zug"):
        assert len(set(page.locator("header button").evaluate_all(TOPS))) == 1
        assert not scrolls_sideways(page)
        for key in ("Tab", "Tab", "Tab", "Tab", "Enter"):
            page.keyboard.press(key)
        page.get_by_text(status, exact=True).first.wait_for()
        page.reload()
        assert page.inner_text(".status") == status
        assert page.locator(".moves button").count() == 4
