"""HTML of games and reports in notebooks."""

import html
import re

from c4_protocol.records.reports import MatchReport, Tally, TournamentReport
from c4_referee.report.standings import standings
from c4_referee.site.notebook import game_html, match_html, standings_html, tournament_html
from c4_referee.site.replay_page import single_file
from games import game_of

BOTS = ("<one>", "two")


def won_game(number=1, first=BOTS[0], second=BOTS[1]):
    """Return a game that the first player has won."""
    return game_of("1122334", game=number, first=first, second=second, winner=1, ending="line")


def table_rows(text):
    """Return the texts of the cells of a table, row by row, without its headings."""
    rows = re.findall(r"<tr>(.*?)</tr>", text)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in rows]
    return [[html.unescape(cell) for cell in row] for row in cells if row]


def test_a_game_is_a_page_in_a_frame():
    """The frame contains the page of one file, and no name leaves its attribute."""
    game = won_game(first='"><script>')
    text = game_html(game)
    (page,) = re.findall(r'srcdoc="([^"]*)"', text)
    assert html.unescape(page) == single_file(game)
    assert text.count("<") == 2


def test_standings_are_a_table():
    """Each bot has a row with its results, and names are escaped."""
    games = [won_game(1), won_game(2, "two", "<one>"), won_game(3)]
    text = standings_html(standings(BOTS, games))
    rows = table_rows(text)
    assert [row[:8] for row in rows] == [
        ["<one>", "1", "2", "3", "2", "0", "1", "0"],
        ["two", "2", "1", "3", "1", "0", "2", "0"],
    ]
    assert "Standings, 3 games" in text
    assert "<one>" not in text


def test_ratings_that_are_not_known_are_dashes():
    """Bots without games have no rating."""
    assert table_rows(standings_html(standings(BOTS, [])))[0][-2:] == ["–", "–"]  # noqa: RUF001


def test_a_tournament_has_its_name_and_state():
    """The caption says what was played, and whether games are missing."""
    report = TournamentReport(
        "Cup", "swiss", 1, 2, 1.0, False, standings(BOTS, [won_game()]), None, {}
    )
    assert "Cup: swiss, not complete, 1 game<" in tournament_html(report)


def test_a_match_has_a_row_for_each_bot():
    """The results of the second bot are the opposite of those of the first."""
    forfeits, elo = {"two": {"late": 1}}, (88.0, -50.0, 240.0)
    report = MatchReport(BOTS, 4, 2, 1, 1, Tally(), Tally(), 4, forfeits, *elo, 0.7, 1, True)
    text = match_html(report)
    assert table_rows(text) == [
        ["<one>", "2½", "4", "2", "1", "1", "0"],
        ["two", "1½", "4", "1", "1", "2", "1"],
    ]
    assert "Elo difference +88 (95% interval −50 to +240)" in text  # noqa: RUF001
