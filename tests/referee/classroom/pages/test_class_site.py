"""Pages with all runs of a class: ranking, changes, history, and links that lead somewhere."""

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from c4_referee.classroom.entries import Row, RunEntry
from c4_referee.classroom.pages.class_site import COLOURED, class_pages
from c4_referee.report.texts import UNKNOWN
from c4_referee.site.environment import STATIC_FILES, static_text
from contests import HOSTILE
from sites import broken_links, read_page


def run(day: int, *names: str, version: int = 1) -> RunEntry:
    """Return a run with bots in the order of their ranks. The staff's bot has no version."""
    rows = [
        Row(name, None if name == "staff" else version, rank, 9.5 - rank, 8,
            200.0 - 50 * rank, 150.0 - 50 * rank, 260.0 - 50 * rank, 0.8)
        for rank, name in enumerate(names, 1)
    ]  # fmt: skip
    return RunEntry(f"2026-11-{day}", tuple(rows))


def write(folder: Path, *runs: RunEntry) -> None:
    """Write the pages of a class, with empty standings for each run."""
    folders = {each.name: f"runs/{each.name}/index.html" for each in runs}
    static = [(name, static_text(name)) for name in STATIC_FILES]
    empty = [(path, "<title>a run</title>") for path in folders.values()]
    for name, text in (*static, *empty, *class_pages("A class", runs, folders)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def text_of(path: Path) -> str:
    """Return the texts of a page, with one blank between words."""
    return " ".join(" ".join(read_page(path).texts).split())


@pytest.mark.parametrize("runs", [0, 1, 2, 30])
def test_links_lead_somewhere(tmp_path, runs):
    """All links work with no run, one run and many, also when bots come and go."""
    write(tmp_path, *(run(10 + n, *f"abcdef{n}"[n % 3 :]) for n in range(runs)))
    assert broken_links(tmp_path) == []
    assert ("No run has ended yet" in text_of(tmp_path / "index.html")) == (runs == 0)
    assert ("Ranks over all runs" in text_of(tmp_path / "index.html")) == (runs > 1)


def test_run_without_bots(tmp_path):
    """A run without bots has a page that says so."""
    write(tmp_path, run(10), run(11))
    assert "This run has no bots" in text_of(tmp_path / "index.html")
    assert broken_links(tmp_path) == []


def test_changes_since_the_run_before(tmp_path):
    """Each bot has its change in places, and a new bot is called new."""
    write(tmp_path, run(10, "a", "b", "c"), run(11, "c", "a", "staff", "d"))
    text = text_of(tmp_path / "index.html")
    assert "1 ▲2 2 places up since the run before c" in text
    assert "2 ▼1 1 place down since the run before a" in text
    assert "4 new new in this run d" in text
    assert "staff mark to beat" in text
    assert "likely, 80%" in text


def test_bots_with_equal_points_lead_together(tmp_path):
    """The headline names one leader, or says how many bots lead."""
    entry = run(10, "a", "b", "c")
    write(tmp_path / "one", entry)
    assert "a leads, with" in text_of(tmp_path / "one" / "index.html")
    rows = tuple(replace(row, points=3) for row in entry.rows)
    write(tmp_path / "all", replace(entry, rows=rows))
    assert "3 bots lead, with 3 points each." in text_of(tmp_path / "all" / "index.html")


def test_names_lead_to_the_bots(tmp_path):
    """A name leads to the page of the bot in the last run, or else to its line in the history."""
    entry = run(10, "a", "b")
    rows = (replace(entry.rows[0], page=7), entry.rows[1])
    write(tmp_path, replace(entry, rows=rows))
    linked = re.findall('class="bot" href="([^"]*)"', (tmp_path / "index.html").read_text())
    assert linked == ["runs/2026-11-10/bots/7.html", "history.html#b2"]


def test_bot_that_gave_up_is_marked(tmp_path):
    """A bot that gave up has neither points nor a rating, and says why."""
    rows = (*run(10, "a").rows, Row("b", 2, 2, 0, 0, gave_up=True))
    write(tmp_path, RunEntry("2026-11-10", rows))
    assert f"b version 2 gave up {UNKNOWN} {UNKNOWN} {UNKNOWN}" in text_of(tmp_path / "index.html")


def test_history_has_all_runs_and_versions(tmp_path):
    """The history has the newest run first, and names new versions and bots that are gone."""
    write(tmp_path, run(10, "a", "gone"), run(11, "a"), run(12, "a", version=2))
    text = text_of(tmp_path / "history.html")
    assert "Bot 11-12 11-11 11-10" in text
    assert "a v2 1 +150 1 +150 1 +150 gone 2 +100" in text


def test_hostile_names_are_texts(tmp_path):
    """Names make no element, not even in the chart."""
    write(tmp_path / "hostile", run(10, *HOSTILE), run(11, *HOSTILE))
    write(tmp_path / "plain", run(10, *"abcdef"), run(11, *"abcdef"))
    for name in ("index.html", "history.html"):
        page = read_page(tmp_path / "hostile" / name)
        assert {*page.elements} == {*read_page(tmp_path / "plain" / name).elements}
        assert all(bot in "".join(page.texts) for bot in HOSTILE)


def lines(*columns: dict[str, int | None]) -> dict[str, list[str]]:
    """Return the class and the data of both paths of each bot in the chart.

    ``columns`` are runs: the versions of bots by their names, in the order of their ranks.
    """
    runs = [
        RunEntry(f"{number}", tuple(Row(name, version, 1, 0, 0) for name, version in each.items()))
        for number, each in enumerate(columns)
    ]
    page = next(class_pages("A class", runs, {}))[1]
    svg = ElementTree.fromstring(re.search('<svg class="ranks".*?</svg>', page, re.DOTALL)[0])
    return {
        group[0].text: [group.get("class"), *(path.get("d") for path in group[1:])] for group in svg
    }


def test_line_goes_through_the_ranks_with_dots_for_versions():
    """A line goes on over a run that a bot missed; a dot marks the first run of a version."""
    drawn = lines({"a": 1, "b": 1}, {"b": 1}, {"b": 2, "a": 1})
    assert drawn["a"] == ["c1", "M0 0.5L2 1.5", "M0 0.5h0"]
    assert drawn["b"] == ["c0", "M0 1.5L1 0.5L2 0.5", "M0 1.5h0M2 0.5h0"]


def test_staff_has_one_dot_and_a_dashed_line():
    """A bot without versions has a dot where it begins, and the class of the staff."""
    drawn = lines({"a": 1}, {"a": 1, "staff": None}, {"a": 1, "staff": None})
    assert drawn["staff"] == ["c1 staff", "M1 1.5L2 1.5", "M1 1.5h0"]


def test_best_bots_have_colours():
    """The best bots of the last run have colours and are drawn last. The others have none."""
    names = dict.fromkeys(map(str, range(COLOURED + 2)), 1)
    drawn = lines(names | {"gone": 1}, names)
    assert [line[0] for line in drawn.values()][::-1] == [
        *(f"c{n}" for n in range(COLOURED)),
        *[""] * 3,
    ]
