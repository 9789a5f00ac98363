"""The remarkable games of a contest."""

from dataclasses import replace

from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.variant import STANDARD
from c4_referee.site.remarkable import remarkable_games
from c4_referee.site.results import ContestResults
from c4_referee.stats.solved import Solved, position_key
from contests import random_contest
from games import finished, game_of


def test_three_different_games_are_chosen() -> None:
    """The shortest game has the biggest turn, so the next game is the shortest of the others."""
    games = (
        game_of("4141424", winner=1, ending="line", game=1),
        finished(2, "b", "a", "4455", 1),
        game_of("4141434", winner=1, ending="line", game=3),
        replace(game_of("121212417", winner=0, ending="forfeit"), game=4),
    )
    before = position_key(position_from_moves("41414", STANDARD))
    solved = {before: Solved(2, (-18, -18, -18, 2, -18, -18, -18))}
    contest = replace(random_contest("ab", 0, games=games), solved=solved)
    shown = remarkable_games(ContestResults(contest))
    assert [(each.title, each.game.game, each.text) for each in shown[:2]] == [
        ("Biggest turn", 1, "b gave away a won game with move 6."),
        ("Shortest game", 3, "a has 4 in a row after 7 moves."),
    ]
    assert (shown[2].title, shown[2].game.game) == ("Longest game", 2)
    assert all("<svg" in each.picture for each in shown)


def test_contest_without_games_has_none() -> None:
    """Without finished games nothing is remarkable."""
    assert remarkable_games(ContestResults(random_contest("ab", 0, games=()))) == []
