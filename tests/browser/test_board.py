"""The board to play on and to analyse: whole games, links, variations, and screen readers.

A mouse could miss a button that moves when an answer of the engine arrives. So buttons are pressed
with a key, except where nothing is computed.
"""

import re
import struct
from typing import TYPE_CHECKING

import pytest
from browsing import DESKTOP, PHONE, findings, scrolls_sideways, stones, wait_for_animations
from effort import pairs

if TYPE_CHECKING:
    from playwright.sync_api import Page

OVER = re.compile(r"^(You win with four .+|Level 1 wins with four .+|The board is full: a draw)\.$")
TURN_OR_END = re.compile(r"^Your turn|\.$")
PLACES = ("", "#44&level=10", "#4444435&mode=analyse", "#4141414", "#66b8&board=11x10x4&side=both")
WINDOWS = {"phone": PHONE, "desktop": DESKTOP}
END = {"Play again", "Analyse game", "Picture to send"}
"""Buttons that are shown when a game is over."""
COUNT_MOVES = """() => {
  const { postMessage } = Worker.prototype;
  globalThis.asked = 0;
  Worker.prototype.postMessage = function (message) {
    asked += message.question?.kind === "move";
    postMessage.call(this, message);
  };
}"""
"""Counts how often the page asks for the move of a level."""
TOPS = "(nodes) => nodes.map((node) => node.getBoundingClientRect().top)"


def wait_for_stones(page: "Page", count: int) -> None:
    """Wait until the board has a number of stones."""
    page.locator(".bo .b1, .bo .b2").nth(count - 1).wait_for(state="attached")


def wait_for_words(page: "Page", words: str) -> None:
    """Wait until an announcement matches a pattern."""
    page.locator("[aria-live]", has_text=re.compile(words)).first.wait_for(state="attached")


def moves(page: "Page") -> list[str]:
    """Return the moves of the game and those of the variation as they are shown."""
    lists = page.locator(".moves").all()
    return ["".join(one.locator("button").all_text_contents()).replace("?", "") for one in lists]


def free_column(page: "Page") -> int | None:
    """Wait until the person is to move or the game is over; return a free column or None."""
    page.locator(".status", has_text=TURN_OR_END).wait_for()
    names = page.locator(".column:not([aria-disabled=true]) .name").all_inner_texts()
    return int(names[0]) if names else None


def play_to_the_end(page: "Page", play) -> None:
    """Play the first free column with a function, until the game is over."""
    while (column := free_column(page)) is not None:
        before = stones(page)
        play(column)
        wait_for_stones(page, before + 1)
    assert OVER.match(page.inner_text(".status"))
    assert {*page.locator("#answer button:visible").all_inner_texts()} >= END


def column(page: "Page", number: int):
    """Return the button of a column."""
    return page.locator(".column").nth(number - 1)


def test_first_visit_needs_no_decision(open_board):
    """A line of three choices is in sight, and nothing that is switched off. A click plays."""
    page = open_board()
    assert page.inner_text("#settings .scale") == "Level 3"
    names = page.locator("main button:visible:not(.column)").all_inner_texts()
    assert names == ["Puzzle of the day"]
    assert not page.locator(":is([aria-disabled=true], :disabled):visible").count()
    page.get_by_label("Level").fill("5")
    column(page, 4).click()
    wait_for_stones(page, 2)
    assert re.fullmatch("#4[1-7]&level=5", page.evaluate("location.hash"))


@pytest.mark.weekly
def test_game_by_mouse_as_first(open_board):
    """A whole game is played with the mouse. The next game begins with one click."""
    page = open_board("#level=1")
    play_to_the_end(page, lambda number: column(page, number).click())
    page.get_by_role("button", name="Play again").click()
    assert stones(page) == 0


def test_game_by_touch_as_second(open_board):
    """A whole game is played by touch on a phone. Who analyses it sees the board at once."""
    page = open_board("#&level=1", PHONE, has_touch=True)
    page.get_by_label("Who begins").focus()
    page.get_by_label("Who begins").select_option("2")
    wait_for_stones(page, 1)
    assert page.evaluate("document.activeElement.matches('.column')")
    play_to_the_end(page, lambda number: column(page, number).tap(position={"x": 9, "y": 250}))
    page.evaluate("scrollTo(0, 999)")
    assert page.locator("#board").bounding_box()["y"] < 0
    page.keyboard.press("m")
    assert page.locator("#board").bounding_box()["y"] >= 0


