"""The public ladder lists the versions that play now, and is never over."""

import pytest
from c4_referee.classroom.open import ladder
from c4_referee.classroom.open.ladder import LADDER, Ladder
from c4_referee.classroom.open.public import PublicLadder
from c4_referee.contest.live.follow import Follower
from c4_referee.contest.live.state import LiveState
from c4_referee.records.storage.contests import read_contests
from c4_referee.report.site.results import ContestResults
from enlisted import enlist
from handed_in import BOT, open_room

pytestmark = pytest.mark.linux
BOTS = {"amber-otter": BOT % 0, "bold-crow": BOT % -1, "calm-heron": "import sys; sys.exit('no')"}


@pytest.fixture
def room(tmp_path, monkeypatch):
    """Return a class whose ladder has games of a former version, and of a bot that gave up."""
    monkeypatch.setattr(ladder, "PLACED_WITHIN", 600.0)
    with open_room(tmp_path, "Ada", settings="time_ms = 60000") as room:
        enlist(room, BOTS)
        played = Ladder(room)
        played.play(0, lambda: False)
        enlist(room, {"amber-otter": BOT % 1})
        played.play(0, lambda: False)
        yield room


def test_former_version_is_not_listed(room):
    """Its games count for the others, and the ranks have no gaps. No contest of it has ended."""
    (contest,) = read_contests(room.folder / LADDER)
    all_rows = ContestResults(contest).standings
    shown = ContestResults(PublicLadder({}).contest(contest))
    assert {row.bot for row in all_rows.bots} - {row.bot for row in shown.standings.bots} == {
        "amber-otter (withdrawn)"
    }
    assert [row.rank for row in shown.standings.bots] == [1, 2, 3]
    assert shown.standings.games == all_rows.games
    assert contest.progress.is_complete
    assert not shown.is_complete


def test_stream_names_no_former_version(room):
    """The messages of the live page lead to the same bots, and do not end the stream."""
    messages = [*Follower(room.folder / LADDER, 1).poll()]
    assert "(withdrawn)" in repr(messages)
    public, state = PublicLadder({"bold-crow": "Ben"}), LiveState()
    for message in filter(None, map(public.message, messages)):
        state.take(message)
    assert {bot for bot, *_ in state.table()} == {"amber-otter", "Ben", "calm-heron"}
    assert not state.is_complete
    assert "withdrawn" not in repr(state.snapshot())


def test_student_reads_why_a_game_was_lost(room):
    """The last faults of the version that plays are kept, also for the next start."""
    lost = ladder.faults_of(room.folder / LADDER, "calm-heron", 1)
    assert 0 < len(lost) <= ladder.MAX_FAULTS
    assert all("no" in text for _, text in lost)
    assert ladder.faults_of(room.folder / LADDER, "calm-heron", 2) == []
    assert ladder.faults_of(room.folder / LADDER, "bold-crow", 1) == []
    enlist(room, {"calm-heron": "import sys; sys.exit('other')"})
    Ladder(room).play(0, lambda: False)
    (_, text), *_ = ladder.faults_of(room.folder / LADDER, "calm-heron", 2)
    assert "other" in text
