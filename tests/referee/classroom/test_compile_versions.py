"""A version is compiled once, and stays what was handed in."""

import os
import subprocess
import time
from dataclasses import replace
from functools import partial

import pytest
from c4_referee.classroom import choice
from c4_referee.classroom.compile_versions import compile_new
from c4_referee.classroom.folder import opened
from c4_referee.classroom.students import Student, Version
from c4_referee.classroom.submissions import time_limit
from c4_referee.classroom.submissions.compiling import Compiled
from c4_referee.classroom.submissions.start import Start

BOT = "#!/bin/sh\nread line\necho '{\"move\":0}'\n"


@pytest.fixture
def compiled(tmp_path):
    """Return a function that compiles a submission, the version, and the copy of its program."""
    version = Version(digest="1", handed_in="today")
    student = Student(key="a", name="Ada", alias="a-otter", latest=1, versions=[version])
    with opened(tmp_path, sandboxed=False) as room:
        room.register.class_of.students["a"] = student
    files = room.register.place(student, version) / "files"
    files.mkdir(parents=True)
    (files / "player").write_text(BOT, encoding="utf-8")
    (files / "player").chmod(0o755)
    (files / "data").mkdir()
    (files / "lib").mkdir()
    (files / "lib" / "pyvenv.cfg").touch()
    compile_again = partial(compile_new, room)
    assert compile_again() == "1 need no compiler"
    version.is_ready, version.checked, student.playing = True, "x", 1
    return compile_again, version, files.parent / "build" / "player"


def test_turn_of_a_student_undoes_nothing(compiled):
    """Nobody waits in an open class until changed folders are compiled again: the final does it."""
    compile_again, _, program = compiled
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    compile_again(["a-otter"])
    assert program.read_text(encoding="utf-8") == "#!/bin/sh\n"
    compile_again()
    assert program.read_text(encoding="utf-8") == BOT


def test_unchanged_version_is_not_compiled_again(compiled):
    """Its copy stays as it is."""
    compile_again, _, program = compiled
    before = program.stat().st_ino
    assert compile_again() == "nothing is new"
    assert program.stat().st_ino == before


@pytest.mark.parametrize("change", ["removed", "changed", "added to", "pipe", "touched", "blocked"])
def test_what_a_bot_changed_is_undone(compiled, change):
    """A bot that rewrites or removes its program plays the next run as it was handed in."""
    compile_again, version, program = compiled
    if change == "removed":
        program.unlink()
    elif change == "changed":
        program.write_text("#!/bin/sh\n", encoding="utf-8")
    elif change == "added to":
        (program.parent / "learned.txt").write_text("1", encoding="utf-8")
    elif change == "pipe":
        os.mkfifo(program.parent / "pipe")
    elif change == "touched":
        os.utime(program, ns=(0, 0x1122334455667788))
    else:
        (program.parent / "deep" / "folder").mkdir(parents=True)
        (program.parent / "deep").chmod(0)
    compile_again()
    assert {path.name for path in program.parent.iterdir()} == {"player", "data", "lib"}
    assert program.read_text(encoding="utf-8") == BOT
    assert program.stat().st_mtime_ns != 0x1122334455667788
    assert (version.is_ready, version.checked) == (True, "x")


@pytest.mark.parametrize("mode", [0o6755, 0o4711, 0o777, 0o500])
@pytest.mark.parametrize("place", ["player", ".", "data"])
def test_modes_that_a_bot_changed_are_undone(compiled, place, mode):
    """A bot cannot leave a file or a folder that others can change or run as another user."""
    compile_again, _, program = compiled
    changed = program.parent / place
    before = changed.stat().st_mode
    changed.chmod(mode)
    compile_again()
    assert changed.stat().st_mode == before


CHANGES = {
    "time of a folder": "touch -d @7 data",
    "flag": "chattr +d player",
    "file again": "cp -p player copy; mv copy player",
    "size of a folder": "touch data/x; rm data/x",
}


@pytest.mark.parametrize("change", CHANGES)
def test_states_that_a_bot_changed_are_undone(compiled, change):
    """A bot cannot keep anything for its next run in what else the system notes of its files."""
    compile_again, _, program = compiled
    subprocess.run(CHANGES[change], shell=True, check=True, cwd=program.parent)
    changed = time.time_ns()
    time.sleep(0.02)  # the kernel counts the times of files in clock ticks
    compile_again()
    assert program.stat().st_ctime_ns > changed


@pytest.mark.parametrize(
    "place", [".git/x", "data/__pycache__/player.cpython-311.pyc", "lib/__pycache__/x"]
)
def test_what_belongs_to_no_bot_is_removed(compiled, place):
    """A bot cannot leave anything for its next run where its files are not compared."""
    compile_again, _, program = compiled
    left = program.parent / place
    left.parent.mkdir(parents=True)
    left.touch()
    compile_again()
    assert not left.parent.exists()


@pytest.mark.timeout(300)
def test_files_with_large_holes_are_not_read_to_their_end(compiled, monkeypatch):
    """Files that compilers leave have a limit of time, because a hole needs no room on the disk."""
    compile_again, version, program = compiled

    def make_holes(start, build, _python, **_):
        for number in range(50):
            with (build / f"hole{number}").open("wb") as file:
                file.truncate(250 << 20)
        return Compiled(True, "", 0.1)

    monkeypatch.setattr(choice, "compile_start", make_holes)
    monkeypatch.setattr(time_limit, "STEP_SECONDS", 0.1)
    program.unlink()  # so that it is made anew
    compile_again()
    assert "no regular file, or too large" in version.reason
    assert not version.is_ready


@pytest.mark.parametrize("found", [None, Start("", ("\udcff",), "cannot be stored")])
def test_failure_of_a_step_is_the_reason_of_its_version(compiled, monkeypatch, found):
    """An exception that nobody foresaw ends no class. It is named, and the next run tries again."""
    compile_again, version, _ = compiled
    version.main = "another"  # so that its start is looked for
    with monkeypatch.context() as patch:
        patch.setattr(choice, "find_starts", lambda *_: [found or int("x")])
        compile_again()
    assert "please report this as a fault" in version.reason
    assert found or "(ValueError in choice.py, line " in version.reason
    assert not version.is_ready
    assert compile_again() == "1 need no compiler"


def test_compilers_have_the_time_of_the_settings(tmp_path, compiled, monkeypatch):
    """A version whose compilers were too slow is compiled again when they have more time."""
    compile_again, version, _ = compiled
    given = tmp_path / "given"  # it compiles in another process

    def stop_late(start, build, _python, *, sandboxed, seconds):
        with given.open("a") as file:
            file.write(f"{seconds:g} s ")
        return Compiled(False, "it ran for more than that", seconds, seconds)

    monkeypatch.setattr(choice, "compile_start", stop_late)
    version.compiled = replace(version.compiled, passed=False, exceeded=10.0)
    compile_again()
    compile_again()
    assert given.read_text() == "30 s "
