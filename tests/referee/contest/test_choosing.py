"""Adaptive tournaments: what is chosen is stored, and their ends are said."""

import sqlite3
from itertools import count
from random import Random
from types import SimpleNamespace

import orjson
import pytest
from c4_protocol.program.errors import UsageError
from c4_protocol.records.report_text import goal_lines
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.spec import BotSpec
from c4_referee.contest import choosing
from c4_referee.contest.choosing import Chooser, GoalSettings
from c4_referee.contest.openings import Openings
from c4_referee.contest.play.ledger import Ledger
from c4_referee.contest.schedule import Plan, system
from c4_referee.records.stats import goals
from c4_referee.records.storage.folder_archive import FolderArchive
from games import finished

NAMES = ["ant", "bee", "cat", "dog"]
STRENGTHS = dict(zip((*NAMES, "emu"), (-500, 0, 400, 100, 900), strict=True))


def result(number, key, names):
    """Return a game whose winner depends on its key and on the strengths of its bots."""
    first, second = names[key.first], names[key.second]
    chance = 1 / (1 + 10 ** ((STRENGTHS[second] - STRENGTHS[first]) / 400))
    wins = Random(f"{first} {second} {key.opening} {key.repetition}").random() < chance
    return finished(number, first, second, key.opening, 1 if wins else 2)


class Life:
    """A run of an adaptive tournament, which may be stopped after some games."""

    def __init__(self, folder, names=NAMES, games=100_000, openings="random:4", **settings):
        bots = [BotSpec(name=name, command=("true",)) for name in names]
        starts = Openings(openings, STANDARD).start
        with FolderArchive(folder, {}, bots) as archive:
            chooser = Chooser(GoalSettings(**settings), 1, archive)
            plan = Plan(archive.roster, starts, choose=chooser.choose)
            schedule, decides = system("adaptive").schedule(plan), chooser.take_game
            ledger = Ledger(schedule, STANDARD, archive, (), decides)
            self.played = []
            while len(self.played) < games and (job := ledger.issue()):
                key = ledger.tournament.issued_game(job.game).key
                line = orjson.dumps(result(job.game, key, archive.names))
                ledger.take(orjson.loads(line), line)
                self.played.append(key)
            self.tournament = ledger.tournament
            results, is_complete = self.tournament.results, self.tournament.is_complete
            self.goal = chooser.record(results, is_complete)
            self.placed = chooser.placed(results)
            self.games = [(game.game, *game.bots, game.opening) for game in results]


@pytest.mark.parametrize(
    ("settings", "claimed"),
    [
        ({}, "cat is the best, or within 30 Elo of it: "),
        ({"goal": "top 2", "meetings": 3}, "The top 2 are cat, dog, or within 30 Elo of the oth"),
        ({"goal": "ranking", "within": 90.0}, "The ranking is right, but for bots within 90 Elo"),
        ({"goal": "placement", "place": ("bee",)}, "bee is in place 3 of 4, but for bots within"),
    ],
)
def test_tournament_ends_when_its_goal_is_reached(tmp_path, settings, claimed):
    """It ends when the claim is sure enough, and a later run plays nothing."""
    life = Life(tmp_path, **settings)
    assert life.goal.ended == "goal"
    assert life.goal.likelihood >= 0.95
    (line,) = goal_lines(life.goal)
    assert line.startswith(claimed)
    assert Life(tmp_path, **settings).played == []


def test_places_become_certain_one_by_one(tmp_path):
    """A bot far from all others has its place before two bots that are nearly equal."""
    settings = {"goal": "placement", "place": ("ant", "bee"), "within": 5.0}
    early = Life(tmp_path, games=48, **settings)
    assert (early.placed, early.goal.ended) == ({"ant"}, None)
    late = Life(tmp_path, **settings)
    assert (late.placed, late.goal.ended) == ({"ant", "bee"}, "goal")


def test_chosen_meetings_are_read_and_not_computed_again(tmp_path, monkeypatch):
    """On a machine whose random draws are others, a stopped round goes on, and an end stays."""
    at_once = Life(tmp_path / "at once", games=48)
    seeds, original = count(100), goals.random_strengths
    lives = [Life(tmp_path / "stopped", games=40)]
    monkeypatch.setattr(
        goals,
        "random_strengths",
        lambda points, covariance, _: original(points, covariance, next(seeds)),
    )
    lives.append(Life(tmp_path / "stopped", games=8))
    assert lives[-1].games == at_once.games  # the rest of the second round, which was stored
    while lives[-1].played:
        lives.append(Life(tmp_path / "stopped", games=37))
        assert lives[-1].games[: len(lives[-2].games)] == lives[-2].games
        assert not lives[-1].tournament.apart
    assert lives[-1].goal.ended == "goal"
    monkeypatch.setattr(goals, "LEVEL", 1.1)
    assert Life(tmp_path / "stopped").played == []


def test_bot_that_comes_after_the_end_is_compared(tmp_path):
    """More games are played if another bot comes, or another goal is asked for."""
    before = Life(tmp_path)
    other = Life(tmp_path, goal="ranking")
    assert other.played
    assert other.games[: len(before.games)] == before.games
    after = Life(tmp_path, [*NAMES, "emu"])
    assert after.goal.claimed == ("emu",)
    assert after.games[: len(other.games)] == other.games
    left = Life(tmp_path)
    assert [game[0] for game in left.games] == [game[0] for game in after.games]
    assert "emu" not in left.goal.order  # but its games count


def test_end_is_explained(tmp_path, monkeypatch):
    """A tournament that ends before its goal says why, and what is open."""
    most = Life(tmp_path / "most", within=5.0, max_games=10)
    assert (len(most.games), most.goal.ended) == (10, "max_games")
    claim, *doubts, end = goal_lines(most.goal)
    assert claim.endswith(" %, which is not sure enough")
    assert doubts[0].startswith("Open: ")
    assert end == "It ended after max_games: a larger number lets it go on"
    assert len(Life(tmp_path / "most", within=5.0, max_games=20).played) == 10
    repeated = Life(tmp_path / "repeated", openings="none")
    assert repeated.goal.ended == "nothing new"
    assert len(repeated.games) <= 2 * 6 * 16
    clock = count(0, 10)
    monkeypatch.setattr(choosing, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    late = Life(tmp_path / "late", within=1.0, minutes=1)
    assert (len(late.games), late.goal.ended) == (6, "minutes")
    monkeypatch.undo()
    assert len(Life(tmp_path / "late", games=4, within=1.0, minutes=1).played) == 4


def test_damaged_meetings_are_refused(tmp_path):
    """Meetings that were changed by hand cause one line that says what to do."""
    Life(tmp_path, games=10)
    for meetings in ("[", "[[0, 0]]", "[[0, 77]]", "[[0, 1, 2]]", "7"):
        with sqlite3.connect(tmp_path / "arena.sqlite") as base:
            base.execute("UPDATE chosen SET meetings = ?", (meetings,))
        base.close()
        with pytest.raises(UsageError, match="it is damaged"):
            Life(tmp_path)
    with sqlite3.connect(tmp_path / "arena.sqlite") as base:
        base.execute("DROP TABLE chosen")  # a folder from before this table
    base.close()
    assert Life(tmp_path, games=4).played
