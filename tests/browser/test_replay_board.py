"""The replay of a report with a board: a person plays on, and the engine answers and explains."""

import subprocess

import orjson
import pytest
from browsed import RANDOM, SCRIPTS
from browsing import DESKTOP, PHONE, Reader, findings, scrolls_sideways
from c4_bot.web import copy_page
from c4_referee.records.stats.solved import GameAnalysis
from c4_referee.report.site.environment import STATIC_FILES, static_text
from c4_referee.report.site.replay_page import game_page
from games import game_of

MOVES = "44444221536"
SHOWN = "[...document.querySelectorAll('.chips text')].map((text) => text.textContent)"
IS_KNOWN = "!/…|^$/.test(document.querySelector('.chips').textContent)"
SLOW_ENGINE = """globalThis.C4Engine = class {
    values = async () => new Map();
    move = (position, level) =>
        new Promise((resolve) => { if (level < 10) resolve(position.cellIn(level - 1)); });
};"""
"""An engine whose level 10 never answers. Each other level plays the column of its number."""
LOADED = "document.querySelectorAll('script[src*=board]').length"


@pytest.fixture
def open_game(site, reader: Reader):
    """Return a function that opens the first random game at a place such as #17."""
    address = (site / f"{RANDOM}/games/1.html").as_uri()
    return lambda place="", window=DESKTOP, **more: reader.open(address + place, window, **more)


@pytest.fixture
def open_unsolved(tmp_path, reader: Reader):
    """Return a function that opens a game without stored values in a site with a board."""
    for name in STATIC_FILES:
        (tmp_path / name).write_text(static_text(name), encoding="utf-8")
    copy_page(tmp_path / "board")
    file = tmp_path / "games" / "1.html"
    file.parent.mkdir()
    file.write_text(
        game_page(GameAnalysis.unknown(game_of(MOVES, winner=0, ending="void")), board=True)
    )
    address = file.as_uri()
    return lambda place="", window=DESKTOP, **more: reader.open(address + place, window, **more)


def place(page) -> str:
    """Return what follows the # in the address of a page."""
    return page.evaluate("location.hash")


def wait_for_place(page, pattern: str) -> None:
    """Wait until the address ends with a place."""
    page.wait_for_function(f"/{pattern}$/.test(location.hash)")


def has_focus(page, name: str) -> bool:
    """Return whether a button has the focus."""
    button = page.get_by_role("button", name=name)
    return button.evaluate("(node) => node === document.activeElement")


def announced(page) -> str:
    """Return what a screen reader announces."""
    return page.locator("[aria-live=polite]").text_content()


def middles(page, selector: str) -> list[float]:
    """Return the horizontal middle of each of these elements."""
    boxes = (node.bounding_box() for node in page.locator(selector).all())
    return [box["x"] + box["width"] / 2 for box in boxes]


def values_of(moves: str) -> list[str]:
    """Return the values of the columns that are not full, as pages show them."""
    command = [SCRIPTS / "c4-solve", "--all", "--json"]
    done = subprocess.run(command, input=moves.encode(), capture_output=True, check=True)
    scores = [score for score in orjson.loads(done.stdout)["scores"] if score is not None]
    return [f"{score:+}".replace("+0", "0").replace("-", "\N{MINUS SIGN}") for score in scores]


def test_a_person_plays_on_by_keys_on_a_phone(open_unsolved):
    """The button turns on answers. Each move of the person is answered and announced."""
    page = open_unsolved("#8", PHONE)
    page.get_by_role("button", name="Play on from here").press("Enter")
    assert announced(page) == "You play for a: choose a column. Level 10 answers."
    page.keyboard.press("Enter")  # the column in the middle has the focus
    select = page.get_by_label("Answered by")
    select.select_option("level 1")
    wait_for_place(page, "#8p4.")
    assert announced(page).startswith("Variation, move 2: Level 1, column ")
    select.press("7")
    wait_for_place(page, "#8p4.7.")
    assert has_focus(page, "Play column 4")


