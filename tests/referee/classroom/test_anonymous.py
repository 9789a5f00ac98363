"""Nothing that others see follows from the names of students or from their keys."""

import sys
from itertools import count

import pytest
from c4_referee.classroom.folder import Classroom, opened
from c4_referee.classroom.play import play, run_to_play
from c4_referee.classroom.publish import publish
from c4_referee.classroom.runs import CONTEST_FILE
from c4_referee.classroom.students import Student, Version
from c4_referee.classroom.submissions.compiling import Compiled
from c4_referee.classroom.submissions.start import Start

BOT = """\
import json, sys
for line in sys.stdin:
    grid = json.loads(line)["grid"]
    print(json.dumps({"move": [x for x in range(7) if grid[x][0] == 0][%d]}), flush=True)
"""
ALIASES = ("calm-otter", "wise-yak", "bold-crow", "tidy-newt")
NAMES = ("Ada", "Zoe", "Bob", "Mia"), ("Zoe", "Mia", "Ada", "Bob")
"""Names of the students in two classes, in which other students come first."""
KEYS = {
    "moodle": ("moodle:11", "moodle:12", "moodle:13", "moodle:14"),
    "canvas": ("canvas:9", "canvas:8", "canvas:7", "canvas:6"),
    "gradescope": ("gradescope:z@x.org", "gradescope:a@x.org", "gradescope:m", "gradescope:b"),
    "blackboard": ("blackboard:u2", "blackboard:u1", "blackboard:u4", "blackboard:u3"),
}
"""Keys of the students on platforms."""


def enlist(room: Classroom, names, keys) -> None:
    """Write four students with bots that are ready, under these names and keys."""
    roll = room.register.class_of
    roll.students.clear()
    order = sorted(range(4), key=lambda index: keys[index])  # as a download has them
    for index in order:
        version = Version(digest=f"d{index}", handed_in="2026-11-23", is_ready=True)
        version.compiled = Compiled(True, "", 0.1)
        version.start = Start("Python", (sys.executable, "bot.py"), "bot.py")
        values = {"name": names[index], "alias": ALIASES[index], "is_here": True}
        student = Student(key=keys[index], **values, latest=1, playing=1, versions=[version])
        roll.students[student.key] = student
        build = room.register.place(student, version) / "build"
        build.mkdir(parents=True, exist_ok=True)
        (build / "bot.py").write_text(BOT % (index % 2 - 1), encoding="utf-8")
    room.register.save()


def begun(room: Classroom):
    """Begin a run or continue it."""
    return run_to_play(room.register, room.bots, room.settings, room.runs, sandboxed=False)


@pytest.mark.parametrize("platform", KEYS)
def test_order_of_a_run_does_not_follow_names(tmp_path, platform):
    """Two classes whose students have other names and the same aliases play the same games."""
    planned = []
    for number, names in enumerate(NAMES):
        with opened(tmp_path / str(number), sandboxed=False) as room:
            enlist(room, names, KEYS[platform])
            file = room.runs.folder_of(begun(room)) / CONTEST_FILE
            planned.append(file.read_text(encoding="utf-8").replace(str(room.folder), ""))
    assert planned[0] == planned[1]
    assert sorted(ALIASES) == sorted(ALIASES, key=planned[0].index)


def test_site_does_not_follow_names_and_keys(tmp_path):
    """Published again after all names and keys have changed, the site is the same to the byte."""
    settings = 'openings = "random:12"\nanalysis_seconds = 0\ngive_up = 0\n'
    (tmp_path / "class.toml").write_text(settings, encoding="utf-8")
    sites, numbers = [], count()
    with opened(tmp_path, sandboxed=False) as room:
        for names in NAMES:
            for platform, keys in KEYS.items():
                room.register.class_of.platform = platform
                enlist(room, names, keys)
                if next(numbers) == 0:
                    play(begun(room), room.runs)
                publish(room)
                paths = sorted(path for path in (tmp_path / "site").rglob("*") if path.is_file())
                sites.append({path.relative_to(tmp_path): path.read_bytes() for path in paths})
    assert sites == [sites[0]] * len(sites)
    assert len(sites[0]) > len("four bots")