def test_game_by_keys_as_first(open_board):
    """A whole game is played by arrows and Enter. The focus stays on the board."""
    page = open_board("#&level=1")
    page.keyboard.press("ArrowRight")

    def play(number: int) -> None:
        page.keyboard.press("Home")
        for _ in range(number - 1):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")

    play_to_the_end(page, play)
    assert page.evaluate("document.activeElement.matches('.column')")


def test_take_back_and_forward(open_board):
    """Against a level, taking back and going forward end at the person's turns."""
    page = open_board("#4453&level=1")
    page.keyboard.press("u")
    assert stones(page) == 2
    page.get_by_role("button", name="Forward").press("Enter")
    assert stones(page) == 4
    page.keyboard.press("u")
    page.keyboard.press("1")
    wait_for_stones(page, 4)
    assert page.evaluate("location.hash").startswith("#441")


def test_values_hint_and_why(open_board):
    """Values stay until they are switched off. A hint marks a cell. A move is explained."""
    page = open_board("#4444437&level=1&side=2")
    page.keyboard.press("v")
    page.locator(".value.best").first.wait_for()
    assert page.locator(".value:not(:empty)").count() == 7
    name = column(page, 1).get_attribute("aria-label")
    assert re.fullmatch(r"column 1: \D?\d+, (win|draw|loss)", name)
    for key in "hw":
        page.keyboard.press(key)
        page.locator("#answer p:visible").nth(1).wait_for()
        assert page.locator("#answer p").nth(1).inner_text().endswith(".")
    page.keyboard.press("v")
    assert page.locator(".value:not(:empty)").count() == 0


def test_variation(open_board):
    """Another move in the middle begins a variation, which can be left or made the game."""
    page = open_board("#444443526&mode=analyse")
    for key in "uuu76":
        page.keyboard.press(key)
    assert page.evaluate("location.hash") == "#44444376&mode=analyse"
    assert page.locator(".variation .moves button").count() == 2
    page.get_by_role("button", name="Back to the game").press("Enter")
    assert page.evaluate("location.hash") == "#444443&mode=analyse"
    page.locator(".variation .moves button").last.press("Enter")
    page.get_by_role("button", name="Make it the game").press("Enter")
    assert page.locator(".moves button:visible").count() == 8
    assert not page.locator(".variation").is_visible()
    assert page.evaluate("document.activeElement !== document.body")


def test_analysis(open_board):
    """An analysis shows the decisive move, the best line and the curve."""
    page = open_board("#44444352&mode=analyse")
    page.locator(".curve .decisive").wait_for(state="attached")
    assert page.locator(".moves .decisive").count() == 1
    page.locator(".steps button").first.wait_for()
    page.locator(".steps button").first.press("ArrowRight")
    page.keyboard.press("Enter")
    assert stones(page) == 10
    assert page.evaluate("document.activeElement.matches('.steps button[tabindex=\"0\"]')")
    assert page.locator(".moves button[tabindex='0']").count() == 1
    curve = page.locator(".curve svg")
    box = curve.bounding_box()
    curve.dispatch_event("click", {"clientX": box["x"] + box["width"] * 3.5 / 11, "bubbles": True})
    assert stones(page) == 3


def test_edit_and_paste(open_board):
    """A position is made by hand, a wrong one is refused, and a game is pasted."""
    page = open_board("#mode=analyse")
    page.get_by_role("button", name="Edit").press("Enter")
    for key in "33nm":
        page.keyboard.press(key)
    assert "2 orange and 0 yellow" in page.inner_text("#edit")
    wait_for_words(page, "column 3, row 2: orange")
    page.locator("label", has_text="Yellow").click()
    column(page, 4).click()
    page.get_by_role("button", name="Done").press("Enter")
    assert page.evaluate("location.hash") == "#&mode=analyse&from=7/7/7/7/2x4/2xo3"
    page.get_by_role("button", name="Edit").press("Enter")
    page.fill("textarea", "4458")
    page.get_by_role("button", name="Open").press("Enter")
    assert "Move 4" in page.inner_text("#edit")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Edit").press("Enter")
    assert "Move 4" not in page.inner_text("#edit")
    page.fill("textarea", "4455")
    page.get_by_role("button", name="Open").press("Enter")
    assert stones(page) == 4


