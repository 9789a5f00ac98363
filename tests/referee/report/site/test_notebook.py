"""HTML of games in notebooks. ``test_outputs.py`` has the tables."""

import html
import re

from c4_referee.records.stats.solved import GameAnalysis
from c4_referee.report.site.notebook import game_html
from c4_referee.report.site.replay_page import single_file
from games import game_of


def test_a_game_is_a_page_in_a_frame():
    """The frame contains the page of one file, and no name leaves its attribute."""
    game = game_of("1122334", first='"><script>', winner=1, ending="line")
    text = game_html(game)
    (page,) = re.findall(r'srcdoc="([^"]*)"', text)
    assert html.unescape(page) == single_file(GameAnalysis.unknown(game))
    assert text.count("<") == 2