def test_a_held_key_plays_one_stone(open_unsolved):
    """A key that repeats itself steps through the game, but plays only once."""
    page = open_unsolved("#5")
    for key in ("7", "7", "ArrowLeft", "ArrowLeft"):
        page.keyboard.down(key)
        assert place(page) == {"7": "#5p7"}.get(key, place(page))
    assert place(page) == "#5"


def test_the_level_changes_while_it_thinks(open_unsolved, tmp_path):
    """The level that is chosen answers, or nobody. After a choice by pointer, keys step again."""
    (tmp_path / "board/replays.js").write_text(SLOW_ENGINE)
    page = open_unsolved("#5")
    page.get_by_role("button", name="Play on from here").click()
    page.keyboard.press("1")
    page.get_by_text("Level 10 is thinking").wait_for()
    select = page.get_by_label("Answered by")
    select.dispatch_event("pointerdown")
    select.select_option("level 7")
    wait_for_place(page, "#5p17")
    assert has_focus(page, "Play column 4")
    select.select_option("level 10")
    page.keyboard.press("2")
    select.select_option("nobody")
    page.keyboard.press("3")
    assert place(page) == "#5p1723"


def test_values_that_are_not_found(open_unsolved, tmp_path):
    """After a minute they are question marks. A stored value of the position is shown once."""
    (tmp_path / "board/replays.js").write_text(SLOW_ENGINE)
    stored = GameAnalysis(game_of(MOVES, winner=0, ending="void"), (0,) * 12)
    (tmp_path / "games/1.html").write_text(game_page(stored, board=True))
    page = open_unsolved("#5")
    page.keyboard.press("v")
    page.wait_for_function(f"/^[?]+$/.test({SHOWN}.join(''))")
    assert page.inner_text(".card").count("to move") == 1
    page.keyboard.press("1")
    page.get_by_text("a to move: not solved within a minute.").wait_for()


def test_an_engine_that_did_not_load_is_tried_again(open_unsolved, reader, tmp_path):
    """The problem is shown and said. The next question loads the engine."""
    engine, away = tmp_path / "board/engine.js", tmp_path / "away"
    engine.rename(away)
    page = open_unsolved("#10")
    page.keyboard.press("v")
    page.get_by_text("cannot load ../board/engine.js").wait_for()
    assert page.evaluate(SHOWN) == ["values not computed"]
    page.get_by_role("button", name="Play on from here").click()
    page.keyboard.press("6")
    page.wait_for_function("/cannot load/.test(document.querySelector('[aria-live]').textContent)")
    away.rename(engine)
    assert reader.complaints
    reader.complaints.clear()
    page.keyboard.press("7")
    wait_for_place(page, "#10p67.")
    assert "cannot load" not in page.inner_text(".card")
    page.wait_for_function(IS_KNOWN)


def test_columns_are_large_enough_to_touch(open_unsolved):
    """On a phone the columns of 7x6 are 44 px wide, and lie over the picture."""
    page = open_unsolved("#5", PHONE, has_touch=True)
    column = page.get_by_role("button", name="Play column 4")
    assert column.bounding_box()["width"] >= 44
    assert middles(page, ".press button") == pytest.approx(middles(page, ".stage .bt text"), abs=1)
    column.tap()
    assert place(page) == "#5p4"
    assert column.get_attribute("aria-disabled") == "true"
    page.keyboard.press("4")
    assert (place(page), announced(page)) == ("#5p4", "Column 4 is full.")


@pytest.mark.parametrize("height", [600, 800])
def test_everything_fits_beside_a_phone(open_unsolved, height):
    """In a small window, the controls of a long variation are as wide as the board."""
    page = open_unsolved("#1p" + "1234567" * 3, {"width": 521, "height": height})
    assert not scrolls_sideways(page)
    ends = [page.locator(part).bounding_box() for part in (".stage", ".controls > button")]
    stage, speed = (box["x"] + box["width"] for box in ends)
    assert speed == pytest.approx(stage, abs=1)


