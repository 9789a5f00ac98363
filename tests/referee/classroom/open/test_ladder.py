"""The ladder: new versions are placed, unchanged pairs keep their games, and then it rests."""

import shutil
from collections import Counter

import pytest
from c4_referee.classroom.folder import opened
from c4_referee.classroom.open import ladder
from c4_referee.classroom.open.ladder import LADDER, Ladder, faults_of, placed_versions
from c4_referee.records.storage.contests import read_contests
from enlisted import enlist
from handed_in import BOT, open_room

pytestmark = pytest.mark.linux


@pytest.fixture(autouse=True)
def _quick(monkeypatch) -> None:
    """Let a few games be enough."""
    monkeypatch.setattr(ladder, "WITHIN", 600.0)
    monkeypatch.setattr(ladder, "PLACED_WITHIN", 600.0)


def games(room) -> Counter[frozenset[str]]:
    """Return the number of games of each pair, whose names are unique to versions."""
    (contest,) = read_contests(room.folder / "ladder")
    return Counter(frozenset(game.bots) for game in contest.games)


def play_all(room, ladder_: Ladder) -> list[str]:
    """Play until there is no work, and return the lines."""
    lines = []
    while ladder_.has_work:
        lines.append(ladder_.play(0, lambda: False))
    return lines


def test_new_version_plays_and_others_keep_their_games(tmp_path):
    """Also after a restart. When the ranking is certain, nothing is done until a hand-in."""
    bots = {"amber-otter": BOT % 0, "bold-crow": BOT % -1}
    with open_room(tmp_path, "Ada", settings="time_ms = 60000") as room:
        enlist(room, {"amber-otter": BOT % 0})
        assert play_all(room, Ladder(room)) == ["waits for a second bot"]
        enlist(room, bots | {"calm-heron": BOT % 1})
        placed, ranked = play_all(room, Ladder(room))
        assert "placed 3 of 3 new" in placed
        assert "the ranking" in ranked
        before = games(room)
        assert placed_versions(tmp_path / "ladder") == dict.fromkeys([*bots, "calm-heron"], 1)
    with opened(tmp_path, sandboxed=False) as room:
        again = Ladder(room)
        play_all(room, again)
        assert (games(room), again.has_work) == (before, False)
        enlist(room, {"calm-heron": BOT % 2})
        assert again.has_work
        play_all(room, again)
        both = frozenset(bots)
        assert games(room)[both] >= before[both] > 0
        assert games(room).total() > before.total()
        assert placed_versions(tmp_path / "ladder")["calm-heron"] == 2
        enlist(room, {"calm-heron": BOT % 1})
        count = games(room).total()
        play_all(room, again)
        assert games(room).total() == count  # the former version is known


def test_games_of_former_versions_do_not_pile_up(tmp_path, monkeypatch):
    """They are deleted when they are most. The other games stay, and the next ones differ."""
    monkeypatch.setattr(ladder, "MAX_FORMER", 0)
    bots = {"amber-otter": BOT % 0, "bold-crow": BOT % -1, "calm-heron": BOT % 1}
    with open_room(tmp_path, "Ada", settings="time_ms = 60000") as room:
        enlist(room, bots)
        found = Ladder(room)
        play_all(room, found)
        before = games(room)
        enlist(room, {"bold-crow": BOT % 2, "calm-heron": BOT % 3})
        play_all(room, found)
        enlist(room, {"calm-heron": BOT % 4})
        play_all(room, found)
        after = games(room)
        assert before
        assert not any("withdrawn" in name for pair in after for name in pair)
        (contest,) = read_contests(tmp_path / LADDER)
        moves = [(game.bots, game.opening, game.moves) for game in contest.games]
        assert len(moves) == len({*moves})
        assert contest.progress.is_complete
    with opened(tmp_path, sandboxed=False) as room:
        play_all(room, Ladder(room))
        assert games(room) == after


def test_bot_without_its_folder_stops_nobody(tmp_path):
    """Bots can make their folders useless. The others play, and the student reads why."""
    bots = {"amber-otter": BOT % 0, "bold-crow": BOT % -1, "calm-heron": BOT % 1}
    with open_room(tmp_path, "Ada", settings="time_ms = 60000") as room:
        enlist(room, bots)
        student = room.register.class_of.students["calm-heron"]
        shutil.rmtree(room.register.place(student, student.version) / "build")
        play_all(room, Ladder(room))
        assert games(room).keys() == {frozenset(("amber-otter", "bold-crow"))}
        assert "build" in faults_of(tmp_path / LADDER, "calm-heron", 1)[0][1]


def test_hand_in_ends_a_slice(tmp_path, monkeypatch):
    """It ends with a round, so that no game of the former version is lost without a move."""
    monkeypatch.setattr(ladder, "PLACED_WITHIN", 5.0)
    stops = iter([False, True, False, True])
    with open_room(tmp_path, "Ada", settings="time_ms = 60000") as room:
        enlist(room, {"amber-otter": BOT % 0, "bold-crow": BOT % -1})
        found = Ladder(room)
        found.play(0, lambda: next(stops))
        count = games(room).total()
        enlist(room, {"bold-crow": BOT % 1})
        found.play(0, lambda: next(stops))
        assert games(room).total() > count > 0
        assert found.has_work
        assert not placed_versions(tmp_path / "ladder")
    (contest,) = read_contests(tmp_path / "ladder")
    assert {game.fault for game in contest.games} == {None}
