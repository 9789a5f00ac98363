"""A replay in a browser: steps, links, keys, values, and what it shows without a script."""

import json
import re
import subprocess
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import orjson
import pytest
from browsed import FREE, RANDOM, RANDOM_GAMES, SCRIPTS, SINGLE, TOURNAMENT
from browsing import PHONE, Reader, findings, scrolls_sideways
from c4_referee.records.stats.solved import Change, GameAnalysis
from c4_referee.report.site.replay_page import single_file
from effort import one_in
from games import game_of

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

LINE = re.compile(r"^#(\d+)([rb])(\d+)$")
ALL_VALUES = """(plies) => Array.from({ length: plies }, () => {
    const chips = [...document.querySelectorAll(".chips g")].filter((g) => g.childElementCount > 1);
    const text = (node, tag) => node.querySelector(tag).textContent;
    const found = [chips.map((g) => [text(g, "title"), text(g, "text")]), text(document, ".card")];
    const key = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true });
    document.body.dispatchEvent(key);
    return found;
})"""
"""Function that steps through a game, and returns the values above the board at each ply, each with
its description, and the text beside the board."""


@pytest.fixture
def open_game(site, reader: Reader):
    """Return a function that opens a game of the site, perhaps at a place such as #17."""

    def open_game(game: int = 1, place: str = "", contest: str = RANDOM, **settings):
        address = (site / f"{contest}/games/{game}.html").as_uri() + place
        return reader.open(address, **settings)

    return open_game


def place(page: "Page") -> str:
    """Return what follows the # in the address of a page."""
    return page.evaluate("location.hash")


def counted(page: "Page") -> list[int]:
    """Return the numbers that the counter shows: the ply, and how many there are."""
    return [int(number) for number in re.findall(r"\d+", page.inner_text(".counter"))]


def stones(page: "Page") -> int:
    """Return the number of stones on the board."""
    return page.locator(".stage svg.bo .b1, .stage svg.bo .b2").count()


def data(page: "Page") -> dict:
    """Return the data of a replay."""
    return json.loads(page.locator("#replay").text_content())


def game_with_changes(open_game) -> tuple["Page", list]:
    """Return the page of a random game whose result has changed, and its last change."""
    for game in range(1, RANDOM_GAMES + 1):
        page = open_game(game)
        changes = [change for change in data(page).get("c", []) if change[5]]
        if changes and changes[-1] == data(page)["c"][-1]:
            return page, changes[-1]
    raise AssertionError("no random game has a refutation")


def test_opens_at_its_decisive_move(open_game):
    """A replay shows the position after the decisive move. Its end says how the game ended."""
    page = open_game()
    assert counted(page)[0] == data(page)["c"][-1][0] + 1
    page.keyboard.press("End")
    ply, plies = counted(page)
    assert ply == plies == stones(page) == len(data(page)["m"])
    assert page.inner_text("#facts b") in page.inner_text(".card")


def test_steps_by_keys(open_game):
    """Home, End and the arrows lead to each position, and the address names it."""
    page = open_game()
    plies = len(data(page)["m"])
    for key, ply in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1),
                     ("End", plies), ("ArrowRight", plies), ("ArrowLeft", plies - 1)):  # fmt: skip
        page.keyboard.press(key)
        assert (counted(page)[0], stones(page), place(page)) == (ply, ply, f"#{ply}")


def test_space_plays_and_pauses(open_game):
    """The space bar plays the game from its beginning, and stops it."""
    page = open_game()
    page.keyboard.press("End")
    page.keyboard.press(" ")
    page.wait_for_function("/^move \\d /.test(document.querySelector('.counter').textContent)")
    page.keyboard.press(" ")
    assert page.get_by_role("button", name="Play", exact=True).is_visible()


def test_link_to_a_ply(open_game):
    """A link opens its ply, and back and forward lead through the places that were visited."""
    page = open_game(place="#7")
    assert (counted(page)[0], stones(page)) == (7, 7)
    page.locator(".moves a").nth(2).click()
    assert place(page) == "#3"
    page.locator(".moves a").nth(4).click()
    page.go_back()
    assert (place(page), counted(page)[0]) == ("#3", 3)
    page.go_back()
    assert (place(page), counted(page)[0]) == ("#7", 7)
    page.go_forward()
    assert counted(page)[0] == 3


