"""Pages with all runs of a class: ranking, changes, history, and links that lead somewhere."""

from pathlib import Path

import pytest
from c4_referee.classroom.entries import Row
from c4_referee.classroom.pages.class_site import class_pages
from c4_referee.classroom.runs import Run
from c4_referee.report.site.environment import STATIC_FILES, static_text
from contests import HOSTILE
from sites import broken_links, read_page


def run(day: int, *names: str, version: int = 1) -> Run:
    """Return a run with bots in the order of their ranks. The staff's bot has no version."""
    rows = [
        Row(name, None if name == "staff" else version, rank, 9.5 - rank, 8,
            200.0 - 50 * rank, 150.0 - 50 * rank, 260.0 - 50 * rank, 0.8)
        for rank, name in enumerate(names, 1)
    ]  # fmt: skip
    return Run(name=f"2026-11-{day}", rows=tuple(rows))


def write(folder: Path, *runs: Run) -> None:
    """Write the pages of a class, with empty standings for each run."""
    folders = {each.name: f"runs/{each.name}/index.html" for each in runs}
    static = [(name, static_text(name)) for name in STATIC_FILES]
    empty = [(path, "<title>a run</title>") for path in folders.values()]
    for name, text in (*static, *empty, *class_pages("A class", runs, folders)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("runs", [0, 1, 2, 30])
def test_links_lead_somewhere(tmp_path, runs):
    """All links work with no run, one run and many, also when bots come and go."""
    write(tmp_path, *(run(10 + n, *f"abcdef{n}"[n % 3 :]) for n in range(runs)))
    assert broken_links(tmp_path) == []


def test_chart_of_ratings_has_runs_with_the_same_zero(tmp_path):
    """Without a bot whose rating is 0 there is none. A run that has another zero is left out."""
    runs = [run(day, "a", "b", "c", "staff", "d") for day in (10, 11, 12)]  # staff has the rating 0
    write(tmp_path / "none", *runs)
    assert "Ratings over all runs" not in (tmp_path / "none" / "index.html").read_text()
    fixed = [runs[0], *(each.model_copy(update={"anchor": "staff"}) for each in runs[1:])]
    write(tmp_path / "two", *fixed)
    page = (tmp_path / "two" / "index.html").read_text()
    assert "The top is +150 and the bottom \u221250 Elo points. The rating of staff is 0" in page
    assert page.count('d="M0 0.5L1 0.5L2 0.5"') == page.count('d="M1 0.0L2 0.0"') == 1


def test_hostile_names_are_texts(tmp_path):
    """Names make no element, not even in the chart."""
    write(tmp_path / "hostile", run(10, *HOSTILE), run(11, *HOSTILE))
    write(tmp_path / "plain", run(10, *"abcdef"), run(11, *"abcdef"))
    for name in ("index.html", "history.html"):
        page = read_page(tmp_path / "hostile" / name)
        assert {*page.elements} == {*read_page(tmp_path / "plain" / name).elements}
        assert all(bot in "".join(page.texts) for bot in HOSTILE)
