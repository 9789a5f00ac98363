"""Feedback in the form that a platform takes back, and the file of grades."""

import csv
import io
import os
import zipfile

import pytest
from c4_protocol.program.errors import ArenaError
from c4_referee.classroom import grades
from c4_referee.classroom.entries import Account
from c4_referee.classroom.feedback_zip import feedback_zip
from c4_referee.classroom.folder import opened
from c4_referee.classroom.grades import grades_csv
from c4_referee.classroom.students import Student, Version
from c4_referee.classroom.submissions.handed import Person
from c4_referee.classroom.submissions.start import Start


@pytest.fixture
def feedback(tmp_path):
    """Return a folder of feedback to a student."""
    (tmp_path / "games").mkdir()
    for name in ("index.html", "feedback.md", "games/1.html", "site.txt"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    return tmp_path


def members(data: bytes) -> dict[str, bytes]:
    """Return the files in an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_moodle_takes_folders_back(feedback):
    """Each folder has the name of the download, and all pages, but no file for the program."""
    name = "Zoë Ört_1234567_assignsubmission_file"
    names = {*members(feedback_zip("moodle", {name: feedback, "": feedback}))}
    assert names == {f"{name}/{file}" for file in ("index.html", "feedback.md", "games/1.html")}


def test_moodle_takes_flat_files_back(feedback):
    """The names begin as in the download."""
    start = "Zoë Ört_1234567_assignsubmission_file_"
    files = members(feedback_zip("moodle", {start: feedback}))
    assert {*files} == {f"{start}feedback.md", f"{start}feedback.zip"}
    assert "index.html" in members(files[f"{start}feedback.zip"])


def test_canvas_takes_the_same_names_back(feedback):
    """An archive comes back as an archive, and a program as a text that begins with a comment."""
    signs = {"bot.py": "#", "bot.rkt": ";", "Bot.java": "//", "bot.cpp": "//", "run.sh": "#"}
    names = {f"ortzoe_1_2_{name}": feedback for name in (*signs, "bot.zip")}
    files = members(feedback_zip("canvas", names))
    for name, sign in signs.items():
        comment, _, text = files[f"ortzoe_1_2_{name}"].decode().partition("\n\n")
        assert comment.startswith(f"{sign} This is the feedback")
        assert text == "feedback.md"
    assert "games/1.html" in members(files["ortzoe_1_2_bot.zip"])


def test_same_feedback_gives_the_same_bytes(feedback):
    """The archive does not depend on the time."""
    data = feedback_zip("plain", {"x": feedback})
    assert feedback_zip("plain", {"x": feedback}) == data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_grades_have_the_names_of_students(tmp_path):
    """A folder of submissions has no column of names, so the names of the students are shown."""
    with opened(tmp_path) as room:
        people = [Person(name="Ada L.", columns={"Folder": "ada"})]
        student = Student(key="folder:ada", name="Ada L.", alias="x", people=people)
        room.register.class_of.students = {student.key: student}
        text = grades_csv(room, {"x": Account("x", "It plays.", "plays")})
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["Name"], row["Folder"], row["Grade"]) == ("Ada L.", "ada", "")


@pytest.mark.parametrize("reason", ["the judge has ended", "exit code 7"])
def test_bot_that_cannot_be_graded_stops_nobody(tmp_path, monkeypatch, reason):
    """It gets no points, with the reason, also if the process that grades it ends."""

    def fails(*_):
        if reason == "exit code 7":
            os._exit(7)
        raise ArenaError(reason)

    monkeypatch.setattr(grades, "grade", fails)
    (tmp_path / "rubric.toml").write_text('[[goal]]\ntype = "check"\npoints = 5\n', "utf-8")
    (tmp_path / "class.toml").write_text('rubric = "rubric.toml"\n', "utf-8")
    version = Version(digest="1", handed_in="today", start=Start("", ("bot",), ""))
    with opened(tmp_path) as room:
        student = Student(key="a", name="Ada", alias="x", latest=1, playing=1, versions=[version])
        room.register.class_of.students = {student.key: student}
        grades.grade_new(room)
    assert (version.grade.points, version.grade.max_points) == (0, 5)
    assert reason in version.grade.lines[0].reason