def test_history_keeps_all_moves(open_board):
    """Going back and a reload show the moves after the position, and the variation."""
    page = open_board("#444443&mode=analyse")
    for key in "uuu7":
        page.keyboard.press(key)
    page.get_by_role("button", name="Edit").press("Enter")
    page.get_by_role("button", name="Done").press("Enter")
    assert moves(page) == ["444443", "7"]
    page.get_by_role("button", name="Play from here").press("Enter")
    assert moves(page)[0].startswith("4447")
    page.go_back()
    page.locator(".variation").wait_for()
    assert moves(page) == ["444443", "7"]
    page.reload()
    assert moves(page) == ["444443", "7"]
    page.keyboard.press("m")
    assert stones(page) == 6
    assert not page.locator(".variation").is_visible()


def test_damaged_link_is_explained(open_board):
    """A problem of a link stays until the person does something, and so does the link."""
    page = open_board("#445z&level=1")
    problem = page.get_by_text("Move 4 is “z”", exact=False)
    wait_for_stones(page, 4)
    assert problem.first.is_visible()
    assert page.evaluate("location.hash") == "#445z&level=1"
    column(page, 1).click()
    wait_for_stones(page, 6)
    assert re.match("#445[1-7]", page.evaluate("location.hash"))


def test_page_works_without_its_history(open_board):
    """A browser that refuses another place in the history does not stop the game."""
    page = open_board("#level=1")
    page.evaluate("void (history.replaceState = () => { throw new Error('too often') })")
    page.keyboard.press("4")
    wait_for_stones(page, 2)


def test_keys_do_what_was_meant(open_board):
    """Neither a key that is held, nor a double click, nor a key in a field plays a second move."""
    page = open_board("#side=both")
    for _ in range(3):
        page.keyboard.down("4")
    column(page, 5).dblclick()
    assert page.evaluate("location.hash") == "#45&side=both"
    page.keyboard.press("m")
    page.get_by_role("button", name="Edit or paste").press("Enter")
    page.locator("textarea").press_sequentially("66")
    assert stones(page) == 2


def test_keys_that_scroll(open_board):
    """Keys that are not used scroll a page that is longer than its window."""
    page = open_board("#4444&mode=analyse", {"width": 360, "height": 500})
    page.evaluate("void (onkeydown = (event) => { isUsed = event.defaultPrevented })")
    for key, is_used in {"End": False, "ArrowDown": False, "ArrowLeft": True}.items():
        page.keyboard.press(key)
        assert page.evaluate("isUsed") == is_used
    assert stones(page) == 3


def test_level_thinks_undisturbed(open_board):
    """Values and "Why?" do not let the level begin again."""
    page = open_board("#level=1")
    page.evaluate(COUNT_MOVES)
    for key in "4vwvw":
        page.keyboard.press(key)
    wait_for_stones(page, 2)
    assert page.evaluate("asked") == 1


def test_choosing_a_size_leaves_one_game_behind(open_board):
    """Going through sizes with keys does not fill the history. Level 10 comes back."""
    page = open_board("#44&level=10&side=both")
    before = page.evaluate("history.length")
    page.locator("#settings summary").click()
    page.get_by_label("Columns").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    assert page.evaluate("history.length") == before + 1
    assert page.evaluate("location.hash") == "#&level=10&side=both"


def test_link_is_a_place(open_board):
    """A link opens its game, and the button for going back opens the game before a new one."""
    page = open_board("#4453&level=7&side=both")
    assert stones(page) == 4
    page.keyboard.press("n")
    assert stones(page) == 0
    page.go_back()
    wait_for_stones(page, 4)
    page.go_forward()
    page.locator(".bo .b1").first.wait_for(state="detached")


def test_copies(open_board):
    """The moves and the link are copied, and the button says so."""
    page = open_board("#4453", permissions=["clipboard-read", "clipboard-write"])
    for name, text in (("Moves", "4453"), ("Link", page.url)):
        page.get_by_role("button", name=name, exact=True).press("Enter")
        page.get_by_text("Copied", exact=True).first.wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == text
    page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject())")
    page.evaluate("void (document.execCommand = () => false)")
    page.get_by_role("button", name="SVG").press("Enter")
    page.get_by_text("Copying failed").first.wait_for()


def test_two_people(open_board):
    """Two people get neither values nor a computer."""
    page = open_board("#side=both")
    for key in "44v":
        page.keyboard.press(key)
    assert page.inner_text(".status") == "Orange to move"
    assert page.locator(".value:not(:empty)").count() == 0
    names = page.locator("#bar button:visible").all_inner_texts()
    assert names == ["Take back", "New game", "Threats"]


