"""HTML of games and reports in notebooks."""

import html
import re

from c4_referee.site.notebook import game_html
from c4_referee.site.replay_page import single_file
from games import game_of

BOTS = ("<one>", "two")


def won_game(number=1, first=BOTS[0], second=BOTS[1]):
    """Return a game that the first player has won."""
    return game_of("1122334", game=number, first=first, second=second, winner=1, ending="line")


def test_a_game_is_a_page_in_a_frame():
    """The frame contains the page of one file, and no name leaves its attribute."""
    game = won_game(first='"><script>')
    text = game_html(game)
    (page,) = re.findall(r'srcdoc="([^"]*)"', text)
    assert html.unescape(page) == single_file(game)
    assert text.count("<") == 2
