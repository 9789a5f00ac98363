"""Learning on the board: introduction, puzzles, turning points, hints in two steps, threats."""

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import BOARD, DESKTOP, PHONE, findings, scrolls_sideways, stones, wait_for_animations

if TYPE_CHECKING:
    from playwright.sync_api import Page

WINDOW = PHONE
SOLUTIONS = "6643212131"
"""Columns that solve the steps of the introduction."""
LOST_GAME = "#4455667&side=2"
"""A game that the person, who played second, lost with the move 5."""


def verdict(page: "Page", text: str) -> str:
    """Wait until the last move was judged with these words; return the sentence below them."""
    page.locator(".verdict", has_text=re.compile(text)).wait_for()
    return page.locator(".verdict + p").inner_text()


def title(page: "Page") -> str:
    """Return the title of the exercise on the board."""
    return page.inner_text("#lesson h2")


def test_introduction_by_keys(open_board):
    """All steps are solved by keys. Each ends with its reason, and is remembered as solved."""
    page = open_board()
    page.get_by_role("button", name="Learn").press("Enter")
    for number, column in enumerate(SOLUTIONS, 1):
        assert title(page).startswith(f"{number}. ")
        assert page.evaluate("location.hash") == f"#step={number}"
        page.keyboard.press(column)
        assert verdict(page, "^Right$").startswith(f"Column {column} ")
        page.keyboard.press("n")
    assert title(page).startswith("Puzzle ")
    assert "10/10" in page.inner_text(".shelves")
    page.reload()
    assert "10/10" in page.inner_text(".shelves")


def test_wrong_move_is_taken_back(open_board):
    """A wrong move is refused without the solution. A move that is not asked for is not wrong."""
    page = open_board("#step=8")
    page.keyboard.press("2")
    assert verdict(page, "^Try again$").startswith("Column 2 turns a win into a loss")
    assert stones(page) == 7
    page.keyboard.press("4")
    page.locator(".verdict + p", has_text="is a good move").wait_for()
    page.get_by_role("button", name="Solution").press("Enter")
    verdict(page, "^Solution: 1$")
    assert "0/10" in page.inner_text(".shelves")


def test_puzzle(open_board):
    """A puzzle gives a hint in two steps and answers moves. Its link opens it again."""
    page = open_board("#puzzle=1")
    page.keyboard.press("h")
    page.locator("#answer p", has_text="only moves that lose").wait_for()
    page.keyboard.press("h")
    page.locator("#answer p", has_text="Play column 6.").wait_for()
    page.keyboard.press("6")
    assert "Orange plays column 5, row" in verdict(page, "^Right. What comes next")
    page.keyboard.press("5")
    assert verdict(page, "^Right$").endswith(".")
    assert "1/100" in page.inner_text(".shelves")
    assert page.evaluate("location.hash") == "#puzzle=1"
    page.keyboard.press("n")
    page.go_back()
    assert title(page) == "Puzzle 1 · Easy"


def test_puzzle_of_the_day(open_board):
    """The date chooses the puzzle, and another puzzle is chosen on the next day."""
    page = open_board("#puzzle=today")
    assert re.match(r"Puzzle of .+ · (Easy|Medium|Hard)$", title(page))
    grid = page.get_by_role("grid").aria_snapshot()
    page.clock.install(time="2030-01-02T12:00:00")
    page.reload()
    assert title(page).startswith("Puzzle of January 2 ")
    assert page.get_by_role("grid").aria_snapshot() != grid


def test_there_is_no_such_puzzle(open_board):
    """A link to a puzzle that does not exist says so, and one can play."""
    page = open_board("#puzzle=999")
    assert page.inner_text(".status") == "There is no such puzzle."
    page.keyboard.press("4")
    page.locator(".status", has_text="Your turn").wait_for()
    page.keyboard.press("m")
    page.locator("#bar [aria-expanded]").press("Enter")
    page.fill("textarea", "#puzzle=999")
    page.locator("#edit > button").press("Enter")
    page.get_by_text("There is no such puzzle.").first.wait_for()


def test_progress_is_saved_and_loaded(open_board, tmp_path: Path):
    """Progress is a file that another browser can load. Another file is refused."""
    page = open_board("#step=4")
    page.keyboard.press("3")
    verdict(page, "^Right$")
    page.locator("#shelves summary").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").press("Enter")
    saved = tmp_path / "progress.json"
    download.value.save_as(saved)
    assert json.loads(saved.read_text()) == ["step=4"]
    other = open_board("#step=1")
    other.locator("#shelves summary").click()
    other.set_input_files("input[type=file]", BOARD)
    other.get_by_text("index.html is not a progress file").first.wait_for()
    other.set_input_files("input[type=file]", saved)
    other.locator(".shelves", has_text="1/10").wait_for()


