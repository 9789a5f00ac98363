"""The remarkable games of a contest."""

from dataclasses import replace

from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.variant import STANDARD
from c4_referee.site.remarkable import remarkable_games
from c4_referee.site.results import ContestResults
from c4_referee.stats.solved import Solved, position_key
from contests import random_contest
from games import finished, game_of


def test_three_games_are_chosen() -> None:
    """They are the biggest turn, the shortest game, and the longest of strong bots."""
    games = (
        game_of("1212121", winner=1, ending="line", game=1),
        finished(2, "b", "a", "4455", 1),
        replace(game_of("121212417", winner=0, ending="forfeit"), game=3),
    )
    solved = {position_key(position_from_moves("12121", STANDARD)): Solved(-18)}
    contest = replace(random_contest("ab", 0, games=games), solved=solved)
    shown = remarkable_games(ContestResults(contest))
    assert [(each.title, each.game.game) for each in shown][-2:] == [
        ("Shortest game", 1), ("Longest game between strong bots", 2)
    ]  # fmt: skip
    assert all("<svg" in each.picture for each in shown)
    assert "4 in a row after 7 plies" in shown[-2].text


def test_contest_without_games_has_none() -> None:
    """Without finished games nothing is remarkable."""
    assert remarkable_games(ContestResults(random_contest("ab", 0, games=()))) == []
