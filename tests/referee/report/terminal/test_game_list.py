"""Lists of games in the terminal."""

from c4_referee.report.terminal import game_list
from games import game_of


def test_long_lists_have_no_decisive_moves(monkeypatch):
    """A list with more games than can be analysed quickly leaves decisive moves out."""
    games = [game_of("12121232", game=number, winner=2, ending="line") for number in (1, 2)]
    for most, is_shown in ((2, True), (1, False)):
        monkeypatch.setattr(game_list, "MAX_ANALYSED", most)
        lines = [line.text.plain for line in game_list.game_list(games, {}, None)]
        assert [", then lost" in line for line in lines] == [False, is_shown, is_shown]