@pytest.mark.parametrize(
    "where", one_in(3, ["#999", "#-1", "#x", "#4r999", "#99999999999999999999b1", "#%22"])
)
def test_wrong_links_open_a_position(open_game, where):
    """A place that does not exist is no error: some position of the game is shown."""
    page = open_game(place=where)
    assert stones(page) <= 42
    assert page.inner_text(".counter")


def test_decisive_move_and_its_refutation(open_game):
    """The key d leads to the move that lost the game. Its refutation is played on the board."""
    page, change = game_with_changes(open_game)
    page.keyboard.press("Home")
    for _ in data(page)["c"]:
        page.keyboard.press("d")
    assert place(page) == f"#{change[0] + 1}"
    page.keyboard.press("End")
    page.keyboard.press("d")
    assert place(page) == f"#{change[0] + 1}"
    assert "decisive move" in page.inner_text(".card .warn")
    assert "decisive" in page.locator(".moves [aria-current=step]").get_attribute("class")
    page.get_by_role("button", name="Refutation").click()
    assert LINE.match(place(page)).groups() == (str(change[0] + 1), "r", "1")
    page.keyboard.press("End")
    assert stones(page) == change[0] + 1 + len(change[5])
    assert "not played" in page.inner_text(".card")
    page.keyboard.press("Escape")
    assert (place(page), stones(page)) == (f"#{change[0] + 1}", change[0] + 1)
    page.get_by_role("button", name=re.compile(r"Better \d")).click()
    assert LINE.match(place(page)).groups() == (str(change[0] + 1), "b", "1")


def test_values_are_those_of_the_solver(open_game):
    """The values above the board, and the value of the position, equal those of c4-solve."""
    shown = {}
    for game in (1, 2):
        page = open_game(game, "#0")
        moves = data(page)["m"]
        for ply, (chips, text) in enumerate(page.evaluate(ALL_VALUES, len(moves))):
            columns = {int(about.split(":")[0].split()[1]): value for about, value in chips}
            shown[moves[:ply]] = columns, re.search(r"to move: (\S+),", text)[1]
    assert len(shown) >= 60, "plies"
    assert shown == solved(list(shown))


def solved(positions: list[str]) -> dict:
    """Return the values of c4-solve in the form in which pages show them."""
    asked = "".join(f"{moves}\n" for moves in positions).encode()
    command = [SCRIPTS / "c4-solve", "--all", "--json"]
    done = subprocess.run(command, input=asked, capture_output=True, check=True)
    answers = map(orjson.loads, done.stdout.splitlines())
    return {
        moves: (
            {x: signed(score) for x, score in enumerate(answer["scores"], 1) if score is not None},
            signed(answer["score"]),
        )
        for moves, answer in zip(positions, answers, strict=True)
    }


def signed(value: int) -> str:
    """Return a value as pages show it."""
    return f"+{value}" if value > 0 else str(value).replace("-", "\N{MINUS SIGN}")


def test_values_can_be_hidden(open_game):
    """The key v hides the values, and shows them again."""
    page = open_game(place="#4")
    values = page.locator(".chips text").first
    assert values.is_visible()
    page.keyboard.press("v")
    assert not values.is_visible()
    page.keyboard.press("v")
    assert values.is_visible()


def test_curve_leads_to_a_ply(open_game):
    """A click on the curve shows the position there."""
    page = open_game()
    box = page.locator(".curve svg").bounding_box()
    plies = len(data(page)["m"])
    page.mouse.click(box["x"] + box["width"] * 5.5 / (plies + 1), box["y"] + box["height"] / 2)
    assert place(page) == "#5"


def test_curve_is_saved_as_a_picture(open_game):
    """The link below the curve saves a complete SVG file, with the names of both players."""
    page = open_game()
    with page.expect_download() as saved:
        page.locator("a.save").click()
    picture = ET.fromstring(saved.value.path().read_bytes())
    assert saved.value.suggested_filename == "game-1.svg"
    texts = " ".join(element.text or "" for element in picture.iter())
    assert all(name in texts for name in data(page)["p"])
    assert "var(" not in texts


def test_moves_are_announced(open_game):
    """A screen reader announces the move that was made, and what it changed."""
    page, change = game_with_changes(open_game)
    follow_hash = """hash => new Promise((done) => {
        addEventListener("hashchange", () => setTimeout(done), { once: true });
        location.hash = hash;
    })"""
    page.evaluate(follow_hash, f"#{change[0]}")  # the page follows after the event
    page.keyboard.press("ArrowRight")
    text = page.locator("[aria-live=polite]").text_content()
    assert text.startswith(f"Move {change[0] + 1}, ")
    assert change[6] in text


