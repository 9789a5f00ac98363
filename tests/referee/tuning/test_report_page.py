"""Reports of runs: what they show, in files that stand alone."""

import re
from dataclasses import replace

import pytest
from c4_referee.tuning.arena import Arena
from c4_referee.tuning.evolution import RunSettings, StoppingRule
from c4_referee.tuning.experiment import run_folder_name
from c4_referee.tuning.report_page import render_experiment, render_run, write_experiment, write_run
from c4_referee.tuning.run_folder import play_run

SMALL = RunSettings(depth=1, population=6, elite=2)


@pytest.fixture(scope="module")
def runs():
    """Return two runs of each of two lengths."""
    arena = Arena(SMALL.search)
    return [
        play_run(replace(SMALL, seed=seed), StoppingRule(rounds), arena)
        for seed, rounds in enumerate((50, 50, 100, 100))
    ]


def words(page):
    """Return the text of a page without elements and with single blanks."""
    body = re.sub(r"<(style|title)>.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def test_report_of_a_run_stands_alone(tmp_path, runs) -> None:
    """A report has winners, plots, and settings in words, in one file without links."""
    write_run(tmp_path, runs[0])
    page = (tmp_path / "report.html").read_text()
    best = ",".join(map(str, runs[0].outcome.winners[0]))
    assert f"c4-bot --plays sequences --depth 1 --weights {best}" in words(page)
    assert "c4-tune evolve --rounds 50 --depth 1 --population 6 --elite 2" in words(page)
    assert "Players look 1 ply ahead." in words(page)
    assert page.count('<figure class="chart">') == 5
    for absent in ("http", "nan", "None", "False", "()", "inf", "<script", "<link"):
        assert absent not in re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)


def test_overview_has_all_runs_and_links_to_them(tmp_path, runs) -> None:
    """The overview has a line for each run, with a link to its page, which leads back."""
    for number, run in enumerate(runs, 1):
        (tmp_path / run_folder_name(number, run.stopping)).mkdir()
    write_experiment(tmp_path, runs)
    page = (tmp_path / "report.html").read_text()
    assert page.count('<svg class="spark"') == 4
    for number, run in enumerate(runs, 1):
        address = f"{number:02}-{run.stopping.rounds}-rounds/report.html"
        assert f'href="{address}"' in page
        assert ",".join(map(str, run.outcome.winners[0])) in page
        assert 'href="../report.html"' in (tmp_path / address).read_text()
    assert re.findall(r'href="(?!0\d-)', page) == []


def test_overview_compares_with_the_paper(runs) -> None:
    """The overview has an interval and a verdict of each ratio, for each length and for all."""
    page = render_experiment(runs)
    assert page.count('<tr class="all">') == 2
    assert page.count('class="ours"') == 2 * 3 + 1
    assert page.count('class="theirs"') == 2 * 2 + 1
    assert len(re.findall(r"It (agrees|differs)|Not decided", words(page))) == 2
    assert "c4-tune experiment --runs 2 --depth 1" in words(page)
    assert "--no-faithful" in words(page)


def test_weights_of_zero_are_gaps(runs) -> None:
    """A run whose winners have a 1-seq weight of 0 has a report with gaps."""
    rounds = [replace(one, winners=[(0, 5, 0)] * 2) for one in runs[0].rounds]
    history = replace(runs[0], rounds=rounds)
    page = render_run(history)
    assert "At the end: unknown." in page
    assert "in the proportions" not in page
    assert render_experiment([history])


def test_threshold_is_drawn(runs) -> None:
    """A threshold is a line in the plot of the spread, and is explained."""
    page = render_run(replace(runs[0], stopping=StoppingRule(50, 7)))
    assert page.count('class="limit"') == 2
    assert "--threshold 7" in words(page)
    assert "limit" not in words(render_run(runs[0]))