def test_turning_point(open_board):
    """After a lost game, a better move is found by keys. Best play is hidden until then."""
    page = open_board(LOST_GAME)
    page.get_by_role("button", name="Turning points: 1").press("Enter")
    assert title(page) == "Turning point 1 of 1"
    assert "It turned a win into a loss." in page.inner_text("#lesson")
    assert page.evaluate("location.hash") == LOST_GAME
    page.keyboard.press("1")
    assert "3" not in verdict(page, "^Try again$")
    assert "Best play" not in page.inner_text("#side")
    page.keyboard.press("3")
    assert "Best play from here: 3" in verdict(page, "^Right$")
    page.keyboard.press("n")
    assert "Level 3 wins" in page.inner_text(".status")
    assert stones(page) == 7


@pytest.mark.parametrize("place", ["#4141414", "#from=7/7/7/7/ooo4/xxxx3"])
def test_without_a_mistake_there_is_no_turning_point(open_board, place):
    """A person who gave nothing away, or opened a finished position, reads this."""
    page = open_board(place)
    page.get_by_text("None of your moves gave away a win or a draw.").wait_for()
    assert not page.get_by_role("button", name="Turning points").is_visible()


def test_hint_in_two_steps(open_board):
    """A hint says first what kind of move it is, then which one. "Why?" goes back move by move."""
    page = open_board("#44535322&level=1")
    page.keyboard.press("h")
    page.locator("#answer p", has_text="The move makes a threat").wait_for()
    assert page.locator(".hint").count() == 0
    page.get_by_role("button", name="Show the move").press("Enter")
    page.locator(".hint").first.wait_for(state="attached")
    for who, key in (("Move 8: Level 1", "w"), ("Move 7: You", "w"), ("Move 6: Level 1", "Enter")):
        page.keyboard.press(key)
        page.locator("#answer p", has_text=who).wait_for()
        page.get_by_role("button", name="Explain the move before").focus()


def test_threats_and_pin(open_board):
    """Threats are marked for eyes and screen readers. A new game begins without, unless pinned."""
    page = open_board("#44535322&level=1")
    for key in "tv":
        page.keyboard.press(key)
    assert page.locator(".threat").count() == 1
    label = "column 1, row 2: free, threat of Yellow, even row"
    assert page.get_by_role("gridcell", name=label).count() == 1
    page.keyboard.press("n")
    switches = page.get_by_role("switch")
    assert not switches.count()
    page.keyboard.press("t")
    page.get_by_role("button", name="Keep values").press("Enter")
    page.keyboard.press("4")
    page.locator(".bo .b2").first.wait_for(state="attached")
    page.keyboard.press("n")
    assert [node.get_attribute("aria-checked") for node in switches.all()] == ["false", "true"]


def test_leaving_the_room(open_board):
    """The game is there again, also after a reload, and an exercise can be analysed."""
    page = open_board("#4453&level=2")
    page.keyboard.press("l")
    page.reload()
    assert title(page).startswith("1. ")
    page.keyboard.press("1")
    page.get_by_role("button", name="Analyse").press("Enter")
    assert page.evaluate("location.hash") == "#443457&level=2&mode=analyse"
    page.go_back()
    assert title(page).startswith("1. ")
    page.get_by_role("button", name="Play", exact=True).press("Enter")
    page.locator("#lesson").wait_for(state="hidden")
    assert page.evaluate("location.hash") == "#4453&level=2"


def test_game_goes_on_after_going_back(open_board):
    """An exercise before the last moves of a game leads to the game as it is now."""
    page = open_board("#44&side=both")
    for key in "lnm55":
        page.keyboard.press(key)
    page.go_back()
    assert title(page).startswith("1. ")
    page.keyboard.press("m")
    assert stones(page) == 4


def test_analysis_of_a_first_move(open_board):
    """Analysing a turning point on the empty board is a new place: one can go back to the game."""
    page = open_board("#14242414")
    page.get_by_role("button", name="Turning points: 1").press("Enter")
    page.get_by_role("button", name="Analyse").press("Enter")
    assert stones(page) == 0
    page.go_back()
    page.locator(".bo .bw").first.wait_for(state="attached")
    assert stones(page) == 8


def test_skip_leads_to_another_exercise(open_board):
    """It does so if only one exercise is left, and if none is left."""
    page = open_board("#puzzle=17")
    numbers = [*range(1, 17), *range(18, 301)]
    done = [f"step={n}" for n in range(1, 11)] + [f"puzzle={n}" for n in numbers]
    for solved in (done, [*done, "puzzle=17"]):
        page.evaluate("(solved) => localStorage.setItem('c4-progress', solved)", json.dumps(solved))
        page.goto("about:blank")
        page.goto(BOARD.as_uri() + "#puzzle=17")
        page.keyboard.press("n")
        assert page.evaluate("location.hash") == "#puzzle=18"


@pytest.mark.parametrize(
    ("place", "window"), [("#step=9", PHONE), ("#puzzle=today", DESKTOP), (LOST_GAME, PHONE)]
)
def test_everyone_can_learn(open_board, place, window):
    """Axe-core finds nothing, and nothing is too wide."""
    page = open_board(place, window, dark=window is DESKTOP)
    for key in "th":
        page.keyboard.press(key)
    wait_for_animations(page)
    assert not findings(page)
    assert not scrolls_sideways(page)
