"""A version is compiled once, and stays what was handed in."""

from functools import partial

import pytest
from c4_referee.classroom.compile_versions import compile_new
from c4_referee.classroom.folder import opened
from c4_referee.classroom.students import Student, Version

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
    compile_again = partial(compile_new, room)
    assert compile_again() == "1 need no compiler"
    version.is_ready, version.checked, student.playing = True, "x", 1
    return compile_again, version, files.parent / "build" / "player"


def test_unchanged_version_is_not_compiled_again(compiled):
    """Its copy stays as it is."""
    compile_again, _, program = compiled
    before = program.stat().st_ino
    assert compile_again() == "nothing is new"
    assert program.stat().st_ino == before


@pytest.mark.parametrize("change", ["removed", "changed", "added to", "blocked"])
def test_what_a_bot_changed_is_undone(compiled, change):
    """A bot that rewrites or removes its program plays the next run as it was handed in."""
    compile_again, version, program = compiled
    if change == "removed":
        program.unlink()
    elif change == "changed":
        program.write_text("#!/bin/sh\n", encoding="utf-8")
    elif change == "added to":
        (program.parent / "learned.txt").write_text("1", encoding="utf-8")
    else:
        (program.parent / "deep" / "folder").mkdir(parents=True)
        (program.parent / "deep").chmod(0)
    compile_again()
    assert {path.name for path in program.parent.iterdir()} == {"player", "data"}
    assert program.read_text(encoding="utf-8") == BOT
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
