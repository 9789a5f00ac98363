"""The games of a rubric are shared and repeatable, and a bot that always fails plays only a few."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from bots import LIGHT
from c4_protocol.program.errors import UsageError
from c4_referee.bots.spec import BotSpec
from c4_referee.classroom.grading.rubric import Goal, Rubric
from c4_referee.classroom.grading.rubric_games import Played, play_games, random_shares

EXAMPLES = Path(__file__).parents[4] / "examples"
MISBEHAVING = Path(__file__).parents[3] / "bots" / "misbehaving.py"
SETTINGS = {"time_ms": 5000, "variant": "5x4", "opening_moves": 2}


def bot(kind: str, name: str = "bot") -> BotSpec:
    """Return a bot of this kind of ``misbehaving.py``."""
    return BotSpec(name, (sys.executable, "-S", "-E", str(MISBEHAVING), kind))


def play(spec: BotSpec, *goals: Goal, seed: int = 0) -> Played:
    """Play the games of goals."""
    return play_games(spec, Rubric(goals, **SETTINGS), seed, lambda _: None)


def wins(games: int, against: str = "random") -> Goal:
    """Return a goal of this number of games."""
    return Goal(type="wins", points=1, against=against, games=games)


def test_goals_share_the_games_against_an_opponent():
    """There are as many games as one goal needs, with both colours in each opening."""
    steps: list[str] = []
    rubric = Rubric((wins(2), wins(4)), **SETTINGS)
    played = play_games(bot("good"), rubric, 0, steps.append)
    assert steps == ["4 games against random"]
    games = played.games["random"]
    assert [game.first for game in games] == ["bot", "random (opponent)"] * 2
    assert games[0].opening == games[1].opening != games[2].opening
    assert played.stopped_by == ""


def test_same_seed_gives_the_same_games():
    """A bot without a choice plays the same games again. Another seed gives other openings."""
    all_played = [play(bot("good"), wins(2), seed=seed) for seed in (5, 5, 6)]
    assert not any(played.varies for played in all_played)
    first, again, other = (played.games["random"] for played in all_played)
    assert [game.moves for game in first] == [game.moves for game in again]
    assert [game.opening for game in first] != [game.opening for game in other]


def test_bot_that_plays_at_random_varies():
    """Its games are not the same when they are played again."""
    command = (sys.executable, str(EXAMPLES / "minimal.py"))
    assert play(BotSpec("bot", command), wins(2)).varies


def test_goal_that_a_random_player_reaches_is_a_mistake():
    """Against itself, a random player scores a half. Against others, its share is measured."""
    goal = Goal(type="strength", points=1, against="random", games=2, share=0.6)
    assert random_shares(Rubric((goal,), **SETTINGS), 0) == {"random": 0.5}
    easy = replace(goal, against="c4-bot --plays random", share=0.01)
    with pytest.raises(UsageError, match=r"a random player scores \d+%"):
        random_shares(Rubric((easy,), **SETTINGS), 0)


@pytest.mark.parametrize(
    ("kind", "fault"), [("exits_later", "exited"), ("two_lines", "more than one line")]
)
def test_bot_that_always_fails_plays_three_games(kind, fault):
    """After three games with the same fault, no game is played, also against other opponents."""
    played = play(bot(kind), wins(8), wins(10, "level-1"))
    assert {name: len(games) for name, games in played.games.items()} == {"random": 3}
    assert played.stopped_by == fault


@pytest.mark.weekly
def test_bot_that_hangs_waits_three_times():
    """A bot that stops answering costs the time of three moves, and not that of all games."""
    rubric = Rubric((wins(100),), time_ms=200)
    played = play_games(bot("falls_asleep"), rubric, 0, lambda _: None)
    assert len(played.games["random"]) == 3
    assert played.stopped_by == "late"


def test_bot_can_play_against_itself():
    """An opponent with the command line of the bot has another name."""
    played = play(BotSpec(LIGHT, tuple(LIGHT.split())), wins(2, LIGHT))
    game = played.games[LIGHT][0]
    assert (game.first, game.second) == (LIGHT, f"{LIGHT} (opponent)")