def test_there_is_one_variation(open_unsolved):
    """A move of the game is no variation. Another move begins one, or replaces its rest."""
    page = open_unsolved("#3")
    page.keyboard.press("4")
    assert place(page) == "#4"
    for key in "165":
        page.keyboard.press(key)
    assert place(page) == "#4p165"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert place(page) == "#4p165-1"
    page.keyboard.press("2")
    assert place(page) == "#4p12"
    page.keyboard.press("Escape")
    assert place(page) == "#4"
    page.get_by_role("button", name="Your variation 1 2").click()
    assert place(page) == "#4p12-1"
    page.reload()
    assert place(page) == "#4p12-1"
    page.go_back()
    assert place(page) == "#4"


@pytest.mark.parametrize(
    ("link", "opened"),
    [("#3p4489", "#3p44"), ("#2p4444443", "#2p4444"), ("#99p1", "#11p1"), ("#3p0", "#3"),
     ("#3p", "#3"), ("#6p12-99999999999999999999", "#6p12")],
)  # fmt: skip
def test_links_with_mistakes_open_what_is_right(open_unsolved, link, opened):
    """Moves that are not legal, and all after them, are left out."""
    copied = open_unsolved(link).locator(".notations dd code").first.text_content()
    assert copied == f"games/1.html{opened}"


def test_a_variation_ends_as_a_game(open_unsolved):
    """A line is struck and said. After it, nobody can play."""
    page = open_unsolved("#0p121212")
    page.keyboard.press("1")
    end = "4 in a row after 7 moves, with the stones of a."
    assert announced(page) == f"Variation, move 7: You, column 1. You have {end}"
    page.reload()  # a link does not say who has played
    assert f"\n{end}" in page.inner_text(".card")
    assert page.locator(".bo .bw").count() == 1
    assert not page.get_by_role("button", name="Play on from here").is_visible()


def test_values_of_a_report_without_values(open_unsolved):
    """The engine is only loaded when values are wanted. They are those of c4-solve."""
    page = open_unsolved("#11")
    page.keyboard.press("ArrowLeft")
    top = page.locator(".controls").bounding_box()
    assert page.evaluate(LOADED) == 0
    page.keyboard.press("v")
    for key, moves in (("ArrowRight", MOVES[:10]), ("6", MOVES), ("7", MOVES + "6")):
        page.wait_for_function(IS_KNOWN)
        assert page.evaluate(SHOWN) == values_of(moves)
        assert "to move: " in page.inner_text(".card")
        page.keyboard.press(key)
    assert page.locator(".controls").bounding_box() == top
    assert page.evaluate(LOADED) == 2


def test_values_go_on_where_the_stored_ones_end(open_game):
    """In a refutation that is played on, the engine has the values."""
    page = open_game()
    page.get_by_role("button", name="Refutation").click()
    page.wait_for_function(IS_KNOWN)
    moves = page.locator(".notations dd code").nth(1).text_content()
    assert page.evaluate(SHOWN) == values_of(moves)
    page.get_by_role("button", name="Play column 1").dblclick()
    assert place(page) == "#28p61"


def test_reasons_are_said_and_marked(open_game):
    """Two buttons explain the decisive move and the better one, with the cells marked."""
    page = open_game()
    stored = page.locator(".card .note").text_content()
    assert page.locator(".bo .mark").count() == 0
    played = page.get_by_role("button", name="Why it loses")
    played.press("Enter")
    page.wait_for_selector(".bo .mark.over")
    assert page.locator(".card .note").text_content() == stored
    assert announced(page) in stored
    assert has_focus(page, "Why it loses")
    page.get_by_role("button", name="Why column 6 is better").click()
    page.wait_for_function("/^Better: /.test(document.querySelector('.card .note').textContent)")
    page.get_by_role("button", name="Why column 6 is better").click()
    assert page.locator(".card .note").text_content() == stored
    assert page.locator(".bo .mark").count() == 0


@pytest.mark.parametrize("settings", [{"dark": True}, {"window": PHONE}])
def test_it_is_accessible(open_game, settings):
    """There is no serious fault of accessibility in a variation and beside a reason."""
    page = open_game(**settings)
    page.get_by_role("button", name="Why it loses").click()
    page.wait_for_selector(".bo .mark.over")
    assert findings(page) == []
    page.get_by_role("button", name="Play on from here").click()
    page.get_by_role("button", name="Play column 1").click()
    wait_for_place(page, "#28p1.")
    assert findings(page) == []
    assert not scrolls_sideways(page)
