"""Pages of contests: they are complete, their links work, and they show texts as texts."""

from dataclasses import replace
from pathlib import Path

import pytest
from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import Incidents, Protection, TournamentReport
from c4_protocol.rules.variant import Variant
from c4_referee.play.tournament import Tournament
from c4_referee.report.summary import match_report
from c4_referee.report.texts import MINUS
from c4_referee.schedule import GameKey, Player, Round
from c4_referee.site.environment import BOARD_FILES
from c4_referee.site.pages import number_of_pages, site_pages
from c4_referee.site.results import ContestResults
from c4_referee.site.standings_page import Axis, render_standings
from c4_referee.site.writer import SiteFolder
from c4_referee.stats.ratings import Estimate
from c4_referee.storage.archive import Progress
from c4_referee.storage.contests import StoredContest
from c4_referee.storage.last_runs import RunSummary
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


def text_of(path: Path) -> str:
    """Return the texts of a page, with one blank between words."""
    return " ".join(" ".join(read_page(path).texts).split())


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


def test_files_of_the_board_come_and_go_with_it(tmp_path):
    """A site that is written again has the scripts of its board, or no longer has them."""
    contest = random_contest(2, 3)
    for board in (False, True, False):
        names = write(tmp_path, contest, board=board)
        assert len(names) == number_of_pages([contest], board=board)
        assert [(tmp_path / name).exists() for name in BOARD_FILES] == [board, board]
        assert broken_links(tmp_path) == []


def test_several_contests_have_an_overview(tmp_path):
    """A page lists several contests. The pages of the first one are where they were alone."""
    contests = [replace(random_contest(2, 3), number=1), replace(random_contest(3, 6), number=2)]
    names = write(tmp_path, *contests)
    assert broken_links(tmp_path) == []
    assert len(names) == number_of_pages(contests)
    assert {*write(tmp_path, contests[0])} < {*names}
    write(tmp_path, *contests)
    listed = {*read_page(tmp_path / "contests.html").addresses}
    assert {"index.html", "2/index.html"} <= listed
    assert "contests.html" in read_page(tmp_path / "index.html").addresses


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


def test_contest_that_has_not_ended_says_so(tmp_path):
    """Without a report of a complete run, the page says how many games have a result."""
    contest = replace(random_contest(3, 12), progress=Progress(20, is_complete=False))
    write(tmp_path, contest)
    assert "12 of 20 scheduled games have a result" in text_of(tmp_path / "index.html")
    points = sum(row.points for row in ContestResults(contest).standings.bots)
    assert points == 12


def test_match_shows_the_difference_of_its_report():
    """A match shows the Elo difference that its last run printed."""
    contest = random_contest(2, 10, identity={"bots": []})
    report = _match_report(contest)
    ended = RunSummary("2026-11-22 16:00:00", report, {"time": "1 s"})
    results = ContestResults(replace(contest, last_run=ended))
    ratings = results.ratings
    assert ratings["bot 1"].points == report.elo == -ratings["bot 2"].points
    assert ratings["bot 1"].low == report.elo_low == -ratings["bot 2"].high
    assert results.is_complete
    assert ContestResults(contest).ratings == ratings


def test_running_contest_knows_byes_and_ranking():
    """The standings have the byes and the ranking of the contest, before any report is stored."""
    contest = random_contest(3, 12)
    progress = Progress(20, False, byes={Player(2): 3}, ranking=(Player(1), Player(0), Player(2)))
    rows = ContestResults(replace(contest, progress=progress)).standings.bots
    assert [row.bot for row in rows] == ["bot 2", "bot 1", "bot 3"]
    assert [row.extra_points for row in rows] == [0.0, 0.0, 6.0]


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


def test_games_that_do_not_count_are_listed_apart(tmp_path):
    """Games that do not count have pages and a table, but no part in the standings."""
    contest = random_contest(2, 10)
    apart = tuple(random_game(number, "bot 1", "bot 2") for number in (11, 12))
    write(tmp_path, replace(contest, apart=apart))
    assert ContestResults(replace(contest, apart=apart)).standings.games == 10
    assert "2 stored games do not count" in text_of(tmp_path / "index.html")
    assert "Games that do not count 11 12" in text_of(tmp_path / "bots" / "1.html")
    assert (tmp_path / "exports" / "apart.csv").read_text().count("\n") == 3
    assert broken_links(tmp_path) == []


