"""The loop of an open class goes on after errors, and plays a final once."""

import errno
import time

import pytest
from c4_referee.classroom.open import open_class
from c4_referee.classroom.open.inbox import stamp
from c4_referee.classroom.open.links import INSTRUCTOR
from c4_referee.classroom.open.open_class import OpenClass
from c4_referee.classroom.open.state import State, read_state
from c4_referee.classroom.take_in import take_one
from enlisted import enlist
from handed_in import BOT, alias_of, hand_in, open_room

pytestmark = pytest.mark.linux
FULL = OSError(errno.ENOSPC, "No space left on device")


def tell(*_: object) -> None:
    """Stand for the terminal."""


def test_stopped_final_is_not_played_again(tmp_path, monkeypatch):
    """It goes on where it was, also if the instructor saves something in between."""
    with (
        open_room(tmp_path, "Ada", settings="time_ms = 60000") as room,
        monkeypatch.context() as it,
    ):
        enlist(room, {"amber-otter": BOT % 0, "bold-crow": BOT % -1})
        it.setattr(open_class, "compile_new", lambda *_: "")
        it.setattr(open_class, "check_new", lambda *_: "")
        State(final=stamp()).save(tmp_path)
        steps, published = open_class.take_steps, []

        def take_steps(room, submissions, only, tell) -> None:
            if only == "publish" and not published:
                published.append(only)
                raise FULL
            steps(room, submissions, only, tell)

        it.setattr(open_class, "take_steps", take_steps)
        running = OpenClass(room, tell)
        with pytest.raises(OSError, match="No space"):
            running.step()
        hand_in(room, INSTRUCTOR, state=State(deadline="2026-12-18 18:00"))
        OpenClass(room, tell).step()
        state = read_state(tmp_path)
        assert (state.final, state.paused, state.deadline) == ("", True, "2026-12-18 18:00")
        assert "are written" in state.published
        assert len(room.runs.all()) == 1


def test_hand_in_is_checked_after_an_error(tmp_path, monkeypatch):
    """It needs no other hand-in, or a restart. One that cannot be stored stops nobody."""
    checked = []
    with open_room(tmp_path, "Ada", "Ben") as room:
        ada, ben = alias_of(room, "Ada"), alias_of(room, "Ben")
        errors = iter([FULL])

        def check(_: object, aliases: object = None) -> None:
            for error in errors:
                raise error
            checked.append(aliases)

        def take(handed, student, *others: object) -> None:
            if student.alias == ada:
                raise FULL
            take_one(handed, student, *others)

        monkeypatch.setattr(open_class, "compile_new", lambda *_: "")
        monkeypatch.setattr(open_class, "check_new", lambda *_: checked.append("all"))
        monkeypatch.setattr("c4_referee.classroom.open.taking.compile_new", lambda *_: "")
        monkeypatch.setattr("c4_referee.classroom.open.taking.check_new", check)
        monkeypatch.setattr("c4_referee.classroom.open.taking.take_one", take)
        for alias in (ada, ben):
            hand_in(room, alias, ("bot.py", b"1"))
        running = OpenClass(room, tell)
        with pytest.raises(OSError, match="No space"):
            running.step()
        assert checked == ["all"]
        assert len(room.register.class_of.students[ben].versions) == 1
        assert not running.step()
        assert checked == ["all", "all"]
        assert len([*(tmp_path / "inbox").iterdir()]) == 1
        monkeypatch.setattr("c4_referee.classroom.open.taking.take_one", take_one)
        now = time.monotonic
        monkeypatch.setattr(time, "monotonic", lambda: now() + 60)
        assert running.step()
        assert not [*(tmp_path / "inbox").iterdir()]