def test_grid_and_announcements(open_board):
    """Screen readers get a grid with names for its columns, rows and cells. Moves are announced."""
    page = open_board("#4")
    wait_for_stones(page, 2)
    wait_for_words(page, r"^Level 3 plays column \d, row \d\. Your turn$")
    grid = page.get_by_role("grid").aria_snapshot()
    assert 'rowheader "row 6"' in grid
    assert 'button "Play column 1"' in grid
    assert 'gridcell "column 4, row 1: orange"' in grid
    assert 'gridcell "column 1, row 6: free"' in grid


def test_changes_are_announced(open_board):
    """Screen readers hear what each change leads to, and why a column cannot be played."""
    page = open_board("#444444&mode=analyse")
    steps = {
        "4": "Column 4 is full",
        "1": r"Orange plays column 1, row 1\.",
        "u": r"Move 6 of 7\. .+|With best play.+",
        "m": r"Play\. Your turn|Play\. Level 3 .+",
    }
    for key, words in steps.items():
        page.keyboard.press(key)
        wait_for_words(page, words)


@pytest.mark.parametrize(("place", "kind"), pairs(PLACES, [*WINDOWS]))
def test_everyone_can_use_it(open_board, place, kind):
    """Axe-core finds nothing, nothing is too wide, and no text is smaller than 12 px."""
    page = open_board(place, WINDOWS[kind], dark=kind == "phone")
    page.keyboard.press("v")
    wait_for_animations(page)
    assert not findings(page)
    assert not scrolls_sideways(page)
    size = "(node) => parseFloat(getComputedStyle(node).fontSize) || 99"
    smallest = page.locator("body *").evaluate_all(f"(nodes) => Math.min(...nodes.map({size}))")
    assert smallest >= 12


def test_picture_of_a_game_is_saved(open_board):
    """After a game, the page saves a PNG of 1,200 x 630 with both boards, under its own policy."""
    page = open_board("#14142424&level=1", PHONE)
    page.get_by_role("button", name="Picture to send").press("Enter")
    words = r"Lost against Level.1\. Move 1: Me\. Here column.4 was missed\."
    page.get_by_role("img", name=re.compile(words)).wait_for()
    assert not findings(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").press("Enter")
    content = download.value.path().read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">2I", content[16:24]) == (1200, 630)
    assert len(content) > 80_000  # words alone have less


def test_board_does_not_jump(open_board):
    """The board stays in its place with a hint, in an analysis and while it is edited."""
    page = open_board("#44&level=1")
    boxes = [page.locator("#board").bounding_box()]
    for key in "hm":
        page.keyboard.press(key)
        page.wait_for_timeout(300)
        boxes.append(page.locator("#board").bounding_box())
    page.get_by_role("button", name="Edit").press("Enter")
    boxes.append(page.locator("#board").bounding_box())
    assert all(box == boxes[0] for box in boxes)


def test_tall_board_fits_a_phone(open_board):
    """A narrow, tall board is not higher than the window."""
    box = open_board("#&board=3x10x3", PHONE).locator("#board").bounding_box()
    assert box["y"] + box["height"] < PHONE["height"]


def test_stone_falls_where_it_is_held(open_board):
    """Also beside texts from right to left, a stone is in the column that was clicked."""
    page = open_board("#&side=both")
    page.evaluate("document.dir = 'rtl'")
    column(page, 1).click()
    boxes = [node.bounding_box() for node in (column(page, 1), page.locator(".bo .b1"))]
    held, fallen = (box["x"] + box["width"] / 2 for box in boxes)
    assert fallen == pytest.approx(held, abs=1)


def test_list_shows_the_current_move(open_board):
    """A long list scrolls to the current move, also in a low window. Pairs stay whole."""
    page = open_board("#444443522333166211557776&mode=analyse", {"width": 740, "height": 360})
    page.locator(".steps button").nth(1).wait_for()
    boxes = [page.locator(f"#record{part}").bounding_box() for part in ("", " [aria-current=step]")]
    (top, height), (own_top, own_height) = [(box["y"], box["height"]) for box in boxes]
    assert top <= own_top <= top + height - own_height
    tops = page.locator(".moves li:visible").evaluate_all(TOPS)
    assert tops[::2] == tops[1::2]


def test_forced_colours_show_whose_turn_it_is(open_board):
    """Without colours of the page, the boxes of both players still differ."""
    page = open_board("#", forced_colors="active")
    colours = "(nodes) => nodes.map((node) => getComputedStyle(node).backgroundColor)"
    assert len(set(page.locator(".player").evaluate_all(colours))) == 2
