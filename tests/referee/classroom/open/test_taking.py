"""Hand-ins become versions of their students, also after a kill, and turns are shared."""

import errno
import os

import pytest
from c4_referee.classroom.open import inbox, taking
from c4_referee.classroom.open.links import INSTRUCTOR
from c4_referee.classroom.open.state import State, read_state
from c4_referee.classroom.open.taking import Turns, playable, take_turn
from c4_referee.classroom.students import Version
from c4_referee.classroom.submissions import tree
from handed_in import alias_of, hand_in, open_room

pytestmark = pytest.mark.linux


def tell(*_: object) -> None:
    """Stand for the terminal."""


def take(room, monkeypatch) -> None:
    """Take in all that waits. The steps after it make every version ready that is a program."""

    def check(room, aliases) -> None:
        for student in (each for each in room.register.students if each.alias in aliases):
            for version in student.versions:
                version.is_ready = not version.refused
            if student.version and student.version.is_ready:
                student.playing = student.latest

    monkeypatch.setattr(taking, "compile_new", lambda *_: "")
    monkeypatch.setattr(taking, "check_new", check)
    turns = Turns(room.folder)
    for _ in inbox.waiting(room.folder):
        if turns.next_ones():
            take_turn(room, turns, tell)


def test_files_of_a_hand_in_are_one_version(tmp_path, monkeypatch):
    """Each student gets what was handed in with the own link. A path in a name is refused."""
    with open_room(tmp_path, "Ada", "Ben") as room:
        State(deadline="2026-11-23 10:00").save(tmp_path)
        ada, ben = alias_of(room, "Ada"), alias_of(room, "Ben")
        hand_in(room, ada, ("bot.py", b"1"), ("board.py", b"2"))
        hand_in(room, ben, ("../../evil.py", b"1"), time="2026-11-23 10:01")
        hand_in(room, "no-such-bot", ("bot.py", b"1"))
        take(room, monkeypatch)
        first, other = (room.register.class_of.students[alias] for alias in (ada, ben))
        files = room.register.place(first, first.version) / "files"
        assert {path.name: path.read_bytes() for path in files.iterdir()} == {
            "bot.py": b"1",
            "board.py": b"2",
        }
        assert (first.version.late, first.version.handed_in) == (False, "2026-11-23 10:00")
        assert (other.version.late, other.version.refused, other.playing) == (True, True, 0)
        assert not inbox.waiting(tmp_path)
        assert not [*tmp_path.rglob("evil.py")]


def test_kill_in_take_in_loses_and_doubles_nothing(tmp_path, monkeypatch):
    """A hand-in leaves the inbox after it is stored. If it is taken in again, nothing changes."""
    with open_room(tmp_path, "Ada") as room, monkeypatch.context() as patch:
        ada = alias_of(room, "Ada")
        for text in (b"1", b"2"):
            hand_in(room, ada, ("bot.py", text))

        def kill() -> None:
            raise KeyboardInterrupt

        patch.setattr(os, "sync", kill)
        with pytest.raises(KeyboardInterrupt):
            take(room, monkeypatch)
    with open_room(tmp_path) as room:
        assert len(inbox.waiting(tmp_path)) == 2
        take(room, monkeypatch)
        student = room.register.class_of.students[ada]
        assert (len(student.versions), student.latest, student.is_here) == (2, 2, True)


def test_full_disk_refuses_no_hand_in(tmp_path, monkeypatch):
    """It stays in the inbox until there is room, and then it is a version."""
    with open_room(tmp_path, "Ada") as room, monkeypatch.context() as patch:
        ada = alias_of(room, "Ada")
        hand_in(room, ada, ("bot.py", b"1"))

        def fill_disk(_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        patch.setattr(tree, "chunks_of", fill_disk)
        take(room, monkeypatch)
        assert len(inbox.waiting(tmp_path)) == 1
        patch.undo()
        take(room, monkeypatch)
        (version,) = room.register.class_of.students[ada].versions
        assert not version.refused


def test_earlier_version_can_play_again(tmp_path, monkeypatch):
    """Only one of the last ten that is ready, and the files of older ones are removed."""
    with open_room(tmp_path, "Ada") as room:
        ada = alias_of(room, "Ada")
        student = room.register.class_of.students[ada]
        for number in range(12):
            hand_in(room, ada, ("bot.py", b"%d" % number))
        take(room, monkeypatch)
        assert (len(student.versions), student.latest) == (12, 12)
        assert len([*(room.register.folder / ada).iterdir()]) == 10
        assert [*playable(student)] == [*range(3, 13)]
        for again, latest in ((3, 3), (2, 3), (99, 3), (12, 12)):
            hand_in(room, ada, again=again)
            take(room, monkeypatch)
            assert (student.latest, student.playing) == (latest, latest)


def test_slow_student_does_not_delay_others(tmp_path, monkeypatch):
    """After a slow turn, a student waits, and then has a turn alone. Others have theirs before."""
    monkeypatch.setattr(taking, "usable_processors", lambda: [0, 1])
    with open_room(tmp_path, "Ada", "Ben", "Cy", "Di") as room:
        students = {each.name: each for each in room.register.students}
        turns = Turns(tmp_path)
        students["Ada"].versions, students["Ada"].latest = [Version(digest="", handed_in="")], 1
        students["Ada"].versions[0].is_ready = True  # that its bot passes is no excuse
        turns.end([students["Ada"]], 1e9)
        turns.end([students["Ben"]], 1.0)
        for name in ("Ada", "Ben", "Cy", "Di", "Ben"):
            hand_in(room, students[name].alias, ("bot.py", b"1"))
        found = {alias: len(paths) for alias, paths in turns.next_ones().items()}
        assert found == {students["Ben"].alias: 2, students["Cy"].alias: 1}
        paths = [path for path, _ in inbox.waiting(tmp_path)]
        assert [*turns.next_ones(paths[1].name)] == [students["Ada"].alias]  # before the final
        hand_in(room, INSTRUCTOR, state=State(paused=True))
        assert [*turns.next_ones()] == [INSTRUCTOR]
        take_turn(room, turns, tell)
        assert read_state(tmp_path).paused
        monkeypatch.setattr(taking.time, "monotonic", lambda: 1e11)
        assert len(turns.next_ones()) == 2
        for path, alias in inbox.waiting(tmp_path):
            if alias != students["Ada"].alias:
                path.rename(path.with_name(f".{path.name}"))
        assert [*turns.next_ones()] == [students["Ada"].alias]
