"""Pages of a class in a browser: accessibility, phones, sorting, and pages without scripts."""

from dataclasses import asdict, replace
from pathlib import Path

import pytest
from browsing import DESKTOP, PHONE, Reader, findings, scrolls_sideways
from c4_referee.check.checker import Cause, CheckReport, RuleOutcome
from c4_referee.check.evidence import Evidence
from c4_referee.classroom.entries import Account, Row
from c4_referee.classroom.grading.points import Grade, GradedLine
from c4_referee.classroom.pages.class_site import class_pages
from c4_referee.classroom.pages.feedback import feedback_files
from c4_referee.classroom.pages.privacy import for_student
from c4_referee.classroom.runs import Run
from c4_referee.report.site.environment import STATIC_FILES, static_text
from c4_referee.report.site.results import ContestResults
from contests import random_contest, random_game
from effort import one_in

LONG, LINE = "W" * 120, "x" * 300
CAUSE = Cause("use less", LINE, Evidence(LINE, LINE, LINE, LINE), [LINE])
CHECK = CheckReport("bot", False, False, rules=[RuleOutcome("a", False)], causes=[CAUSE])
GRADE = Grade("bot", (GradedLine(LINE, 1, 2, False, LINE), GradedLine("b", 2, 2, True, "Yes.")))
PAGES = ("class/index.html", "class/history.html", "class/none.html", "plays/games/1.html",
         "plays/index.html", "earlier/index.html", "not/index.html")  # fmt: skip


def entries() -> list[Run]:
    """Return 12 runs with up to 40 bots, one of which has a very long name."""
    return [
        Run(
            name=f"2026-11-{10 + day}",
            rows=tuple(
                Row(LONG if n == 7 else f"bot {n}", None if n == 9 else 1 + (day + n) // 8, rank,
                    40.0 - rank, 78, 400.0 - 20 * rank, 300.0 - 20 * rank, 500.0 - 20 * rank,
                    0.5 + rank / 90, rank == 40)
                for rank, n in enumerate(sorted(range(40), key=lambda n: n * (7 + day) % 41), 1)
                if n % 13 or day > 5
            ),
        )
        for day in range(12)
    ]  # fmt: skip


def write(folder: Path, pages) -> None:
    """Write files into a folder."""
    for name, text in pages:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def class_folder(tmp_path_factory) -> Path:
    """Return a folder with the pages of a class and the feedback to three students."""
    folder = tmp_path_factory.mktemp("class")
    runs = entries()
    write(folder / "class", [(name, static_text(name)) for name in STATIC_FILES])
    write(folder / "class", class_pages(LONG, runs, {run.name: "none.html" for run in runs}))
    write(folder / "class", [("none.html", next(class_pages("A class", [], {}))[1])])
    games = tuple(random_game(n, LONG, "b", plies=6 + 40 * (n % 2)) for n in range(1, 9))
    games = tuple(replace(game, stderr={LONG: LINE}) for game in games)
    contest = for_student(random_contest([LONG, "b"], 0, games=games), LONG)
    for tone in ("plays", "earlier", "not"):
        account = Account(LONG, "It plays.", tone, (LINE, "Look."), 2, 1, "2026-11-23", True, "C",
                          LINE, LINE, LINE, asdict(CHECK), GRADE, (LINE,))  # fmt: skip
        write(
            folder / tone,
            feedback_files(account, None if tone == "not" else ContestResults(contest)),
        )
    return folder


@pytest.mark.parametrize("name", one_in(3, PAGES))
def test_page_can_be_read(class_folder: Path, reader: Reader, name: str):
    """A page fits a phone and a desk, in light and dark, without a serious finding of axe."""
    page = reader.open(class_folder / name, DESKTOP)
    for window in (DESKTOP, PHONE):
        page.set_viewport_size(window)
        assert not scrolls_sideways(page)
        assert findings(page) == []
    page.emulate_media(color_scheme="dark")
    assert findings(page, "color-contrast") == []


def test_ranking_fits_a_phone(class_folder: Path, reader: Reader):
    """On a phone, the ranking without its further columns is not cut."""
    page = reader.open(class_folder / "class/index.html", PHONE)
    assert page.evaluate("(f => f.scrollWidth <= f.clientWidth)(document.querySelector('.frame'))")


def test_labels_stand_at_the_ends_of_their_lines(class_folder: Path, reader: Reader):
    """Each name beside the chart is as high as the last place of its bot."""
    page = reader.open(class_folder / "class/index.html", PHONE)
    chart = page.locator(".ranks").bounding_box()
    places = float(page.locator(".ranks").get_attribute("viewBox").split()[-1])
    for number, label in enumerate(page.locator(".rank-chart li").all()):
        box = label.bounding_box()
        end = chart["y"] + chart["height"] * (number + 0.5) / places
        assert abs(box["y"] + box["height"] / 2 - end) < 2


def test_tables_are_sorted(class_folder: Path, reader: Reader):
    """The first click sorts names and ranks upwards, and points downwards."""
    page = reader.open(class_folder / "class/index.html")
    first = page.locator("tbody tr").first
    page.get_by_role("button", name="Bot").click()
    assert "bot 0" in first.inner_text()
    page.get_by_role("button", name="Points").click()
    assert first.inner_text().startswith("1")
    page = reader.open(class_folder / "class/history.html")
    page.get_by_role("button", name="11-10").click()
    best = next(row.name for row in entries()[0].rows)
    assert page.locator("tbody tr").first.locator("th").inner_text() == best


def test_history_keeps_names_in_sight(class_folder: Path, reader: Reader):
    """The history scrolls inside of its frame, and its names stay."""
    page = reader.open(class_folder / "class/history.html", PHONE)
    frame = page.locator(".frame")
    frame.evaluate("(node) => { node.scrollLeft = 400; }")
    assert frame.evaluate("(node) => node.scrollLeft") == 400
    name = page.locator("tbody th").first.bounding_box()
    assert name["x"] >= frame.bounding_box()["x"]


def test_without_scripts(class_folder: Path, reader: Reader):
    """Tables and the chart are there without scripts."""
    page = reader.open(class_folder / "class/index.html", java_script_enabled=False)
    assert page.locator("tbody tr").count() == len(entries()[-1].rows)
    assert page.locator(".ranks").is_visible()
