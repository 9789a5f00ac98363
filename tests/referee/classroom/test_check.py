"""Which versions are ready after the check."""

from c4_referee.classroom.bots_file import BotsFile
from c4_referee.classroom.check import check_new
from c4_referee.classroom.compile import compile_new
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.students import Register, Student, Version


def test_bot_that_removed_its_program_stops_nobody(tmp_path):
    """Its version is not ready. It is compiled again in the next run."""
    register, version = Register(tmp_path), Version(digest="1", handed_in="today")
    student = Student(key="a", name="Ada", alias="a-otter", latest=1, versions=[version])
    register.class_of.students["a"] = student
    files = register.place(student, version) / "files"
    files.mkdir(parents=True)
    (files / "player").write_text("#!/bin/sh\n", encoding="utf-8")
    (files / "player").chmod(0o755)
    bots, settings = BotsFile(tmp_path), ClassSettings()
    compile_new(register, bots, lambda *_: None, sandboxed=False)
    program = files.parent / "build" / "player"
    program.unlink()
    version.is_ready, student.playing = True, 1
    line = check_new(register, bots, settings, lambda *_: None, sandboxed=False)
    assert line == "0 bots checked; 0 of 1 are ready"
    assert (student.playing, "no program" in version.reason) == (0, True)
    compile_new(register, bots, lambda *_: None, sandboxed=False)
    assert program.exists()
