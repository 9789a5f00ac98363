"""Hand-ins are taken in, compiled and checked, by the steps of a run, a few students at a time.

Turns are shared: a student whose turn took long waits longer for the next one, and has it alone.
"""

import os
import shutil
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.processors import usable_processors

from c4_referee.classroom.check_versions import check_new
from c4_referee.classroom.compile_versions import compile_new
from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.open import inbox
from c4_referee.classroom.open.links import INSTRUCTOR
from c4_referee.classroom.open.state import read_state
from c4_referee.classroom.steps import Tell
from c4_referee.classroom.students import Student
from c4_referee.classroom.submissions.handed import Handed, Part
from c4_referee.classroom.take_in import take_one

SLOW_SECONDS = 10.0
"""Duration of a turn, in seconds, from which it is slow. Most take less than five."""
PRICE = 5.0
"""Pause after a slow turn, in durations of the turn."""
RETRY_SECONDS = 30.0
"""Pause until a hand-in that could not be stored is tried again, in seconds."""
MAX_KEPT = 10
"""Maximum number of versions of a student that can play again."""


class Turns:
    """Chooses the students whose hand-ins are taken in next."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._next: dict[str, float] = {}
        """Times from which students have a turn again, for those who had a slow one."""
        self._failed: dict[str, float] = {}
        """Times from which hand-ins are tried again that could not be stored."""

    def next_ones(self, before: str = "") -> dict[str, list[Path]]:
        """Return what is taken in now, by the aliases of the students: all that each handed in.

        What the instructor has decided is first, and alone. With ``before``, all that was handed in
        before this time has a turn, and nothing else.
        """
        now, found = time.monotonic(), dict[str, list[Path]]()
        for path, alias in inbox.waiting(self._folder):
            if alias == INSTRUCTOR:
                return {alias: [path]}
            is_due = path.name < before if before else self._next.get(alias, 0.0) <= now
            if is_due and self._failed.get(alias, 0.0) <= now:
                found.setdefault(alias, []).append(path)
        quick = [alias for alias in found if alias not in self._next]
        chosen = quick[: max(1, len(usable_processors()))] or [*found][:1]
        return {alias: found[alias] for alias in chosen}

    def end(self, students: Sequence[Student], seconds: float) -> None:
        """Note how long the turn of some students took."""
        for student in students:
            self._next.pop(student.alias, None)
            if seconds > SLOW_SECONDS:  # it is not known whose hand-in was slow, if there were two
                pause = PRICE * seconds if len(students) == 1 else 0.0
                self._next[student.alias] = time.monotonic() + pause

    def postpone(self, alias: str) -> None:
        """Let a student wait whose hand-in cannot be stored now."""
        self._failed[alias] = time.monotonic() + RETRY_SECONDS


def take_turn(room: Classroom, turns: Turns, tell: Tell, before: str = "") -> float:
    """Take in, compile and check what is next, and return the duration in seconds."""
    began, todo = time.monotonic(), turns.next_ones(before)
    for alias, paths in [*todo.items()]:
        try:
            _take_in(room, alias, paths)
        except (ArenaError, OSError) as error:  # it stays in the inbox, and nobody else waits
            turns.postpone(alias)
            del todo[alias]
            tell("waits", f"{alias}: {error}", 0.0)
    compile_new(room, todo.keys())
    check_new(room, todo.keys())
    students = [each for each in room.register.students if each.alias in todo]
    seconds = time.monotonic() - began
    turns.end(students, seconds)
    for student in students:
        tell("hand-in", f"{student.alias}, version {student.latest}: {student.status}", seconds)
    return seconds


def _take_in(room: Classroom, alias: str, paths: Sequence[Path]) -> None:
    """Make versions of what a student handed in, and remove it from the inbox.

    If this is killed, the next turn does it again, and gets the same versions.
    """
    register, student = room.register, room.register.class_of.students.get(alias)
    with TemporaryDirectory(prefix=".download-", dir=register.folder) as scratch:
        for path, hand_in in inbox.read(paths):
            if alias == INSTRUCTOR and hand_in.state:
                read_state(room.folder).changed_to(hand_in.state).save(room.folder)
            elif student and hand_in.again in playable(student):
                student.latest = hand_in.again
            elif student and hand_in.names:
                parts = [Part(path / str(n), name) for n, name in enumerate(hand_in.names)]
                late = read_state(room.folder).is_late(hand_in.time)
                handed = Handed(student.key, student.name, (*parts,), late, time=hand_in.time)
                take_one(handed, student, register, Path(scratch) / "new")
                student.is_here = True
    register.save()
    os.sync()  # the versions are on the disk before the only other copy is removed
    if student:
        _remove_old(room, student)
    for path in paths:  # at once, because a part of it would be another hand-in
        shutil.rmtree(path.rename(path.with_name(f".{path.name}")), ignore_errors=True)


def playable(student: Student) -> Collection[int]:
    """Return the numbers of the versions that a student can make play again."""
    kept = range(max(1, len(student.versions) - MAX_KEPT + 1), len(student.versions) + 1)
    return [number for number in kept if student.versions[number - 1].is_ready]


def _remove_old(room: Classroom, student: Student) -> None:
    """Remove the files of versions that nobody can make play again."""
    for number in range(1, len(student.versions) - MAX_KEPT + 1):
        if number not in {student.latest, student.playing}:
            version = student.versions[number - 1]
            shutil.rmtree(room.register.place(student, version), ignore_errors=True)