def _match_report(contest: StoredContest):
    """Return the report of a match with the games of a contest."""
    games = {
        GameKey(Player(game.first == "bot 2"), Player(game.first == "bot 1"), "", game.game): game
        for game in contest.games
    }
    tournament = Tournament((played for played in [Round(tuple(games))]), games)
    return match_report(("bot 1", "bot 2"), tournament, 1.0)


def test_conditions_name_the_protection_and_the_versions(tmp_path):
    """The page says how the machine was protected, and which versions played."""
    contest = random_contest(
        2, 10, identity={"bots": [], "controls": [{"main_ms": 60000.0, "increment_ms": 500.0}]}
    )
    report = replace(
        _match_report(contest),
        protection=Protection(["bot 1"], []),
        versions={"bot 2": "9.9"},
        incidents=Incidents(3, (), {"bot 1": "a file <b>"}),
    )
    write(tmp_path, replace(contest, last_run=RunSummary("2026", report, {"machine": "Linux"})))
    text = text_of(tmp_path / "index.html")
    for part in (
        "Sandbox: on for 1 bot",
        "bot 2 9.9",
        "Linux",
        "1 min for a game, 500 ms more",
        "a file <b>",
    ):
        assert part in text, part


def test_void_and_unplayed_games_are_named(tmp_path):
    """Pages say that games are void, that results were damaged, and that a bot has left."""
    contest = random_contest(2, 4)
    void = replace(contest.games[0], ending="void", winner=0, moves="", ms=[], cpu_ms=[])
    contest = replace(
        contest,
        games=(void, *contest.games[1:]),
        damaged=(7,),
        bots=(contest.bots[0], replace(contest.bots[1], withdrawn=True)),
    )
    write(tmp_path, contest)
    text = text_of(tmp_path / "index.html")
    assert "1 game is void" in text
    assert "1 stored result could not be read" in text
    assert "has left the contest" in text_of(tmp_path / "bots" / "2.html")
    assert broken_links(tmp_path) == []


def test_first_page_of_fifty_bots_is_small():
    """The first page of a contest of 50 bots is smaller than 300 KB."""
    contest = random_contest(50, 0, games=tuple(_short_games(50)))
    assert len(render_standings(ContestResults(contest), "", [], "").encode()) < 300_000


def _short_games(bots: int) -> list[GameEnded]:
    """Return one game of each two bots, which differ in their names alone."""
    game = random_game(1, "", "")
    pairs = [
        (one, other) for one in range(1, bots + 1) for other in range(1, bots + 1) if one != other
    ]
    return [
        replace(game, game=n, first=f"bot {one}", second=f"bot {other}")
        for n, (one, other) in enumerate(pairs, 1)
    ]


def test_tested_bot_of_a_gauntlet_has_the_headline_and_a_block_of_its_own():
    """The page says what the tested bot scored, and who did better, however few games that took."""
    games = (
        *(replace(random_game(n, "mine", "weak"), winner=1) for n in range(1, 5)),
        replace(random_game(5, "mine", "good"), winner=2),
    )
    identity = {"name": "Test", "system": "gauntlet"}
    contest = random_contest(["mine", "weak", "good"], 0, games=games, identity=identity)
    page = render_standings(ContestResults(contest), "", [], "")
    assert "mine has scored 4 of 5; only good did better." in page
    assert page.index("<tbody class=tested>") < page.index(">mine</a>") < page.index("<tbody>")
    assert "champion," not in page
    assert 'table class="cross"' not in page


def test_bot_that_gave_up_shows_its_forfeits():
    """Its games count for nobody, so it has no points, but the faults in them are known."""
    lost = tuple(random_game(n, "bot 3", "bot 1", plies=4) for n in (13, 14))
    progress = Progress(12, True, gave_up=(Player(2),))
    contest = replace(random_contest(2, 12), apart=lost, progress=progress)
    contest = replace(contest, bots=random_contest(3, 0).bots)
    page = render_standings(ContestResults(contest), "", [], "")
    row = page[page.rindex("<tr><td", 0, page.index("</table>")) :].split("</table>")[0]
    assert ">bot 3</a>" in row
    assert 'href="bots/3.html#faults">2</a>' in row
    assert "<small>/0" not in row


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
