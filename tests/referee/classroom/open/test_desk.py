"""The page of a student: each step as soon as it is there, and nothing of other students."""

import orjson
import pytest
from c4_referee.classroom.open.desk import ClassDesk
from c4_referee.classroom.open.links import INSTRUCTOR, make_links
from c4_referee.classroom.open.state import State, read_state
from c4_referee.classroom.open.taking import Turns, take_turn
from c4_referee.classroom.students import Version
from c4_referee.classroom.submissions.compiling import Compiled
from handed_in import alias_of, hand_in, open_room
from sites import Page

pytestmark = pytest.mark.linux
PASSED, FAILED = Compiled(True, "", 0.1), Compiled(False, "SECRET", 0.1)
LATER = ["to come"]
NOTHING = "link", "", ("", "")
"""A link, no notice, and no rank."""


@pytest.mark.parametrize(
    ("found", "states"),
    [
        (None, []),
        ({"refused": True, "reason": "it is too large"}, ["done", "failed", *LATER * 3]),
        ({}, ["done", "done", "in progress", *LATER * 2]),
        ({"reason": "there is no program"}, ["done", "done", "failed", *LATER * 2]),
        ({"compiled": FAILED, "reason": "no"}, ["done", "done", "failed", *LATER * 2]),
        ({"compiled": PASSED}, ["done", "done", "done", "in progress", *LATER]),
        ({"compiled": PASSED, "reason": "slow"}, ["done", "done", "done", "failed", *LATER]),
        ({"compiled": PASSED, "is_ready": True}, ["done"] * 4 + ["in progress"]),
    ],
)
def test_page_shows_how_far_a_hand_in_is(tmp_path, found, states):
    """It loads itself again while something is in progress, and then has the feedback."""
    with open_room(tmp_path, "Ada", "Ben") as room:
        make_links(room)
        ada, ben = (room.register.class_of.students[alias_of(room, it)] for it in ("Ada", "Ben"))
        if found is not None:
            ada.versions, ada.latest = [Version(digest="d", handed_in="", **found)], 1
            ada.is_here = True
            ada.playing = int(ada.versions[0].is_ready)
            room.register.save()
        desk = ClassDesk(room)
        text = desk.page(ada.alias, *NOTHING)
        page = Page()
        page.feed(text)
        shown = [
            word for word in page.texts if word in {"done", "failed", "in progress", "to come"}
        ]
        assert shown == states
        assert ('http-equiv="refresh"' in text) is ("in progress" in states)
        assert ("What to do next" in text) is ("failed" in states)
        assert not any(
            word in desk.page(ben.alias, *NOTHING) for word in ("SECRET", ada.alias, "Ada")
        )
        hand_in(room, ada.alias, ("bot.py", b"1"))
        text = desk.page(ada.alias, *NOTHING)
        assert all(word in text for word in ("Your last hand-in", "in progress"))


def test_placed_bot_is_at_rest(tmp_path):
    """Its page has the versions that can play again, and no secret of the class."""
    with open_room(tmp_path, "Ada") as room:
        make_links(room)
        (ada,) = room.register.students
        ready = {"compiled": PASSED, "is_ready": True}
        ada.versions = [Version(digest=str(n), handed_in="", **ready) for n in range(2)]
        ada.latest = ada.playing = 2
        room.register.save()
        (tmp_path / "ladder").mkdir()
        (tmp_path / "ladder" / "placed.json").write_bytes(orjson.dumps({ada.alias: 2}))
        build = room.register.place(ada, ada.version) / "build"
        lost = {ada.alias: [[1, 7, "former"], [2, 8, f"<i>{build}/bot.py"]]}
        (tmp_path / "ladder" / "faults.json").write_bytes(orjson.dumps(lost))
        text = ClassDesk(room).page(
            ada.alias, "link", "<b>not taken</b>", ("1st of 2", "c/ladder/1/bots/1.html")
        )
    assert "http-equiv" not in text
    assert 'name="again" value="1"' in text
    assert "&lt;b&gt;not taken" in text
    assert "<b>1st of 2</b>" in text
    assert 'href="../c/ladder/1/bots/1.html"' in text
    assert str(tmp_path) not in text
    assert "Game 8:" in text
    assert "&lt;i&gt;" in text
    assert "former" not in text


def test_instructor_sees_names_and_causes(tmp_path):
    """The own link leads to the page of the class, on which the ladder pauses and ends."""
    with open_room(tmp_path, "Ada", "Ben") as room:
        make_links(room)
        ada = room.register.class_of.students[alias_of(room, "Ada")]
        ada.versions, ada.latest = [Version(digest="d", handed_in="", reason="<i>a cause</i>")], 1
        room.register.save()
        desk = ClassDesk(room)
        (tmp_path / "feedback").mkdir()
        (tmp_path / "feedback" / "grades.csv").write_bytes(b"1")
        (tmp_path / "similar.txt").write_text("2 with <the same sources\n", encoding="utf-8")
        assert desk.folder_of(INSTRUCTOR) == tmp_path / "feedback"
        assert desk.folder_of(ada.alias) == tmp_path / "feedback" / "Ada"
        hand_in(room, alias_of(room, "Ben"), ("bot.py", b"1"))
        text = desk.page(INSTRUCTOR, *NOTHING)
        words = (
            "Ada",
            "Ben",
            ada.alias,
            "&lt;i&gt;a cause",
            "&lt;the same",
            'href="link/grades.csv"',
            "waits for its turn",
        )
        assert [word for word in words if word not in text] == []
        for wrong in (
            "tomorrow",
            "2026-12-18",
            "2026-12-18 18:00; x",
            "2026-13-18 18:00",
            "\u0662026-12-18 18:00",
        ):
            with pytest.raises(ValueError, match="deadline"):
                desk.put(INSTRUCTOR, [], {"deadline": wrong})
        desk.put(INSTRUCTOR, [("bot.py", b"1")], {"deadline": "2026-12-18T18:00", "paused": "on"})
        with pytest.raises(ValueError, match="Choose a file"):
            desk.put(ada.alias, [], {"paused": "on", "deadline": "", "again": "\u0663"})
        text = desk.page(INSTRUCTOR, *NOTHING)
        assert all(word in text for word in ("is taken in now", 'value="2026-12-18 18:00"'))
        turns = Turns(tmp_path)
        while turns.next_ones():
            take_turn(room, turns, lambda *_: None)
        assert read_state(tmp_path) == State(paused=True, deadline="2026-12-18 18:00")
        assert "2026-12-18 18:00" in desk.page(ada.alias, *NOTHING)