REASON = (
    "Column 2 turns a win into a loss: it gives the opponent row 4 of column 2 & <b>; column 4 "
    "blocks the line in columns 1, 2, 3 and 4 and makes two threats at once, in columns 2 and 6."
)


@pytest.mark.parametrize("reason", [REASON, ""])
def test_note_of_a_change_is_its_reason(reader, tmp_path, reason):
    """Beside the board and for screen readers, a known reason replaces the usual words."""
    changes = tuple(Change(ply, 2, -3, ("4",), reason=reason) for ply in (3, 5))
    game = game_of("4141424", winner=1, ending="line")
    analysis = GameAnalysis(game, (0,) * 8, changes=changes)
    file = tmp_path / "game.html"
    file.write_text(single_file(analysis))
    page = reader.open(file.as_uri() + "#6", PHONE)
    usual = "turns a win into a loss; column 4 wins."
    notes = {6: f"The decisive move: {reason or f'it {usual}'}", 4: reason or f"This move {usual}"}
    for ply, note in notes.items():
        page.evaluate(f"location.hash = '#{ply}'")
        page.wait_for_function(
            f"document.querySelector('.counter').textContent == 'move {ply} of 7'"
        )
        assert page.locator(".card .note").first.text_content() == note
        said = page.locator("[aria-live=polite]").text_content()
        assert said.endswith(reason or f"It {usual}")
        assert not scrolls_sideways(page)


def test_keys_work_in_a_frame(site, reader, tmp_path):
    """A replay that is embedded in another page follows the keys after a click."""
    game = (site / f"{RANDOM}/games/1.html").as_uri()
    outside = tmp_path / "outside.html"
    outside.write_text(
        f'<!doctype html><title>x</title><iframe width=900 height=700 src="{game}#3"></iframe>'
    )
    page = reader.open(outside)
    frame = page.frame_locator("iframe")
    frame.locator("#facts").click()
    page.keyboard.press("ArrowRight")
    assert frame.locator(".counter").inner_text().startswith("move 4 ")


def focused(page: "Page") -> "Locator":
    """Return the element that has the focus."""
    return page.locator(":focus")


def test_by_keyboard_only(open_game):
    """Tab reaches every control in the order in which they are seen, and marks it visibly."""
    page = open_game(place="#3")
    seen = []
    for _ in range(80):
        page.keyboard.press("Tab")
        if not focused(page).count():
            break
        about = focused(page).evaluate("""(node) => [node.getAttribute("aria-label")
            || node.textContent, getComputedStyle(node).outlineStyle,
            getComputedStyle(node).outlineWidth]""")
        assert about[1:] == ["solid", "2px"], about
        seen.append(about[0])
    order = [seen.index(name) for name in
             ("First position", "Back", "Play", "Forward", "Last position", "Move")]  # fmt: skip
    assert order == sorted(order)
    assert {"Copy link", "Copy moves", "Help"} <= set(seen)
    page.get_by_role("button", name="Forward").focus()
    page.keyboard.press("Enter")
    assert counted(page)[0] == 4
    page.keyboard.press(" ")
    assert counted(page)[0] == 5


@pytest.mark.parametrize(
    ("name", "key"),
    one_in(
        3,
        [
            ("First position", "Home"),
            ("Back", "Home"),
            ("Copy moves", "Home"),
            ("Forward", "End"),
            ("Last position", "End"),
            ("Copy precept", "End"),
        ],
    ),
)
def test_button_that_is_switched_off_keeps_the_focus(open_game, name, key):
    """A button keeps the focus while it is switched off. It then does nothing."""
    page = open_game(place="#4")
    button = page.get_by_role("button", name=name)
    button.focus()
    page.keyboard.press(key)
    where = place(page)
    assert where in {"#0", f"#{counted(page)[1]}"}
    for press in ("Enter", " "):
        assert focused(page).get_attribute("aria-label") == name
        assert button.get_attribute("aria-disabled") == "true"
        page.keyboard.press(press)
    button.click(force=True)
    assert place(page) == where
    assert "copied" not in page.inner_text(".notations")
    page.keyboard.press("ArrowRight" if key == "Home" else "ArrowLeft")
    assert button.get_attribute("aria-disabled") == "false"
    assert focused(page).get_attribute("aria-label") == name


