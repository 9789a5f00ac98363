"""Pages of contests: they are complete, their links work, and they show texts as texts."""

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from c4_protocol.records.reports import TournamentReport
from c4_protocol.rules.variant import Variant
from c4_referee.records.stats.ratings import Estimate
from c4_referee.records.storage.contests import RunSummary, StoredContest
from c4_referee.report.site.pages import number_of_pages, site_pages
from c4_referee.report.site.results import ContestResults
from c4_referee.report.site.standings_page import Axis, render_standings
from c4_referee.report.site.writer import SiteFolder
from c4_referee.report.texts import MINUS
from contests import HOSTILE, random_contest, random_game
from sites import broken_links, read_page


def write(site: Path, *contests: StoredContest, board: bool = False) -> list[str]:
    """Write the site of some contests, and return the names of its files."""
    names = []
    with SiteFolder(site) as folder:
        for name, text in site_pages(contests, board=board):
            folder.write(name, text)
            names.append(name)
    return names


@pytest.mark.parametrize(
    "contest",
    [
        random_contest(3, 12),
        random_contest(2, 5, identity={"bots": []}),
        random_contest(5, 7, Variant.parse("line8")),
        random_contest(3, 6, Variant.parse("9x7x5")),
        random_contest(1, 0),
        random_contest(0, 0),
    ],
    ids=["three", "match", "line8", "large", "one", "none"],
)
def test_all_links_lead_somewhere(tmp_path, contest):
    """All links of a site lead to its pages and to places that exist there."""
    names = write(tmp_path, contest)
    assert broken_links(tmp_path) == []
    assert len(names) == len(set(names)) == number_of_pages([contest])


def test_several_contests_have_an_overview(tmp_path):
    """The first page lists several contests. Bots and games of the first one stay as they were."""
    contests = [replace(random_contest(2, 3), number=1), replace(random_contest(3, 6), number=2)]
    names = write(tmp_path, *contests)
    assert broken_links(tmp_path) == []
    assert len(names) == number_of_pages(contests)
    assert {*write(tmp_path, contests[0])} < {*names}
    write(tmp_path, *contests)
    listed = {*read_page(tmp_path / "index.html").addresses}
    assert {"1/index.html", "2/index.html", "exports/summary.md"} <= listed
    assert {"../../index.html", "../index.html"} <= {
        *read_page(tmp_path / "1/bots/1.html").addresses
    }
    assert {"../index.html", "../1/index.html"} <= {*read_page(tmp_path / "games/1.html").addresses}


def test_hostile_names_are_texts(tmp_path):
    """Names, commands, faults and standard error make no element, link or file name."""
    games = [random_game(n, HOSTILE[n % 6], HOSTILE[(n + 1) % 6], plies=6) for n in range(1, 9)]
    contest = random_contest(HOSTILE, 0, games=tuple(games))
    plain = random_contest([*"abcdef"], 0, games=tuple(
        replace(game, first="abcdef"[n % 6], second="abcdef"[(n + 1) % 6])
        for n, game in enumerate(games, 1)
    ))  # fmt: skip
    write(tmp_path / "hostile", contest)
    write(tmp_path / "plain", plain)
    assert broken_links(tmp_path / "hostile") == []
    for place in range(6):
        page = read_page(tmp_path / "hostile" / "bots" / f"{place + 1}.html")
        assert "img" not in page.elements
        assert page.elements.count("script") == 0
        assert HOSTILE[place] in "".join(page.texts)
    index = read_page(tmp_path / "hostile" / "index.html")
    assert index.elements.count("script") == 1
    assert {*index.elements} == {*read_page(tmp_path / "plain" / "index.html").elements}


@pytest.mark.parametrize(
    ("forged", "is_shown"),
    [({"wins": 12}, False), ({"points": 99.0}, False), ({"rating": 3000.0}, False), ({}, True)],
)
def test_report_that_its_games_contradict_is_not_shown(forged, is_shown):
    """Results, points and ratings are those of the games, whatever a stored report says."""
    contest = random_contest(3, 12)
    rows = ContestResults(contest).standings
    printed = replace(rows, bots=(replace(rows.bots[0], **forged), *rows.bots[1:]))
    report = TournamentReport("a", "swiss", 1, 20, 1.0, True, printed, None, {})
    results = ContestResults(replace(contest, last_run=RunSummary("", report, {})))
    assert (results.standings.bots == printed.bots) == is_shown
    assert results.standings.bots == rows.bots


def test_first_page_of_fifty_bots_is_small():
    """The first page of a contest of 50 bots is smaller than 300 KB."""
    contest, game = random_contest(50, 0), random_game(1, "", "")
    pairs = enumerate(permutations(contest.names.values(), 2), 1)
    games = tuple(replace(game, game=n, first=one, second=other) for n, (one, other) in pairs)
    page = render_standings(ContestResults(replace(contest, games=games)), "", [], "")
    assert len(page.encode()) < 300_000


def test_axis_has_round_marks():
    """The marks of an axis are round, a few, and at the places of their numbers."""
    contest = random_contest(4, 24)
    axis = Axis([*ContestResults(contest).ratings.values()])
    assert 2 <= len(axis.marks) <= 3
    assert axis.position(0) == axis.zero
    assert Axis([]).marks == [("0.0", "0")]
    unbounded = Axis([Estimate(300.0, -100.0, 2000.0), Estimate(-300.0, -2000.0, 100.0)])
    assert [text for _, text in unbounded.marks] == [f"{MINUS}300", "0", "+300"]
    assert (unbounded.position(-2000), unbounded.position(2000)) == ("0.0", "100.0")
