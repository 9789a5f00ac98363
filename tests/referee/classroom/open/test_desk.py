"""The page of a student: each step as soon as it is there, and nothing of other students."""

import orjson
import pytest
from c4_referee.classroom.open.desk import ClassDesk
from c4_referee.classroom.open.links import make_links
from c4_referee.classroom.students import Version
from c4_referee.classroom.submissions.compiling import Compiled
from handed_in import alias_of, hand_in, open_room
from sites import Page

pytestmark = pytest.mark.linux
PASSED, FAILED = Compiled(True, "", 0.1), Compiled(False, "SECRET", 0.1)
LATER = ["to come"]


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
        text = desk.page(ada.alias)
        page = Page()
        page.feed(text)
        shown = [
            word for word in page.texts if word in {"done", "failed", "in progress", "to come"}
        ]
        assert shown == states
        assert ('http-equiv="refresh"' in text) is ("in progress" in states)
        assert ("What to do next" in text) is (bool(states) and "in progress" not in states[:4])
        assert not any(word in desk.page(ben.alias) for word in ("SECRET", ada.alias, "Ada"))
        hand_in(room, ada.alias, ("bot.py", b"1"))
        assert "in progress" in desk.page(ada.alias)


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
        text = ClassDesk(room).page(ada.alias, "<b>not taken</b>")
    assert "http-equiv" not in text
    assert 'name="again" value="1"' in text
    assert "&lt;b&gt;not taken" in text
    assert str(tmp_path) not in text