def test_copies_notations(open_game):
    """The position can be copied as a command, as moves and as a precept."""
    page = open_game(place="#6")
    moves = data(page)["m"][:6]
    texts = page.locator(".notations dd code").all_text_contents()
    assert moves in texts
    assert f"echo {moves} | c4-solve --all" in texts
    (precept,) = (json.loads(text) for text in texts if text.startswith("{"))
    assert (precept["width"], precept["height"], precept["player"]) == (7, 6, 1)
    assert sum(cell > 0 for column in precept["grid"] for cell in column) == 6


def test_variation_and_help_are_accessible(open_game):
    """A replay has no serious fault of accessibility in a variation and in its help."""
    page, change = game_with_changes(open_game)
    page.evaluate(f"location.hash = '#{change[0] + 1}'")
    assert findings(page) == []
    page.evaluate(f"location.hash = '#{change[0] + 1}r1'")
    page.emulate_media(color_scheme="dark")
    assert findings(page, "color-contrast") == []
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    assert findings(page) == []


def test_on_a_phone(open_game):
    """Nothing is wider than a phone. The card is below the board, the controls at the edge."""
    page = open_game(place="#9", window=PHONE)
    assert not scrolls_sideways(page)
    order = [".stage svg.bo", ".card", ".curve", ".moves"]
    tops = [page.locator(part).first.bounding_box()["y"] for part in order]
    assert tops == sorted(tops)
    box = page.locator(".controls").bounding_box()
    assert box["y"] + box["height"] == PHONE["height"]


@pytest.mark.parametrize("wish", ["reduce", "no-preference"])
def test_nothing_moves_if_not_wanted(open_game, wish):
    """Stones drop, but not for a reader who wants less motion."""
    page = open_game(place="#3", reduced_motion=wish)
    is_moving = page.evaluate("""() => {
        const key = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true });
        document.body.dispatchEvent(key);
        return document.getAnimations().length > 0;
    }""")  # a stone may have dropped before a second script begins
    assert is_moving == (wish != "reduce")


def test_without_a_script(open_game):
    """Without scripts, the final position and the moves are there."""
    page = open_game(java_script_enabled=False)
    assert page.locator("#game svg.bo").is_visible()
    assert data(page)["m"] in page.inner_text("main")
    assert not page.get_by_role("button").count()


def test_on_paper(open_game):
    """On paper there are no controls, but the moves and small boards of the key positions."""
    page, change = game_with_changes(open_game)
    page.emulate_media(media="print")
    assert not page.locator(".controls button").first.is_visible()
    assert not page.locator(".notations button").first.is_visible()
    assert page.locator(".moves").is_visible()
    assert page.locator(".paper svg").first.is_visible()
    page.evaluate(f"location.hash = '#{change[0] + 1}r1'")
    page.locator(".steps button").first.wait_for()


def test_one_file_is_enough(site, reader):
    """A game in a file of its own needs no other file, and can do the same."""
    page = reader.open(site.parent / SINGLE)
    assert page.evaluate("performance.getEntriesByType('resource').length") == 0
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert stones(page) == 1
    page.evaluate("location.hash = '#3p12'")  # a link to a variation, which needs the board
    page.wait_for_function("/^move 3 /.test(document.querySelector('.counter').textContent)")
    assert (site.parent / SINGLE).stat().st_size < 66_000


def test_free_placement(open_game):
    """A replay without gravity steps through named cells, has no values, and saves a picture."""
    page = open_game(contest=FREE)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Picture to send").press("Enter")
    assert saved.value.path().stat().st_size > 80_000  # words alone have less
    assert stones(page) == counted(page)[1] == len(data(page)["m"].split())
    page.keyboard.press("ArrowLeft")
    assert stones(page) == counted(page)[0]
    assert not page.locator(".chips g").count()


def test_remarks_are_shown(open_game):
    """Remarks of bots are in the list of moves."""
    for game in range(1, 7):
        page = open_game(game, contest=TOURNAMENT)
        remarks = [text for text in data(page).get("say", []) if text]
        if remarks:
            assert page.locator(".moves q").all_text_contents() == remarks
            return
    raise AssertionError("no bot said anything")
